import { expect, test, vi } from 'vitest';
import { demoPageTitles, pageTitles } from '#domain/pages.ts';

vi.stubGlobal('location', new URL('http://localhost/'));

const titles: Record<string, string> = { ...pageTitles, ...demoPageTitles };

test('the browser has a route for exactly the pages that the server answers with 200 [NAV-1] [NAV-2]', async () => {
  const { router } = await import('./routes.tsx');
  const served = Object.keys(router.routesByPath).map((path) => path.replace(/\$(\w+)/g, ':$1'));
  expect(served.sort()).toEqual(Object.keys(titles).sort());
});

test('the server gives each page the title that its route has', async () => {
  const { router } = await import('./routes.tsx');
  for (const [path, route] of Object.entries(router.routesByPath)) {
    const { title = '' } =
      (route as { options: { staticData?: { title?: string } } }).options.staticData ?? {};
    expect(titles[path.replace(/\$(\w+)/g, ':$1')], path).toBe(title);
  }
});
