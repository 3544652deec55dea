import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { sessionStorageKey } from '#domain/auth/session-storage.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import { AppError } from '#domain/errors.ts';
import { pageTitles } from '#domain/pages.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { AssertReadAllowed } from '#server/platform/http/address-limit.ts';
import type { Variables } from '#server/platform/http/http.ts';
import { nameProduct } from '#server/platform/http/pages.ts';
import { type CachedBody, createCachedBody, sendCached } from '#server/platform/http/send-cached.ts';
import type { WebAssets } from '#server/platform/http/web-assets.ts';
import type { Log } from '#server/platform/log.ts';
import { packageRoot } from '#server/platform/package-root.ts';
import { fillAppPage, prepareAppPage } from '#server/platform/ssr/app-page.ts';
import { createPageCache } from '#server/platform/ssr/page-cache.ts';
import type { ReadSite } from '#server/settings/read-site.ts';
import { createRatedDiscover } from './rated-slots.ts';

const folder = join(packageRoot, 'dist', 'web');
const address = '/customer/discover';

/** How long requests with the same filters share a rendered page, in milliseconds. */
const ttlMs = 1_000;
/** The maximum number of cached pages. A page takes about 50 kB, and its compressed forms take as much again. */
const maxEntries = 100;
/** The maximum number of concurrent renders. Each takes 20 to 40 ms of the thread that also handles bookings. */
const maxAtOnce = 2;

type Parts = {
  config: Config;
  readDb: Database;
  log: Log;
  assets: WebAssets;
  readSite: ReadSite;
  assertReadAllowed: AssertReadAllowed;
};

/**
 * Serves discover with its first lessons in the page, readable before hydration and without JavaScript. If the page
 * cannot be rendered, the renderer is busy or an IP address sends too many requests, the empty app page is served
 * instead. The app then fetches the lessons or shows the error.
 */
export function serveDiscoverPage(
  app: Hono<{ Variables: Variables }>,
  { config, readDb, log, assets, readSite, assertReadAllowed }: Parts,
): void {
  const path = join(folder, 'index.html');
  if (config.isDevelopment || !existsSync(path)) return;
  const modules = assets.screens[address] ?? [];
  const page = prepareAppPage(readFileSync(path, 'utf8'), {
    assets,
    modules,
    storageKey: sessionStorageKey,
  }).replace('</head>', () => `<link rel="canonical" href="${config.publicUrl}${address}"></head>`);
  const discover = createRatedDiscover(readDb);

  async function render(query: string): Promise<CachedBody> {
    const { brand, contactEmail, landingStats } = await readSite();
    // Imported on the first request, because startup does not need this large part of the app.
    const { renderDiscover } = await import('./render-discover.tsx');
    const rendered = await renderDiscover(query, {
      product: { brand, contactEmail, isDemo: config.isDemo, landingStats },
      discover: (filters) => discover(discoverApi.discoverSlots.input.parse(filters)),
    });
    const titled = nameProduct(page, brand).replace('<title>', () => `<title>${pageTitles[address]} · `);
    return createCachedBody(fillAppPage(titled, rendered));
  }

  const readPage = createPageCache({ ttlMs, maxEntries, maxAtOnce, render });
  app.get(address, async (c, next) => {
    const { search } = new URL(c.req.url);
    try {
      assertReadAllowed(c.get('ipAddress'));
      const { normaliseQuery } = await import('./render-discover.tsx');
      return sendCached(c, await readPage(normaliseQuery(search)));
    } catch (error) {
      if (!(error instanceof AppError)) {
        log.warn({ requestId: c.get('requestId'), err: error }, 'discover was not rendered');
      }
      await next();
      // Not cached, because the next request may get the rendered page.
      c.header('cache-control', 'no-store');
    }
  });
}
