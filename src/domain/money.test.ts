import fc from 'fast-check';
import { expect, it } from 'vitest';
import { formatPounds, parsePounds, percentageOf } from './money.ts';

const cents = fc.integer({ min: 0, max: 100_000_000 });

it('Pounds read back as the cents they were written from', () => {
  fc.assert(
    fc.property(cents, (amount) => {
      expect(parsePounds(formatPounds(amount))).toBe(amount);
    }),
  );
});

it('[TPL-3] Typed pounds become rounded cents', () => {
  const typed = { '45': 4500, '45.5': 4550, '£45.50': 4550, ' 1,250.00 ': 125_000, '.5': 50, '0.005': 1 };
  for (const [text, amount] of Object.entries(typed)) expect(parsePounds(text)).toBe(amount);
  expect(parsePounds('19.994')).toBe(1999);
  expect(parsePounds('19.995')).toBe(2000);
});

it('What is not an amount of money is not guessed at', () => {
  for (const text of ['', '£', '.', '-5', '1e3', '12 pounds', 'NaN', '9'.repeat(30)]) {
    expect(parsePounds(text)).toBeNull();
  }
});

it('A percentage and what is left add up, and neither is negative', () => {
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
