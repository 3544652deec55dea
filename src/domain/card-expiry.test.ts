import { expect, test } from 'vitest';
import { describeExpiryWarning, formatExpiry, lastDayOf } from './card-expiry.ts';

const at = (day: string) => Date.parse(`${day}T12:00:00Z`);

test('counts a card as valid until the last day of its month', () => {
  expect(lastDayOf({ expMonth: 2, expYear: 2028 })).toBe('2028-02-29');
  expect(lastDayOf({ expMonth: 12, expYear: 2027 })).toBe('2027-12-31');
  expect(lastDayOf({ expMonth: null, expYear: null })).toBeNull();
  expect(formatExpiry({ expMonth: 8, expYear: 2028 })).toBe('08/28');
});

test("warns from 30 days before a card's last day onwards", () => {
  const card = { expMonth: 11, expYear: 2027 };
  expect(describeExpiryWarning(card, at('2027-10-30'))).toBeNull();
  expect(describeExpiryWarning(card, at('2027-10-31'))).toBe(
    'This card expires on Tue 30 Nov. Replace it before then to keep booking.',
  );
  expect(describeExpiryWarning(card, at('2027-11-30'))).toMatch(/^This card expires on /);
  expect(describeExpiryWarning(card, at('2027-12-01'))).toBe(
    'This card expired on Tue 30 Nov. Replace it to book lessons.',
  );
});
