import { expect, test } from 'vitest';
import { describeCoaches } from './coach-claims.ts';
import { defaultVerificationPolicy, documentKinds, type VerificationPolicy } from './verification-policy.ts';

const nothing = Object.fromEntries(
  documentKinds.map((kind) => [kind, { askedOf: 'nobody', effect: 'hidden' }]),
) as VerificationPolicy;
const ofAll = { askedOf: 'all', effect: 'hidden' } as const;
const ofMinors = { askedOf: 'under_18s', effect: 'hidden' } as const;

test.each<[string, Partial<VerificationPolicy>, string]>([
  [
    'checks and insurance',
    { insurance: ofAll, criminal_record_check: ofAll },
    'Coaches are background-checked and insured before they teach here.',
  ],
  ['insurance alone', { insurance: ofAll }, 'Coaches are insured before they teach here.'],
  [
    'checks alone',
    { criminal_record_check: ofAll },
    'Coaches are background-checked before they teach here.',
  ],
  [
    'checks from coaches of under-18s',
    { criminal_record_check: { ...ofMinors, effect: 'badge' } },
    'Coaches are background-checked before they teach under-18s here.',
  ],
  [
    'insurance for the badge only',
    { insurance: { ...ofAll, effect: 'badge' } },
    'Every booking has a receipt and keeps the cancellation terms that you agreed to.',
  ],
])('claims only what is true if the club asks for %s [VERIFY-12c]', (_, asked, text) => {
  expect(describeCoaches({ ...nothing, ...asked }).trust.text).toBe(text);
});

test('calls coaches verified only if every coach is checked for something [VERIFY-12c]', () => {
  expect(describeCoaches(defaultVerificationPolicy).coaches).toEqual({
    title: 'Expert verified coaches',
    text: "We check every coach's insurance before anyone can book them.",
  });
  const two = { ...nothing, first_aid: ofAll, licence: ofAll };
  expect(describeCoaches(two).coaches.text).toBe(
    "We check every coach's first aid training and governing body's licence before anyone can book them.",
  );
  expect(describeCoaches({ ...nothing, safeguarding: ofMinors }).coaches.title).toBe(
    'Coaches for every level',
  );
});
