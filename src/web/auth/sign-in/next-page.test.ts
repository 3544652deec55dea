import { expect, test } from 'vitest';
import { readNext } from './next-page.ts';

test('accepts a page on our own site and keeps its query string', () => {
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
])('rejects anything but a page on our own site: %j', (value) => {
  expect(readNext(value)).toBeUndefined();
});
