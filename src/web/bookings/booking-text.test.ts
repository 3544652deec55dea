import { expect, test } from 'vitest';
import type { Booking } from '#domain/bookings/contract.ts';
import { describeRefundState } from './booking-text.ts';

test('labels a cancelled booking without a refund "Not refunded" [BOOK-1d]', () => {
  const booking = { status: 'booked', card: { brand: 'visa', lastFour: '4242' }, refund: null } as Booking;
  expect(describeRefundState({ ...booking, status: 'cancelled' })).toBe('Not refunded');
  expect(describeRefundState(booking)).toBeNull();
});
