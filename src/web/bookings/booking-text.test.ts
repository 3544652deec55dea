import { expect, test } from 'vitest';
import type { Booking } from '#domain/bookings/contract.ts';
import { describeRefundState } from './booking-text.ts';

test('states the refund, or "Not refunded" for a paid booking that was cancelled [BOOK-1d]', () => {
  const booking = { status: 'booked', card: { brand: 'visa', lastFour: '4242' }, refund: null } as Booking;
  expect(describeRefundState({ ...booking, status: 'cancelled' })).toBe('Not refunded');
  expect(describeRefundState(booking)).toBeNull();
  const refund = { amountCents: 1650, status: 'succeeded' } as const;
  expect(describeRefundState({ ...booking, status: 'refunded', refund })).toBe(
    '£16.50 refunded to Visa ending 4242.',
  );
  // A booking without a card was free, so there is nothing to refund.
  expect(describeRefundState({ ...booking, status: 'cancelled', card: null })).toBeNull();
});
