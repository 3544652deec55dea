import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serveStatic } from '@hono/node-server/serve-static';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { defaultBrand } from '#domain/default-brand.ts';
import { findPage, isPublicPage, missingPageTitle } from '#domain/pages.ts';
import { packageRoot } from '../package-root.ts';
import type { Variables } from './http.ts';

type PagesParts = { isDemo: boolean; readBrand: () => Promise<string>; root?: string };

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

/** Adds the page's title to the shell, and excludes private pages from search engines. */
function titlePage(shell: string, found: ReturnType<typeof findPage>): string {
  const title = found ? found.title : missingPageTitle;
  const titled = title ? shell.replace('<title>', () => `<title>${title} · `) : shell;
  if (found && isPublicPage(found.pattern)) return titled;
  return titled.replace('<title>', () => '<meta name="robots" content="noindex" /><title>');
}

/**
 * Serves the built web app: hashed assets that clients may cache for a year, the page for every URL of the product, and
 * the same page with HTTP 404 for any other URL, so that people get a readable page and machines the right status. The
 * page carries the brand from `readBrand`, or the default brand if that read fails. The app then reports the outage.
 */
export function servePages(
  app: Hono<{ Variables: Variables }>,
  { isDemo, readBrand, root = join(packageRoot, 'dist', 'web') }: PagesParts,
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
    const brand = await readBrand().catch(() => defaultBrand);
    const found = findPage(c.req.path, { isDemo });
    const html = nameProduct(titlePage(await page, found), brand);
    return c.html(html, found ? 200 : 404);
  });
}
