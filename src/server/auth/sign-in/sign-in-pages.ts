import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { sessionStorageKey } from '#domain/auth/session-storage.ts';
import { AppError } from '#domain/errors.ts';
import { findPage } from '#domain/pages.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import type { Config } from '#server/platform/config.ts';
import type { AssertReadAllowed } from '#server/platform/http/address-limit.ts';
import type { Variables } from '#server/platform/http/http.ts';
import { nameProduct, titlePage } from '#server/platform/http/pages.ts';
import { type CachedBody, createCachedBody, sendCached } from '#server/platform/http/send-cached.ts';
import type { WebAssets } from '#server/platform/http/web-assets.ts';
import type { Log } from '#server/platform/log.ts';
import { packageRoot } from '#server/platform/package-root.ts';
import { fillAppPage, prepareAppPage } from '#server/platform/ssr/app-page.ts';
import { createPageCache } from '#server/platform/ssr/page-cache.ts';
import type { ReadSite } from '#server/settings/read-site.ts';
import type { SignInPage } from './render-sign-in.tsx';

const paths: SignInPage[] = ['/login', '/signup', '/forgot-password', '/reset-password'];

/**
 * Rendered pages, by their path and the page to go to afterwards. `ttlMs`: how long requests share a page, in
 * milliseconds. Rendering takes a few milliseconds.
 */
const cache = { ttlMs: 1_000, maxEntries: 100, maxAtOnce: 8 };

type Parts = {
  config: Config;
  log: Log;
  assets: WebAssets;
  readSite: ReadSite;
  assertReadAllowed: AssertReadAllowed;
};

/**
 * Serves the sign-in, sign-up and password pages with their forms already in the HTML, so that people can use the forms
 * while the app and the account client load. If a page cannot be rendered, the empty app page is served instead.
 */
export function serveSignInPages(
  app: Hono<{ Variables: Variables }>,
  { config, log, assets, readSite, assertReadAllowed }: Parts,
): void {
  const file = join(packageRoot, 'dist', 'web', 'index.html');
  if (config.isDevelopment || !existsSync(file)) return;
  const built = readFileSync(file, 'utf8');
  const pages = new Map(
    paths.map((path) => {
      const modules = [...(assets.screens[path] ?? []), ...assets.account];
      const page = prepareAppPage(built, { assets, modules, storageKey: sessionStorageKey });
      return [path, titlePage(page, findPage(path, config))];
    }),
  );

  const readPage = createPageCache({
    ...cache,
    render: async (address): Promise<CachedBody> => {
      const { brand, contactEmail, landingStats } = await readSite();
      const product = { brand, contactEmail, landingStats, isDemo: config.isDemo };
      const dehydrated = [{ key: [settingsApi.getProduct.operationId], data: product, at: Date.now() }];
      const [path, query = ''] = address.split(/(?=\?)/) as [SignInPage, string?];
      // Imported on the first request, because startup does not need this large part of the app.
      const { renderSignIn } = await import('./render-sign-in.tsx');
      const html = await renderSignIn(path, query, dehydrated);
      return createCachedBody(fillAppPage(nameProduct(pages.get(path)!, brand), { html, dehydrated }));
    },
  });
  for (const path of paths) {
    app.get(path, async (c, next) => {
      try {
        assertReadAllowed(c.get('ipAddress'));
        const { normaliseQuery } = await import('./render-sign-in.tsx');
        return await sendCached(c, await readPage(path + normaliseQuery(new URL(c.req.url).search)));
      } catch (error) {
        if (!(error instanceof AppError)) {
          log.warn({ requestId: c.get('requestId'), path, err: error }, 'page was not rendered');
        }
        await next();
        // The next visitor may get the rendered page.
        c.header('cache-control', 'no-store');
      }
    });
  }
}
