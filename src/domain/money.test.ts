import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatFileAmount, formatPounds, parsePounds, percentageOf } from './money.ts';

const cents = fc.integer({ min: 0, max: 100_000_000 });

it('formats cents as pounds with two decimals [UX-3]', () => {
  const shown = [0, 5, 50, 5000, 123_456_789, -4950].map(formatPounds);
  expect(shown).toEqual(['£0.00', '£0.05', '£0.50', '£50.00', '£1,234,567.89', '-£49.50']);
});

it('parses formatted pounds back into the same cents', () => {
  fc.assert(
    fc.property(cents, (amount) => {
      expect(parsePounds(formatPounds(amount))).toBe(amount);
    }),
  );
});

it('rounds typed pounds to cents [TPL-3]', () => {
  const typed = { '45': 4500, '45.5': 4550, '£45.50': 4550, ' 1,250.00 ': 125_000, '.5': 50, '0.005': 1 };
  for (const [text, amount] of Object.entries(typed)) expect(parsePounds(text)).toBe(amount);
  expect(parsePounds('19.994')).toBe(1999);
  expect(parsePounds('19.995')).toBe(2000);
});

it('formats amounts for files with two decimals and no separators', () => {
  const written = [1, 10, 12340, 123456789, 0, -5, -4950].map(formatFileAmount);
  expect(written).toEqual(['0.01', '0.10', '123.40', '1234567.89', '0.00', '-0.05', '-49.50']);
  fc.assert(
    fc.property(fc.integer(), (amount) => {
      expect(formatFileAmount(amount)).toMatch(/^-?\d+\.\d\d$/);
      expect(Math.round(Number(formatFileAmount(amount)) * 100)).toBe(amount);
    }),
  );
});

it('refuses text that is not an amount', () => {
  for (const text of ['', '£', '.', '-5', '1e3', '12 pounds', 'NaN', '9'.repeat(30)]) {
    expect(parsePounds(text)).toBeNull();
  }
});

it('rounds a percentage of an amount to the nearest cent', () => {
  fc.assert(
    fc.property(cents, fc.integer({ min: 0, max: 1000 }), (amount, tenths) => {
      const part = percentageOf(amount, tenths / 10);
      expect(Number.isInteger(part)).toBe(true);
      expect(part).toBeGreaterThanOrEqual(0);
      expect(part).toBeLessThanOrEqual(amount);
      expect(Math.abs(part - (amount * tenths) / 1000)).toBeLessThanOrEqual(0.5);
    }),
  );
  expect(percentageOf(5000, 2)).toBe(100);
  expect(percentageOf(1025, 2)).toBe(21);
});
