import { expect, test } from 'vitest';
import type { Booking } from '#domain/bookings/contract.ts';
import { describePolicy, describeRefund, describeRefundState } from './policy-text.ts';

const startTime = '2027-03-28T08:00:00Z';
const hoursBefore = (hours: number) => Date.parse(startTime) - hours * 3_600_000;
const policy = { freeUntilHours: 24, lateRefundPercent: 0, refundsEnabled: true };
const booking = {
  ...policy,
  ...{ startTime, status: 'booked', amountCents: 5000, card: { brand: 'visa', lastFour: '4242' } },
  ...{ movedFrom: null, relocatedFrom: null, changedTo: null, refund: null },
} as Booking;
const switchedOff = { ...booking, refundsEnabled: false };
const comingSoon = 'Refund processing is coming soon.';

test('says that refunds are coming soon only where they are switched off [BOOK-3c]', () => {
  expect(describeRefund(switchedOff, hoursBefore(72))).toEqual({ text: comingSoon, refundCents: 0 });
  expect(describePolicy({ ...policy, refundsEnabled: false }, startTime, 5000, hoursBefore(72))).toBe(
    comingSoon,
  );
  for (const hours of [72, 8]) {
    for (const lateRefundPercent of [0, 50]) {
      const terms = { ...booking, lateRefundPercent };
      expect(describeRefund(terms, hoursBefore(hours)).text).not.toMatch(/coming soon/i);
      expect(
        describePolicy({ ...policy, lateRefundPercent }, startTime, 5000, hoursBefore(hours)),
      ).not.toMatch(/coming soon/i);
    }
  }
});

test('states the refund to the penny [BOOK-3a]', () => {
  const textOf = (terms: Partial<Booking>, hours: number) =>
    describeRefund({ ...booking, ...terms }, hoursBefore(hours)).text;
  expect(textOf({}, 72)).toBe("You'll be refunded £50.00 to Visa ending 4242 in 5 to 10 days.");
  expect(textOf({ amountCents: 4999, lateRefundPercent: 33 }, 8)).toBe(
    "You'll be refunded £16.50 to Visa ending 4242 in 5 to 10 days.",
  );
  expect(textOf({}, 8)).toBe('The lesson starts in less than 24 hours, so £50.00 will not be refunded.');
});

test('says "Not refunded" of a cancelled booking for which nothing came back [BOOK-1d]', () => {
  expect(describeRefundState({ ...booking, status: 'cancelled' })).toBe('Not refunded');
  expect(describeRefundState(booking)).toBeNull();
});
