import { expect, test } from 'vitest';
import { describeAttendee } from './attendee-status.ts';

test.each([
  ['booked', null, 'booked', 'Booked'],
  ['booked', false, 'absent', 'Absent'],
  ['attended', true, 'attended', 'Completed'],
  ['cancelled', false, 'cancelled', 'Cancelled'],
  ['refunded', null, 'refunded', 'Refunded'],
  ['pending', null, 'pending', 'Payment under way'],
  ['released', null, 'released', 'Not paid'],
] as const)('shows the status %s with attendance %s as %s', (status, attended, shown, label) => {
  expect(describeAttendee({ status, attended })).toEqual({ status: shown, label });
});
