import { expect, test, vi } from 'vitest';
import { demoPageTitles, findPage, pageTitles, titleOf } from '#domain/pages.ts';

vi.stubGlobal('location', new URL('http://localhost/'));

const titles: Record<string, string> = { ...pageTitles, ...demoPageTitles };

test('has a browser route for every page that the server knows, and no others', async () => {
  const { router } = await import('./routes.tsx');
  expect(Object.keys(router.routesByPath).sort()).toEqual(Object.keys(titles).sort());
});

test('has a page at every URL in the specification [NAV-1a]', async () => {
  const { router } = await import('./routes.tsx');
  const specified = [
    ...['/', '/login', '/signup', '/dashboard', '/my-bookings', '/admin/panel'],
    ...['/coach', '/coach/calendar', '/coach/templates', '/coach/earnings', '/coach/business', '/coach/team'],
    ...['/coach/bank-details', '/coach/lesson/$slotId', '/coach/dashboard'],
    ...['/customer', '/customer/dashboard', '/customer/discover', '/customer/coaches'],
    ...['/customer/payment-methods', '/customer/my-bookings'],
  ];
  expect(Object.keys(router.routesByPath)).toEqual(expect.arrayContaining(specified));
  for (const pattern of specified) {
    const path = pattern.replace('$slotId', '6f9619ff-8b86-4d01-b42d-00cf4fc964ff');
    expect(findPage(path, { isDemo: false })?.pattern, path).toBe(pattern);
  }
});

test('finds the title of a page by its route pattern', () => {
  expect(titleOf('/coach/')).toBe('Calendar');
  expect(titleOf('/coach/lesson/$slotId')).toBe('Lesson');
  expect(titleOf('/dev/ui')).toBe('Components');
  expect(titleOf('/')).toBe('');
});
