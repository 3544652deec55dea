import { expect, test } from 'vitest';
import { describeAges } from './age-text.ts';

test.each([
  [8, 12, '8 to 12'],
  [8, 8, '8'],
  [18, null, '18 and over'],
  [null, 6, '6 and under'],
  [null, null, null],
])('describes an age range from %s to %s', (minAge, maxAge, expected) => {
  expect(describeAges({ minAge, maxAge })).toBe(expected);
});
