import type { Context, Hono } from 'hono';
import { defaultBrand } from '#domain/default-brand.ts';
import { AppError } from '#domain/errors.ts';
import { coachPath, reviewsPath, reviewsPolicyPath, siteTextSlugs } from '#domain/pages.ts';
import { describeCounts } from '#domain/settings/landing-stats.ts';
import { findPublicCoach } from '#server/businesses/queries.ts';
import { createDiscover } from '#server/discover/discover-slots.ts';
import type { Config } from '#server/platform/config.ts';
import { readDatabaseFailure } from '#server/platform/db/database-failure.ts';
import type { Database } from '#server/platform/db/db.ts';
import { isPageCursor } from '#server/platform/db/page-cursor.ts';
import type { AssertReadAllowed } from '#server/platform/http/address-limit.ts';
import type { Variables } from '#server/platform/http/http.ts';
import { type CachedBody, createCachedBody, sendCached } from '#server/platform/http/send-cached.ts';
import type { WebAssets } from '#server/platform/http/web-assets.ts';
import type { Log } from '#server/platform/log.ts';
import { memoizeWithTtl } from '#server/platform/ssr/memoize-with-ttl.ts';
import { createPageCache } from '#server/platform/ssr/page-cache.ts';
import { listReviews } from '#server/reviews/list-reviews.ts';
import { readReviewFigures } from '#server/reviews/moderation/read-figures.ts';
import { hasSeveralBusinesses } from '#server/reviews/read-ratings.ts';
import type { ReadSite } from '#server/settings/read-site.ts';
import { listSiteTexts } from '#server/settings/site-texts.ts';
import { findBadges } from '#server/verification/documents/read-badges.ts';
import {
  renderCoachProfile,
  renderLanding,
  renderNoSuchCoach,
  renderReviews,
  renderReviewsPolicy,
  renderText,
  renderUnavailable,
} from '#site/render.tsx';
import { countLandingFigures } from './count-landing-figures.ts';

/** How long the landing page, the operator's texts and the reviews policy are cached, in milliseconds. */
const ttlMs = 1_000;
/** How long the counted figures of the landing page are cached, in milliseconds. Counting reads all lessons. */
const countsTtlMs = 60_000;
const lessonsOnProfile = 10;
const reviewsOnProfile = 5;
const reviewsOnPage = 20;
/**
 * Coaches' pages are rendered once for concurrent requests and cached for at most a millisecond, so that coaches see
 * their changes immediately. Rendering takes a few milliseconds.
 */
const coachPages = { ttlMs: 1, maxEntries: 20, maxAtOnce: 8 };
/**
 * How long the page for an IP address over its limit is cached, in milliseconds. Serving this page must cost less than
 * the requests that it refuses.
 */
const busyPageTtlMs = 60_000;

type Parts = {
  config: Config;
  readDb: Database;
  log: Log;
  assets: WebAssets;
  assertReadAllowed: AssertReadAllowed;
};

/** A page of a coach. `path` is its canonical path, to which the coach's other addresses redirect. */
type CoachPage = { page: CachedBody; status: number; path?: string };

async function sendCoachPage(c: Context, { page, status, path }: CoachPage): Promise<Response> {
  if (!path || path === c.req.path) return sendCached(c, page, status);
  // A coach may return to an earlier name, so browsers must not cache a redirect.
  c.header('cache-control', 'no-cache');
  return c.redirect(path + new URL(c.req.url).search, 301);
}

/**
 * Serves the pages that work without JavaScript: the landing page, the operator's texts, the coaches' pages and
 * reviews, and the page about how reviews work. `readDb` may be a replica that lags behind.
 */
export function servePublicPages(
  app: Hono<{ Variables: Variables }>,
  { config, readDb, log, assets, readSite, assertReadAllowed }: Parts & { readSite: ReadSite },
): void {
  const discover = createDiscover(readDb);
  const countFigures = memoizeWithTtl(countsTtlMs, () => countLandingFigures(readDb));
  const landing = memoizeWithTtl(ttlMs, async () => {
    const [site, { slots }] = await Promise.all([readSite(), discover({ sort: 'earliest', limit: 3 })]);
    const { landingStats, verificationPolicy: policy } = site.settings;
    const stats = landingStats.mode === 'counted' ? describeCounts(await countFigures()) : site.landingStats;
    return createCachedBody(renderLanding({ site, stats, lessons: slots, policy }));
  });

  /** Renders the page of the coach with this address or id. */
  async function renderCoach(address: string): Promise<CoachPage> {
    const [site, coach] = await Promise.all([readSite(), findPublicCoach(readDb, address)]);
    const notFound = () => ({ page: createCachedBody(renderNoSuchCoach({ site })), status: 404 });
    if (!coach) return notFound();
    const [{ slots, nextCursor }, badges, shown, isCompared] = await Promise.all([
      discover({ sort: 'earliest', coachId: coach.coachId, limit: lessonsOnProfile }),
      findBadges(readDb, coach.coachId),
      listReviews(readDb, { coachId: coach.coachId, limit: reviewsOnProfile }),
      hasSeveralBusinesses(readDb),
    ]);
    // The coach was hidden after `findPublicCoach` had found them.
    if (!badges) return notFound();
    const hasMore = nextCursor !== null;
    return {
      page: createCachedBody(
        renderCoachProfile({ site, coach, badges, lessons: slots, hasMore, shown, isCompared }),
      ),
      status: 200,
      path: coachPath(coach),
    };
  }

  /** Renders a page of a coach's reviews. `key`: the coach's address or id, then a space and the cursor, if any. */
  async function renderReviewsOf(key: string): Promise<CoachPage> {
    const [address = '', cursor] = key.split(' ');
    const [site, coach] = await Promise.all([readSite(), findPublicCoach(readDb, address)]);
    if (!coach) return { page: createCachedBody(renderNoSuchCoach({ site })), status: 404 };
    const shown = await listReviews(readDb, { coachId: coach.coachId, cursor, limit: reviewsOnPage });
    const path = reviewsPath(coach);
    return { page: createCachedBody(renderReviews({ site, coach, shown })), status: 200, path };
  }

  const policy = memoizeWithTtl(ttlMs, async () => {
    const [site, figures] = await Promise.all([readSite(), readReviewFigures(readDb)]);
    return createCachedBody(renderReviewsPolicy({ site, figures }));
  });
  const crowdPage = memoizeWithTtl(busyPageTtlMs, async () => renderErrorPage('/'));
  const readCoach = createPageCache({ ...coachPages, render: renderCoach });
  const readReviews = createPageCache({ ...coachPages, render: renderReviewsOf });

  for (const slug of siteTextSlugs) {
    const page = memoizeWithTtl(ttlMs, async () => {
      const [site, texts] = await Promise.all([readSite(), listSiteTexts(readDb)]);
      return createCachedBody(renderText({ site, slug, text: texts.find((one) => one.slug === slug)!.text }));
    });
    app.get(`/${slug}`, (c) => apologising(c, async () => sendCached(c, await page())));
  }
  app.get('/', (c) => apologising(c, async () => sendCached(c, await landing())));
  app.get(reviewsPolicyPath, (c) => apologising(c, async () => sendCached(c, await policy())));
  app.get('/coaches/:address/reviews', (c) =>
    apologising(c, async () => {
      const address = c.req.param('address').toLowerCase();
      const after = c.req.query('after') ?? '';
      // If the cursor in the address has been altered, the first page is shown.
      const cursor = isPageCursor(after) ? ` ${after}` : '';
      return sendCoachPage(c, await readReviews(address.replaceAll(' ', '') + cursor));
    }),
  );
  app.get('/coaches/:address', (c) =>
    apologising(c, async () => sendCoachPage(c, await readCoach(c.req.param('address').toLowerCase()))),
  );

  /**
   * Serves an error page, instead of the API's JSON error, if a visitor sends too many requests or the page cannot be
   * rendered.
   */
  async function apologising(
    c: Context<{ Variables: Variables }>,
    render: () => Promise<Response>,
  ): Promise<Response> {
    try {
      assertReadAllowed(c.get('ipAddress'));
    } catch {
      return sendUnavailablePage(c, await crowdPage(), 429);
    }
    try {
      return await render();
    } catch (error) {
      log.error({ requestId: c.get('requestId'), path: c.req.path, err: error }, 'page failed');
      const known = error instanceof AppError ? error : readDatabaseFailure(error);
      return sendUnavailablePage(c, renderErrorPage(c.req.path), known?.code === 'unavailable' ? 503 : 500);
    }
  }

  function renderErrorPage(path: string): CachedBody {
    const site = { brand: defaultBrand, publicUrl: config.publicUrl, assets, now: Date.now() };
    return createCachedBody(renderUnavailable({ site, path }));
  }

  async function sendUnavailablePage(c: Context, page: CachedBody, status: number): Promise<Response> {
    const answer = await sendCached(c, page, status);
    answer.headers.set('retry-after', '5');
    answer.headers.set('cache-control', 'no-store');
    return answer;
  }
}
