import type { Hono } from 'hono';
import type Stripe from 'stripe';
import { sessionStorageKey } from '#domain/auth/session-storage.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import { AppError } from '#domain/errors.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { renderAppFrame } from '#site/render.tsx';
import { ownAccountRoutes } from './account/routes.ts';
import { accountRoutes } from './accounts/routes.ts';
import { adminRoutes } from './admin/routes.ts';
import { assertAllDescribed } from './api-areas.ts';
import { serveApiDescription } from './api-description.ts';
import { createAuthenticate } from './auth/authenticate.ts';
import { createAuthApp } from './auth/gotrue/auth-app.ts';
import { authRoutes } from './auth/routes.ts';
import { serveSignInPages } from './auth/sign-in/sign-in-pages.ts';
import { serveFeeds } from './bookings/calendars/serve-feeds.ts';
import { bookingRoutes } from './bookings/routes.ts';
import { businessRoutes } from './businesses/routes.ts';
import { catalogueRoutes } from './catalogue/routes.ts';
import { serveSandbox } from './demo/sandbox-routes.ts';
import { deskRoutes } from './desk/routes.ts';
import { serveDiscoverPage } from './discover/discover-page.ts';
import { discoverRoutes } from './discover/routes.ts';
import { createBounceApp } from './notifications/bounce-app.ts';
import { notificationRoutes } from './notifications/routes.ts';
import { paymentRoutes } from './payments/routes.ts';
import { createWebhookApp } from './payments/webhook-app.ts';
import { payoutRoutes } from './payouts/routes.ts';
import type { Config } from './platform/config.ts';
import type { Database } from './platform/db/db.ts';
import { type Lifecycle, serveHealth } from './platform/db/health.ts';
import { type AssertReadAllowed, createAddressLimit } from './platform/http/address-limit.ts';
import { createHttpApp, serveRoutes, type Variables } from './platform/http/http.ts';
import { servePages } from './platform/http/pages.ts';
import { securityHeaders } from './platform/http/security-headers.ts';
import { findWebAssets, hashScripts } from './platform/http/web-assets.ts';
import type { Log } from './platform/log.ts';
import { type Metrics, serveMetrics } from './platform/metrics.ts';
import { progressRoutes } from './progress/routes.ts';
import { reviewRoutes } from './reviews/routes.ts';
import { createReadSite } from './settings/read-site.ts';
import { settingsRoutes } from './settings/routes.ts';
import { servePublicPages } from './site/public-pages.ts';
import { serveSiteFiles } from './site/site-files.ts';
import { serveUnsubscribePage } from './site/unsubscribe-page.ts';
import { storageRoutes } from './storage/routes.ts';
import { openStorage, type Storage } from './storage/storage.ts';
import { createStorageApp } from './storage/storage-app.ts';
import { createDocumentApp } from './verification/documents/open-document.ts';
import { documentRoutes } from './verification/documents/routes.ts';
import { verificationRoutes } from './verification/routes.ts';

/** The paths whose responses are cached for `visitorCacheSeconds` and shared by signed-out visitors. */
export const sharedPaths = ['/', '/customer/discover', discoverApi.discoverSlots.path, '/api/openapi.json'];

/** The parts that make up the HTTP app. `readDb` may be a hot standby, which lags behind. */
export type AppParts = {
  config: Config;
  db: Database;
  readDb: Database;
  log: Log;
  cards: Stripe;
  storage?: Storage;
  assertReadAllowed?: AssertReadAllowed;
  metrics?: Metrics | undefined;
  lifecycle?: Lifecycle;
};

export function createApp({
  config,
  db,
  readDb,
  log,
  cards,
  storage = openStorage(config),
  assertReadAllowed = createAddressLimit(),
  metrics,
  lifecycle = { isStopping: false },
}: AppParts): Hono<{ Variables: Variables }> {
  const assets = findWebAssets(config);
  const app = createHttpApp(log, config, metrics?.observe);
  app.use(
    securityHeaders({
      usesStripe: !config.stripe.apiBase,
      isSecure: config.publicUrl.startsWith('https:'),
      publicUrl: config.publicUrl,
      scriptHashes: hashScripts(assets),
    }),
  );
  serveHealth(app, db, lifecycle);
  if (metrics && config.metricsToken) serveMetrics(app, metrics, config.metricsToken);
  app.route('/auth/v1', createAuthApp({ db, config, log }));
  const authenticate = createAuthenticate(db, config);
  app.route('/storage/v1/documents', createDocumentApp({ db, storage }));
  app.route('/storage/v1', createStorageApp({ ...storage, db, log }, authenticate));
  app.route('/webhooks', createWebhookApp({ db, config, cards, log }));
  app.route('/webhooks', createBounceApp({ db, config, log }));
  for (const { method, path } of [discoverApi.discoverSlots, slotsApi.readAvailability]) {
    app.on(method, path, (c, next) => {
      assertReadAllowed(c.get('ipAddress'));
      return next();
    });
  }
  const routes = [
    ...settingsRoutes({ db, config }),
    ...notificationRoutes({ db, config }),
    ...storageRoutes({ db, storage }),
    ...authRoutes({ db, config }),
    ...accountRoutes({ db, config, signer: storage.signer }),
    ...businessRoutes({ db, readDb }),
    ...catalogueRoutes({ db }),
    ...verificationRoutes({ db }),
    ...documentRoutes({ db, config }),
    ...paymentRoutes({ db, config, cards }),
    ...bookingRoutes({ db, cards, log, config, signer: storage.signer }),
    ...progressRoutes({ db, signer: storage.signer }),
    ...reviewRoutes({ db, cards }),
    ...payoutRoutes({ db, config }),
    ...deskRoutes(db),
    ...discoverRoutes({ readDb }),
    ...ownAccountRoutes({ db, config }),
    ...adminRoutes({ db, config }),
  ];
  assertAllDescribed(routes);
  serveRoutes(app, routes, authenticate);
  const readSite = createReadSite({ config, readDb, assets });
  const readBrand = async () => (await readSite()).brand;
  serveApiDescription(app, { publicUrl: config.publicUrl, readBrand });
  serveFeeds(app, { db, readDb, config, readBrand, assertReadAllowed });
  serveSandbox(app, { config, db });
  // Unknown URLs under these paths get a JSON error, because programs call them. All other unknown URLs get a page.
  const checks = ['/healthz', '/livez', '/readyz', '/metrics'];
  for (const path of [
    ...['/api/*', '/auth/*', '/storage/*', '/realtime/*', '/webhooks/*', '/sandbox/*'],
    ...checks,
  ]) {
    app.all(path, () => {
      throw new AppError('not_found', "There's nothing at this URL.");
    });
  }
  servePublicPages(app, { config, readDb, log, assets, readSite, assertReadAllowed });
  serveSignInPages(app, { config, log, assets, readSite, assertReadAllowed });
  serveDiscoverPage(app, { config, readDb, log, assets, readSite, assertReadAllowed });
  serveUnsubscribePage(app, { config, db, readSite, assertReadAllowed });
  serveSiteFiles(app, { config, readDb, readSite });
  servePages(app, {
    isDemo: config.isDemo,
    ...{ assets, storageKey: sessionStorageKey, renderFrame: renderAppFrame },
    readPageData: async () => {
      const { brand, contactEmail, landingStats } = await readSite();
      const data = { brand, contactEmail, landingStats, isDemo: config.isDemo };
      return { brand, dehydrated: [{ key: [settingsApi.getProduct.operationId], data, at: Date.now() }] };
    },
  });
  return app;
}
