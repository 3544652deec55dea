import { expect, test } from 'vitest';
import { divideLoss, lossOf, refuseDivision } from './disputes.ts';

const parts = [
  { bookingId: 'a', leftCents: 5000 },
  { bookingId: 'b', leftCents: 3000 },
];

test('divides a loss among bookings only if there is just one way to divide it', () => {
  expect(divideLoss(8000, parts)).toEqual(
    new Map([
      ['a', 5000],
      ['b', 3000],
    ]),
  );
  expect(divideLoss(9000, parts), 'more than is left').toEqual(
    new Map([
      ['a', 5000],
      ['b', 3000],
    ]),
  );
  expect(divideLoss(4000, parts), 'which lesson?').toBeNull();
  expect(divideLoss(4000, [parts[0]!, { bookingId: 'b', leftCents: 0 }])).toEqual(new Map([['a', 4000]]));
  expect(lossOf(9000, parts)).toBe(8000);
  expect(divideLoss(9000, [{ bookingId: 'a', leftCents: 0 }])).toEqual(new Map());
});

test('refuses parts that do not add up or exceed what is left', () => {
  expect(refuseDivision(4000, parts, new Map([['a', 4000]]))).toBeNull();
  expect(refuseDivision(4000, parts, new Map([['a', 3000]]))?.message).toBe(
    'The parts must add up to £40.00.',
  );
  expect(refuseDivision(4000, parts, new Map([['b', 4000]]))?.message).toContain('At most £30.00');
  expect(refuseDivision(4000, parts, new Map([['c', 4000]]))?.message).toContain('not part of');
});
