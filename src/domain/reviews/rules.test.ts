import { expect, test } from 'vitest';
import {
  checkText,
  meanOf,
  nameAuthor,
  refuseClaim,
  refuseReview,
  reviewableUntil,
  workingDaysAfter,
} from './rules.ts';

const names = ['Tabitha Quill', 'Jo'];
const check = (text: string) => checkText(text, { names, coachName: 'Jo Smith' });

test('finds links, contact details and names, and masks each of them', () => {
  for (const [text, findings, masked] of [
    ['Great, see http://a.example/x now', ['link'], 'Great, see […] now'],
    ['Better than www.cheap-lessons.co.uk', ['link'], 'Better than […]'],
    ['Ask pat@example.org', ['contact'], 'Ask […]'],
    ['Ring (0113) 496 0000 or +44 7700 900123', ['contact'], null],
    ['Follow @pat.coaches', ['contact'], 'Follow […]'],
    ["Tabitha's serve and QUILL", ['name'], "[…]'s serve and […]"],
  ] as const) {
    const found = check(text);
    expect(found.findings, text).toEqual(findings);
    if (masked) expect(found.maskedText).toBe(masked);
  }
});

test('finds nothing in plain praise or criticism', () => {
  for (const text of [
    'Jo is patient. We paid £45.00 for 60 minutes, e.g. on 28.11.2026 at 9.30.',
    'Tabithas and quills are other words',
    '10 lessons in 2026, all 5 stars',
  ]) {
    expect(check(text)).toEqual({ findings: [], maskedText: null });
  }
});

test('skips weekends when counting working days [REVIEW-4b]', () => {
  expect(workingDaysAfter(Date.parse('2026-11-23T12:00:00Z'), 5)).toBe('2026-11-30');
  expect(workingDaysAfter(Date.parse('2026-11-27T12:00:00Z'), 5)).toBe('2026-12-04');
  expect(workingDaysAfter(Date.parse('2026-11-28T12:00:00Z'), 1)).toBe('2026-11-30');
});

test('rounds the mean to one decimal place; returns null for fewer than three reviews', () => {
  expect(meanOf({ reviews: 2, stars: 10 })).toBeNull();
  expect(meanOf({ reviews: 3, stars: 13 })).toBe(4.3);
  expect(meanOf({ reviews: 4, stars: 17 })).toBe(4.3);
});

test('names the family as author for a junior or dependant', () => {
  expect(nameAuthor('Sam H.', 'self')).toBe('Sam H.');
  expect(nameAuthor('Sam H.', 'junior')).toBe('Parent of a junior');
  expect(nameAuthor('Sam H.', 'dependant')).toBe('Family of a participant');
});

test('restarts the 90 days when an absence is contested successfully', () => {
  const now = Date.parse('2026-11-23T12:00:00Z');
  const facts = {
    ...{ status: 'booked', attended: false, endTime: '2026-08-20T12:00:00Z' },
    ...{ claim: 'accepted' as const, claimDecidedAt: '2026-11-20T12:00:00Z' },
    ...{ isFree: false, isOfTeam: false, isTeamCard: false, isCardUsed: false },
  };
  expect(refuseReview(facts, now)).toBeNull();
  expect(new Date(reviewableUntil(facts)).toISOString()).toBe('2027-02-18T12:00:00.000Z');
  expect(refuseReview({ ...facts, claim: null, attended: true }, now)?.message).toMatch(/90 days/);
  expect(refuseClaim(facts, now)?.message).toBe('An admin has already decided.');
});
