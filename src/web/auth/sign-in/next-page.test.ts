import { expect, test } from 'vitest';
import { readNext } from './next-page.ts';

test('a page of ours is kept with its search', () => {
  expect(readNext('/customer/discover?sport=tennis')).toBe('/customer/discover?sport=tennis');
});

test.each([
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '',
  7,
  undefined,
])('nobody is sent elsewhere after signing in: %j', (value) => {
  expect(readNext(value)).toBeUndefined();
});
