import { expect, test } from 'vitest';
import { describeExpiryWarning, formatExpiry, lastDayOf, monthsExpiringSoon } from './card-expiry.ts';

const at = (day: string) => Date.parse(`${day}T12:00:00Z`);

test('counts a card as valid to the end of its expiry month', () => {
  expect(lastDayOf({ expMonth: 2, expYear: 2028 })).toBe('2028-02-29');
  expect(lastDayOf({ expMonth: 12, expYear: 2027 })).toBe('2027-12-31');
  expect(lastDayOf({ expMonth: null, expYear: null })).toBeNull();
  expect(formatExpiry({ expMonth: 8, expYear: 2028 })).toBe('08/28');
});

test("warns from 30 days before a card's last day onwards", () => {
  const card = { expMonth: 11, expYear: 2027 };
  expect(describeExpiryWarning(card, at('2027-10-30'))).toBeNull();
  expect(describeExpiryWarning(card, at('2027-10-31'))).toBe(
    'This card expires on Tue 30 Nov. Replace it by then to keep booking.',
  );
  expect(describeExpiryWarning(card, at('2027-11-30'))).toMatch(/^This card expires on /);
  expect(describeExpiryWarning(card, at('2027-12-01'))).toBe(
    'This card expired on Tue 30 Nov. Replace it to book lessons.',
  );
});

test('lists every month that ends within 30 days, two of them in late January', () => {
  const monthsOn = (date: string) =>
    monthsExpiringSoon(date).map(({ expMonth, expYear }) => `${expMonth}/${expYear}`);
  expect(monthsOn('2027-01-30')).toEqual(['1/2027', '2/2027']);
  expect(monthsOn('2027-01-29')).toEqual(['1/2027', '2/2027']);
  expect(monthsOn('2027-01-28')).toEqual(['1/2027']);
  expect(monthsOn('2028-01-31')).toEqual(['1/2028', '2/2028']);
  expect(monthsOn('2027-12-31')).toEqual(['12/2027']);
  expect(monthsOn('2027-11-01')).toEqual(['11/2027']);
  expect(monthsOn('2027-10-01')).toEqual(['10/2027']);
});
