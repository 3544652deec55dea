import { expect, test } from 'vitest';
import { readNext } from './next-page.ts';

test('keeps our own page with its search', () => {
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
])('never leads to another site after signing in: %j', (value) => {
  expect(readNext(value)).toBeUndefined();
});
