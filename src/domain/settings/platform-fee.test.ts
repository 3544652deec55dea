import { expect, test } from 'vitest';
import { describeFee, feeOfPrice, isSameFee } from './platform-fee.ts';

const feeOf = (percent: number, enabled = true) => ({ mode: 'percentage' as const, percent, enabled });

test.each([
  [feeOf(2), 60, '2%'],
  [feeOf(2.5), 75, '2.5%'],
  [feeOf(0), 0, 'no fee'],
  [feeOf(10, false), 0, 'no fee'],
])('charges and describes the fee %o only while it is switched on [ADM-6a]', (fee, cents, name) => {
  expect([feeOfPrice(3000, fee), describeFee(fee)]).toEqual([cents, name]);
});

test('treats fees as the same if they take the same share of every price', () => {
  expect(isSameFee(feeOf(10, false), feeOf(2, false))).toBe(true);
  expect(isSameFee(feeOf(10, false), feeOf(0))).toBe(true);
  expect(isSameFee(feeOf(2, false), feeOf(2))).toBe(false);
  expect(isSameFee(feeOf(2), feeOf(2.1))).toBe(false);
});
