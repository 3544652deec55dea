import { expect, test, vi } from 'vitest';
import { demoPagePaths, pagePaths } from '#domain/pages.ts';

test('[NAV-1] [NAV-2] the browser has a route for exactly the pages that the server answers with 200', async () => {
  vi.stubGlobal('location', new URL('http://localhost/'));
  const { router } = await import('./routes.tsx');
  const served = Object.keys(router.routesByPath).map((path) => path.replace(/\$(\w+)/g, ':$1'));
  expect(served.sort()).toEqual([...pagePaths, ...demoPagePaths].sort());
});
