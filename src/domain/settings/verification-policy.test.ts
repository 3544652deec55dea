import { expect, test } from 'vitest';
import { defaultVerificationPolicy, isAsked, listNeededKinds } from './verification-policy.ts';

test('asks every coach, only coaches of under-18s, or nobody for a kind', () => {
  const ask = (askedOf: 'all' | 'under_18s' | 'nobody') =>
    [true, false].map((teachesMinors) => isAsked({ askedOf, effect: 'hidden' }, teachesMinors));
  expect([ask('all'), ask('under_18s'), ask('nobody')]).toEqual([
    [true, true],
    [true, false],
    [false, false],
  ]);
});

test("lists the kinds without which a coach is hidden or can't teach under-18s", () => {
  expect(listNeededKinds(defaultVerificationPolicy, false)).toEqual(['insurance']);
  const forMinors = ['criminal_record_check', 'safeguarding', 'insurance'];
  expect(listNeededKinds(defaultVerificationPolicy, true)).toEqual(forMinors);
  const badges = {
    ...defaultVerificationPolicy,
    criminal_record_check: { askedOf: 'all', effect: 'badge' },
    insurance: { askedOf: 'all', effect: 'badge' },
  } as const;
  expect(listNeededKinds(badges, true)).toEqual(['criminal_record_check', 'safeguarding']);
});
