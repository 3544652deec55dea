import { expect, test } from 'vitest';
import { findOverlap } from './checkout.ts';

const seat = (participantId: string, from: string, until: string) => ({
  ...{ participantId, startTime: `2027-03-28T${from}:00Z`, endTime: `2027-03-28T${until}:00Z` },
});

test.each([
  ['two people at the same time', [seat('mia', '09:00', '10:00'), seat('leo', '09:00', '10:00')], null],
  ['lessons one after the other', [seat('mia', '09:00', '10:00'), seat('mia', '10:00', '11:00')], null],
  ['a lesson within another', [seat('mia', '09:00', '12:00'), seat('mia', '10:00', '11:00')], [0, 1]],
  [
    'a third lesson that overlaps the first',
    [seat('mia', '09:30', '10:30'), seat('leo', '09:00', '10:00'), seat('mia', '09:00', '09:45')],
    [0, 2],
  ],
] as const)('checks for overlaps: %s [PART-10b]', (_, seats, expected) => {
  const found = findOverlap(seats);
  expect(found).toEqual(expected?.map((index) => seats[index]) ?? null);
});
