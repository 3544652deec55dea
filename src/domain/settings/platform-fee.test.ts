import { expect, test } from 'vitest';
import { feeOfPrice, percentInForce } from './platform-fee.ts';

test.each([
  [{ enabled: true, percent: 2 }, 2, 60],
  [{ enabled: true, percent: 2.5 }, 2.5, 75],
  [{ enabled: false, percent: 10 }, 0, 0],
])('takes the fee %o from a price only while it is switched on', (fee, percent, cents) => {
  expect(percentInForce(fee)).toBe(percent);
  expect(feeOfPrice(3000, fee)).toBe(cents);
});
