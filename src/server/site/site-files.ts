import type { Hono } from 'hono';
import { AppError } from '#domain/errors.ts';
import { coachPath, publicPages, reviewsPolicyPath, siteTextSlugs } from '#domain/pages.ts';
import { listPublicCoachAddresses } from '#server/businesses/queries.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { Variables } from '#server/platform/http/http.ts';
import { createCachedBody, sendCached } from '#server/platform/http/send-cached.ts';
import { memoizeWithTtl } from '#server/platform/ssr/memoize-with-ttl.ts';
import type { ReadSite } from '#server/settings/read-site.ts';

/** The sitemap lists at most this many coaches, the newest, because sitemaps may have at most 50,000 URLs per file. */
const maxCoaches = 49_000;

const sitemapTtlMs = 60_000;

/** Serves the files that browsers, search engines and security researchers request by fixed names. */
export function serveSiteFiles(
  app: Hono<{ Variables: Variables }>,
  { config, readDb, readSite }: { config: Config; readDb: Database; readSite: ReadSite },
): void {
  app.get('/manifest.webmanifest', async (c) => {
    const { brand } = await readSite();
    return sendCached(c, createCachedBody(writeManifest(brand), 'application/manifest+json'));
  });

  app.get('/robots.txt', async (c) =>
    sendCached(c, createCachedBody(writeRobots(config.publicUrl), 'text/plain; charset=utf-8')),
  );

  // RFC 9116. The file exists only if a contact address is set.
  app.get('/.well-known/security.txt', async (c) => {
    const { contactEmail } = await readSite();
    if (!contactEmail) throw new AppError('not_found', "There's nothing at this URL.");
    const text = writeSecurityTxt(config.publicUrl, contactEmail, Date.now());
    return sendCached(c, createCachedBody(text, 'text/plain; charset=utf-8'));
  });

  // The change-password URL for password managers: https://w3c.github.io/webappsec-change-password-url/
  app.get('/.well-known/change-password', (c) => c.redirect('/account', 302));

  const sitemap = memoizeWithTtl(sitemapTtlMs, async () => {
    const coaches = await listPublicCoachAddresses(readDb, maxCoaches);
    const texts = siteTextSlugs.map((slug) => `/${slug}`);
    const paths = [...publicPages, reviewsPolicyPath, ...texts, ...coaches.map(coachPath)];
    return createCachedBody(writeSitemap(config.publicUrl, paths), 'application/xml; charset=utf-8');
  });
  app.get('/sitemap.xml', async (c) => sendCached(c, await sitemap()));
}

function writeManifest(brand: string): string {
  return JSON.stringify({
    id: '/',
    name: brand,
    short_name: brand,
    description: 'Find a sports coach, book a lesson and pay for it.',
    lang: 'en-GB',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: '#fbfaf7',
    theme_color: '#10231b',
    categories: ['sports'],
    icons: [
      { src: '/icons/icon.svg', type: 'image/svg+xml', sizes: 'any' },
      { src: '/icons/icon-192.png', type: 'image/png', sizes: '192x192' },
      { src: '/icons/icon-512.png', type: 'image/png', sizes: '512x512' },
      { src: '/icons/icon-maskable.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'maskable' },
      { src: '/icons/icon-maskable-512.png', type: 'image/png', sizes: '512x512', purpose: 'maskable' },
    ],
    shortcuts: [
      { name: 'Find a lesson', url: '/customer/discover' },
      { name: 'My bookings', url: '/customer/my-bookings' },
      { name: 'Coach calendar', url: '/coach/calendar' },
    ],
  });
}

/**
 * Keeps search engines out of the API and out of the areas for admins, coaches and customers, except discover. All
 * other pages are allowed.
 */
function writeRobots(publicUrl: string): string {
  return `User-agent: *
Allow: /customer/discover
Disallow: /admin/
Disallow: /api/
Disallow: /auth/
Disallow: /coach/
Disallow: /customer/

Sitemap: ${publicUrl}/sitemap.xml
`;
}

const escapes: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/**
 * Writes security.txt. The file expires within a year, as RFC 9116 recommends; the date changes only once a day, so
 * that browsers can cache the file.
 */
function writeSecurityTxt(publicUrl: string, contactEmail: string, nowMs: number): string {
  const dayMs = 24 * 60 * 60_000;
  const expires = new Date(Math.floor(nowMs / dayMs) * dayMs + 180 * dayMs);
  return `Contact: mailto:${contactEmail}
Expires: ${expires.toISOString()}
Preferred-Languages: en
Canonical: ${publicUrl}/.well-known/security.txt
`;
}

function writeSitemap(publicUrl: string, paths: readonly string[]): string {
  const entries = paths.map((path) => {
    const address = (publicUrl + path).replace(/[&<>"']/g, (sign) => escapes[sign]!);
    return `  <url><loc>${address}</loc></url>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.join('')}</urlset>
`;
}
