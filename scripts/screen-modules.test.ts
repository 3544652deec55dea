import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { demoPageTitles, pageTitles } from '#domain/pages.ts';
import { listScreenModules } from './screen-modules.ts';

const root = join(import.meta.dirname, '..');
const screens = listScreenModules(readFileSync(join(root, 'src/web/routes.tsx'), 'utf8'));

test("lists every page with the modules of its screen and its area's layout", () => {
  const redirects = ['/my-bookings', '/coach/dashboard', '/customer'];
  const pages = Object.keys({ ...pageTitles, ...demoPageTitles });
  expect(Object.keys(screens).sort()).toEqual(pages.sort());
  for (const pattern of pages.filter((page) => !redirects.includes(page))) {
    expect(screens[pattern]!.length, pattern).toBeGreaterThanOrEqual(
      /^\/c\w+\/(?!registers)/.test(pattern) ? 2 : 1,
    );
    for (const file of screens[pattern]!) expect(existsSync(join(root, 'src/web', file)), file).toBe(true);
  }
  expect(screens['/coach/lesson/$slotId']).toEqual([
    'app/layout/area-layout.tsx',
    'bookings/lesson/lesson-detail.tsx',
  ]);
});

test('throws for a route with an unknown parent', () => {
  const source = "createRoute({\n  getParentRoute: () => elsewhere,\n  path: '/page',\n});";
  expect(() => listScreenModules(source)).toThrow('the parent elsewhere of /page is not known');
});
