import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { defaultBrand } from '#domain/default-brand.ts';
import { findPage, isOpenPage, isPublicPage, missingPageTitle } from '#domain/pages.ts';
import { packageRoot } from '../package-root.ts';
import { type DehydratedQuery, writeDehydrated } from '../ssr/app-page.ts';
import type { Variables } from './http.ts';
import type { WebAssets } from './web-assets.ts';

type PagesParts = {
  isDemo: boolean;
  /** What every page carries: the brand, and responses that the app would otherwise request. */
  readPageData: () => Promise<{ brand: string; dehydrated: DehydratedQuery[] }>;
  /** Renders what the page shows until the app has loaded. */
  renderFrame: (brand: string) => string;
  assets: Pick<WebAssets, 'early' | 'screens' | 'account'>;
  /** Where the browser keeps the session. */
  storageKey: string;
  root?: string;
};

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Writes the operator's product name into the app's page. */
export function nameProduct(page: string, brand: string): string {
  const name = brand.replace(/[&<>"]/g, (sign) => escapes[sign]!);
  return page.replaceAll('{brand}', () => name);
}

const fileHeaders = ['content-type', 'content-encoding', 'content-length', 'last-modified', 'vary'];

/**
 * Serves hashed files from memory after the first request, per encoding. The files never change and total a few
 * megabytes. The library would read a file and its encodings for every request.
 */
function keepInMemory(serveFile: MiddlewareHandler) {
  const kept = new Map<string, { body: ArrayBuffer; headers: Record<string, string> }>();
  return async (c: Context) => {
    // Reads the header as the library does, so that clients get a cached response only if the library would send the
    // same one.
    const accepted = c.req
      .header('accept-encoding')
      ?.split(',')
      .map((encoding) => encoding.trim());
    const key = [c.req.path, ...['br', 'gzip'].filter((encoding) => accepted?.includes(encoding))].join(' ');
    const known = kept.get(key);
    if (known) return c.body(known.body, 200, known.headers);
    const found = await serveFile(c, async () => {});
    if (found?.status !== 200 || c.req.method !== 'GET') return found;
    const body = await found.arrayBuffer();
    const headers: Record<string, string> = {};
    for (const name of fileHeaders) {
      const value = found.headers.get(name);
      if (value) headers[name] = value;
    }
    kept.set(key, { body, headers });
    return c.body(body, 200, headers);
  };
}

/** Adds the page's title to the shell, and excludes private and missing pages from search engines. */
export function titlePage(shell: string, found: ReturnType<typeof findPage>): string {
  const title = found ? found.title : missingPageTitle;
  const titled = title ? shell.replace('<title>', () => `<title>${title} · `) : shell;
  if (found && isPublicPage(found.pattern)) return titled;
  return titled.replace('<title>', () => '<meta name="robots" content="noindex" /><title>');
}

/**
 * Has the browser load the scripts of the page's screen together with the app's. The scripts of a page for signed-in
 * people load only if there is a session (`early.js`), because other visitors have no access to that page.
 */
function preloadScreen(
  page: string,
  found: ReturnType<typeof findPage>,
  { assets: { early, screens, account }, storageKey }: Pick<PagesParts, 'assets' | 'storageKey'>,
): string {
  const modules = (found && screens[found.pattern]) ?? [];
  const isOpen = found !== null && isOpenPage(found.pattern);
  const data = `data-session="${storageKey}" data-modules="${[...account, ...(isOpen ? [] : modules)].join(' ')}"`;
  const links = (isOpen ? modules : []).map(
    (href) => `<link rel="modulepreload" crossorigin href="${href}">`,
  );
  return page
    .replace(`<script src="${early.src}">`, () =>
      early.text === null ? `<script src="${early.src}" ${data}>` : `<script ${data}>${early.text}`,
    )
    .replace('</head>', () => `${links.join('')}</head>`);
}

/**
 * Serves the built web app: hashed assets that clients may cache for a year, the page for every URL of the product, and
 * the same page with HTTP 404 for any other URL, so that people get a readable page and machines the right status. The
 * page carries the brand and the data from `readPageData`, or the default brand alone if that read fails. The app then
 * reports the outage.
 */
export function servePages(
  app: Hono<{ Variables: Variables }>,
  { isDemo, readPageData, renderFrame, root = join(packageRoot, 'dist', 'web'), ...preloads }: PagesParts,
): void {
  if (!existsSync(join(root, 'index.html'))) return;
  const page = readFile(join(root, 'index.html'), 'utf8');
  const files = serveStatic({ root, precompressed: true });
  const hashedFiles = keepInMemory(files);
  app.get('*', async (c, next) => {
    if (/\.\w+$/.test(c.req.path)) {
      const isHashed = c.req.path.startsWith('/assets/');
      const isWhole = !c.req.header('range');
      const found = await (isHashed && isWhole ? hashedFiles(c) : files(c, async () => {}));
      if (found) {
        found.headers.set('cache-control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache');
        return found;
      }
      if (isHashed) return next();
    }
    c.header('cache-control', 'no-cache');
    const { brand, dehydrated } = await readPageData().catch(() => ({ brand: defaultBrand, dehydrated: [] }));
    const found = findPage(c.req.path, { isDemo });
    const named = nameProduct(titlePage(preloadScreen(await page, found, preloads), found), brand);
    const html = named.replace(
      '<div id="root"></div>',
      () => `<div id="root">${renderFrame(brand)}</div>${writeDehydrated(dehydrated)}`,
    );
    return c.html(html, found ? 200 : 404);
  });
}
