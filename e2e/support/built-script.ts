import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { packageRoot } from '#server/platform/package-root.ts';

/** A `page.route` pattern for the script built from a module, such as `src/web/auth/sign-in/login.tsx`. */
export function builtScript(module: string): string {
  const manifest = JSON.parse(readFileSync(`${packageRoot}/dist/web/.vite/manifest.json`, 'utf8')) as Record<
    string,
    { file: string }
  >;
  const entry = manifest[module];
  if (!entry) throw new Error(`${module} has no script of its own`);
  return `**/${entry.file}`;
}

/** Makes the first request for each of these parts of src/web fail, if the browser would then request it again. */
export async function failFirstLoad(page: Page, parts: string[]): Promise<void> {
  if (!(await retriesModules(page))) return;
  for (const part of parts) {
    await page.route(builtScript(`src/web/${part}.tsx`), (route) => route.abort(), { times: 1 });
  }
}

/**
 * Whether the browser requests a module again after a failed request, as browsers have done since summer 2026. The page
 * must show something from the product's server.
 */
async function retriesModules(page: Page): Promise<boolean> {
  const url = '/module-of-this-test.js';
  await page.route(`**${url}`, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
  await page.route(`**${url}`, (route) => route.abort(), { times: 1 });
  return page.evaluate(`import('${url}').catch(() => import('${url}')).then(() => true, () => false)`);
}
