import { expect, test } from 'vitest';
import {
  type BookingStatus,
  bookingTransitions,
  refuseBook,
  refuseCancel,
  refuseMarkAttendance,
} from './rules.ts';

const startTime = '2027-03-28T08:00:00Z';
const start = Date.parse(startTime);
const hour = 3_600_000;
test('cancels only booked lessons that have not started [BOOK-2]', () => {
  const refusalAt = (status: BookingStatus, now: number) => refuseCancel({ status, startTime }, now)?.message;
  expect(refusalAt('booked', start - 1)).toBeUndefined();
  expect(refusalAt('booked', start)).toBe(
    'This lesson has already started, so it can no longer be cancelled.',
  );
  for (const status of ['cancelled', 'refunded'] as const) {
    expect(refusalAt(status, start - 1)).toBe('This booking is already cancelled.');
  }
  expect(refusalAt('pending', start - 1)).toMatch(/^This booking is still waiting for payment/);
  expect(refusalAt('released', start - 1)).toMatch(/^This booking was never paid/);
  expect(refusalAt('attended', start)).toMatch(/^This lesson is marked as attended/);
});

test('refuses to book unavailable lessons, lessons of inactive coaches and own lessons', () => {
  const slot = { status: 'scheduled', startTime, coachId: 'coach', isCoachActive: true };
  expect(refuseBook(slot, 'customer', start - 1)).toBeNull();
  expect(refuseBook(slot, 'customer', start)?.code).toBe('slot_unavailable');
  expect(refuseBook({ ...slot, status: 'cancelled' }, 'customer', start - 1)?.code).toBe('slot_unavailable');
  expect(refuseBook({ ...slot, status: 'completed' }, 'customer', start - 1)?.code).toBe('slot_unavailable');
  expect(refuseBook({ ...slot, isCoachActive: false }, 'customer', start - 1)?.code).toBe('slot_unavailable');
  expect(refuseBook(slot, 'coach', start - 1)?.code).toBe('conflict');
});

test('lets a refunded booking be cancelled or rebooked, a released one only rebooked', () => {
  expect(bookingTransitions.refunded).toEqual(['cancelled', 'booked']);
  expect(bookingTransitions.released).toEqual(['booked']);
});

test('allows attendance marks only for people with a seat, after the start [LES-4]', () => {
  const refusal = (status: BookingStatus, now: number) =>
    refuseMarkAttendance({ status, startTime }, now)?.message ?? null;
  expect(refusal('booked', start - 1)).toBe('You can record attendance once the lesson has started.');
  for (const status of ['booked', 'attended'] as const) expect(refusal(status, start)).toBeNull();
  for (const status of ['cancelled', 'refunded', 'pending', 'released'] as const) {
    expect(refusal(status, start + hour)).toMatch(/so you can't record attendance\.$/);
  }
});
