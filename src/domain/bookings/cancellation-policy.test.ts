import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  describePolicy,
  describeRefund,
  describeSoldPolicy,
  feeOfRefund,
  refundForCancelling,
  termsOfSlot,
} from './cancellation-policy.ts';

const startTime = '2027-03-28T08:00:00Z';
const start = Date.parse(startTime);
const hour = 3_600_000;
const policy = termsOfSlot(
  { startTime, priceCents: 4999 },
  { freeUntilHours: 24, lateRefundPercent: 33, refundsEnabled: true },
);

const noRefunds = 'Nothing is refunded. Refund processing is coming soon.';

test('refunds the full price until the deadline and the late percentage after it [BOOK-3a]', () => {
  expect(refundForCancelling(policy, start - 24 * hour)).toBe(4999);
  expect(refundForCancelling(policy, start - 24 * hour + 1)).toBe(1650);
  expect(refundForCancelling({ ...policy, refundsEnabled: false }, start - 100 * hour)).toBe(0);
});

test('never refunds more than was paid, or more of the fee than was charged [BOOK-3a]', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 1_000_000 }),
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: 0, max: 100 }),
      fc.integer({ min: -200, max: 200 }),
      (amountCents, feePercent, lateRefundPercent, hours) => {
        const feeCents = Math.floor((amountCents * feePercent) / 100);
        const refund = refundForCancelling(
          { ...policy, amountCents, lateRefundPercent },
          start - hours * hour,
        );
        expect(refund).toBeGreaterThanOrEqual(0);
        expect(refund).toBeLessThanOrEqual(amountCents);
        const fee = feeOfRefund({ amountCents, feeCents }, refund);
        expect(fee).toBeGreaterThanOrEqual(0);
        expect(fee).toBeLessThanOrEqual(feeCents);
        if (refund === amountCents) expect(fee).toBe(feeCents);
      },
    ),
  );
});

test('refunds at most what is left after earlier refunds of the booking', () => {
  const early = start - 100 * hour;
  const after = (amountCents: number) => ({ ...policy, card: null, refund: { amountCents } });
  expect(refundForCancelling(after(1000), early)).toBe(3999);
  expect(refundForCancelling(after(1000), start - hour)).toBe(1650);
  expect(refundForCancelling(after(4000), start - hour)).toBe(999);
  expect(describeRefund(after(4999), early)).toEqual({
    text: 'This booking has already been refunded in full.',
    refundCents: 0,
  });
});

test('returns the whole fee across partial refunds that add up to the price', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 20_000 }),
      fc.integer({ min: 0, max: 100 }),
      fc.array(fc.integer({ min: 1, max: 5_000 }), { maxLength: 8 }),
      (rest, feePercent, parts) => {
        const amountCents = parts.reduce((sum, cents) => sum + cents, rest);
        const feeCents = Math.round((amountCents * feePercent) / 100);
        const before = { cents: 0, feeCents: 0 };
        for (const cents of [...parts, rest]) {
          const fee = feeOfRefund({ amountCents, feeCents }, cents, before);
          expect(fee).toBeGreaterThanOrEqual(0);
          expect(fee).toBeLessThanOrEqual(cents);
          before.cents += cents;
          before.feeCents += fee;
        }
        expect(before.feeCents).toBe(feeCents);
      },
    ),
  );
});

test('states the cancellation terms that apply at a given time [BOOK-3a]', () => {
  const terms = (freeUntilHours: number, lateRefundPercent: number, hoursAhead: number, more = {}) =>
    describePolicy({ ...policy, freeUntilHours, lateRefundPercent, ...more }, start - hoursAhead * hour);
  expect(terms(24, 0, 72)).toBe(
    'Cancel by Sat 27 Mar, 08:00 for a full refund of £49.99. After that, nothing is refunded.',
  );
  expect(terms(1, 50, 72)).toBe(
    'Cancel by Sun 28 Mar, 08:00 for a full refund of £49.99. After that, 50% of the price is refunded.',
  );
  expect(terms(24, 0, 8)).toBe(
    'This lesson starts in less than 24 hours, so nothing is refunded if you cancel.',
  );
  expect(terms(24, 30, 8)).toBe(
    'This lesson starts in less than 24 hours, so 30% of the price is refunded if you cancel.',
  );
  expect(terms(0, 0, 8)).toBe('You can cancel for a full refund until the lesson starts.');
  expect(terms(48, 100, 8)).toBe('You can cancel for a full refund until the lesson starts.');
  expect(terms(24, 0, 72, { refundsEnabled: false })).toBe(
    `You can cancel until the lesson starts. ${noRefunds}`,
  );
  expect(terms(24, 0, 8, { amountCents: 0 })).toBe('You can cancel until the lesson starts.');
});

test('describes the terms of a sale in one sentence', () => {
  const sold = (freeUntilHours: number, lateRefundPercent: number, refundsEnabled = true) =>
    describeSoldPolicy({ freeUntilHours, lateRefundPercent, refundsEnabled });
  expect(sold(24, 0)).toBe(
    'A booking can be cancelled for a full refund until 24 hours before the lesson; after that, nothing is refunded.',
  );
  expect(sold(1, 50)).toBe(
    'A booking can be cancelled for a full refund until 1 hour before the lesson; after that, 50% of the price is refunded.',
  );
  expect(sold(0, 0)).toBe('A booking can be cancelled for a full refund until the lesson starts.');
  expect(sold(24, 0, false)).toBe('Cancelled bookings are not refunded.');
});

test('refunds in full until the start if the coach moved the lesson [BOOK-3c, SLOT-9]', () => {
  const moved = { ...policy, movedFrom: { startTime, endTime: startTime } };
  expect(refundForCancelling(moved, start - 1)).toBe(4999);
  expect(refundForCancelling({ ...moved, refundsEnabled: false }, start - 1)).toBe(4999);
  for (const refundsEnabled of [true, false]) {
    expect(describePolicy({ ...moved, refundsEnabled }, start)).toMatch(
      /^The coach has moved this lesson .* for a full refund until it starts\.$/,
    );
  }
});

test('refunds in full until the start if the coach changed the location [BOOK-3c]', () => {
  const relocated = { ...policy, refundsEnabled: false, relocatedFrom: { location: null } };
  expect(refundForCancelling(relocated, start - 1)).toBe(4999);
  expect(describePolicy(relocated, start)).toBe(
    'The coach has changed the location of this lesson since you booked it, so you can cancel for a full refund until it starts.',
  );
});

test('refunds in full until the start if the coach changed the lesson [BOOK-3c]', () => {
  const changed = { ...policy, refundsEnabled: false, changedTo: { title: 'Knitting' } };
  expect(refundForCancelling(changed, start - 1)).toBe(4999);
  expect(describePolicy(changed, start - 1)).toBe(
    'The coach has changed this lesson since you booked it, so you can cancel for a full refund until it starts.',
  );
});

const booking = {
  ...policy,
  amountCents: 5000,
  lateRefundPercent: 0,
  card: { brand: 'visa', lastFour: '4242' },
};
const refundAt = (hours: number, terms: Partial<typeof booking> = {}) =>
  describeRefund({ ...booking, ...terms }, start - hours * hour);

test('says that refunds are coming soon only if they are switched off [BOOK-3c]', () => {
  expect(refundAt(72, { refundsEnabled: false })).toEqual({ text: noRefunds, refundCents: 0 });
  const changes: [string, Partial<typeof booking>][] = [
    ['moved this lesson', { movedFrom: {} }],
    ['changed the location of this lesson', { relocatedFrom: {} }],
    ['changed this lesson', { changedTo: {} }],
  ];
  for (const [change, terms] of changes) {
    expect(refundAt(8, { ...terms, refundsEnabled: false })).toEqual({
      text: `The coach has ${change}, so you'll be refunded in full: £50.00 to Visa ending 4242 in 5 to 10 days.`,
      refundCents: 5000,
    });
  }
  for (const hours of [72, 8]) {
    for (const lateRefundPercent of [0, 50]) {
      expect(refundAt(hours, { lateRefundPercent }).text).not.toMatch(/coming soon/i);
      const terms = { ...policy, lateRefundPercent };
      expect(describePolicy(terms, start - hours * hour)).not.toMatch(/coming soon/i);
    }
  }
});

test('states the refund to the penny [BOOK-3a]', () => {
  expect(refundAt(72).text).toBe("You'll be refunded £50.00 to Visa ending 4242 in 5 to 10 days.");
  expect(refundAt(8, { amountCents: 4999, lateRefundPercent: 33 }).text).toBe(
    "You'll be refunded £16.50 to Visa ending 4242 in 5 to 10 days.",
  );
  expect(refundAt(8).text).toBe("This lesson starts in less than 24 hours, so £50.00 won't be refunded.");
});
