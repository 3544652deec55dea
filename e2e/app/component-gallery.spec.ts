import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, expectNoViolations, test } from '../support/fixtures.ts';

const gallery = 'src/web/dev';
const components = 'src/web/ui';

/** The modules of web/ui that a module imports, statically or dynamically. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/(?:from |import\()'(#web\/ui\/|\.\.?\/)([^']+)'/g)]
    .map(([, start, rest]) =>
      start === '#web/ui/' ? join(components, rest!) : join(dirname(file), start!, rest!),
    )
    .filter((path) => path.startsWith(`${components}/`));
}

test('has no serious axe violations in any component, in both themes at two widths', async ({
  page,
}, testInfo) => {
  const seen = new Set<string>();
  const open = [
    ...readdirSync(gallery).flatMap((name) => importsOf(join(gallery, name))),
    // The frame of the gallery's page shows these.
    ...importsOf('src/web/app/layout/later-parts.tsx'),
  ];
  for (let file = open.pop(); file; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    open.push(...importsOf(file));
  }
  const modules = readdirSync(components, { recursive: true, encoding: 'utf8' })
    .map((path) => join(components, path))
    .filter((path) => path.endsWith('.tsx') && !path.endsWith('.test.tsx'));
  expect(modules.filter((path) => !seen.has(path))).toEqual([]);

  await page.goto('/dev/ui');
  await expect(page.getByRole('heading', { level: 1, name: 'Components' })).toBeVisible();
  for (const colorScheme of ['light', 'dark'] as const) {
    for (const width of [390, 1280]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await page.evaluate(async () => void (await document.fonts.ready));
      const path = testInfo.outputPath(`components-${width}-${colorScheme}.png`);
      await page.screenshot({ path, fullPage: true });
      await testInfo.attach(`components-${width}-${colorScheme}`, { path, contentType: 'image/png' });
      await expectNoViolations(page);
    }
  }
});
