import { expect, test } from 'vitest';
import { describeNotified } from './booked-people.ts';

test('promises emails and refunds only where the cancelled lesson had bookings and payments', () => {
  expect(describeNotified([])).toBe('');
  expect(describeNotified([{ amountCents: 0 }])).toBe('Anyone still booked gets an email.');
  expect(describeNotified([{ amountCents: 0 }, { amountCents: 2000 }])).toBe(
    'Anyone still booked gets an email, and every payment is refunded in full.',
  );
});
