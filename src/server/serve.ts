import { createApp, sharedPaths } from './app.ts';
import { readBacklog } from './bookings/checks/read-backlog.ts';
import { createStripeClient } from './payments/stripe-client.ts';
import type { Config } from './platform/config.ts';
import { openDatabase, openPool, queryTimeoutFor } from './platform/db/db.ts';
import { openReadDatabase } from './platform/db/read-database.ts';
import { createAddressLimit } from './platform/http/address-limit.ts';
import { listen } from './platform/http/listen.ts';
import { createVisitorCache } from './platform/http/visitor-cache.ts';
import type { Log } from './platform/log.ts';
import { openMetrics } from './platform/metrics.ts';
import type { RealtimeLimits } from './realtime/limits.ts';
import { openRealtime } from './realtime/realtime.ts';
import { readStorageBacklog } from './storage/files/read-storage-backlog.ts';
import { openStorage } from './storage/storage.ts';
import { startJobs } from './worker.ts';

/**
 * A running server. `stop` reports the server as not ready, serves requests for another `drainMs` milliseconds,
 * finishes running requests and jobs, and closes every connection.
 */
export type Product = { port: number; stop: (options?: { drainMs?: number }) => Promise<void> };

/** Serves the API and the web app and runs the jobs in this process, on a migrated database. */
export async function serveProduct(
  config: Config,
  log: Log,
  { realtimeLimits }: { realtimeLimits?: RealtimeLimits } = {},
): Promise<Product> {
  const { statementTimeoutMs } = config;
  const queryTimeoutMs = queryTimeoutFor(statementTimeoutMs);
  const pool = openPool(config.databaseUrl, { size: config.poolSize, statementTimeoutMs, queryTimeoutMs });
  // Jobs have their own connections, so that a burst of requests cannot delay the settlement of payments.
  const openJobPool = (size: number) =>
    openPool(config.databaseUrl, {
      ...{ size, statementTimeoutMs, queryTimeoutMs },
      acquireTimeoutMs: 5 * statementTimeoutMs,
    });
  const jobPool = openJobPool(6);
  const notificationPool = openJobPool(4);
  const db = openDatabase(pool);
  const jobDb = openDatabase(jobPool);
  const notifications = { pool: notificationPool, db: openDatabase(notificationPool) };
  const reads = openReadDatabase({ ...config, queryTimeoutMs }, log);
  const cards = createStripeClient(config.stripe);
  const storage = openStorage(config);
  const realtime = openRealtime({ config, db, log, ...(realtimeLimits && { limits: realtimeLimits }) });
  const metrics = config.metricsToken
    ? await openMetrics({
        pools: { requests: pool, jobs: jobPool, notifications: notificationPool, ...reads.pools },
        readBacklog: async () => [...(await readBacklog(db)), ...(await readStorageBacklog(db))],
        readOwn: () => [...reads.readGauges(), ...storage.readGauges(), ...realtime.readGauges()],
      })
    : undefined;
  const lifecycle = { isStopping: false };
  const assertReadAllowed = createAddressLimit();
  const app = createApp({
    ...{ config, db, readDb: reads.db, log, cards, storage, assertReadAllowed, metrics, lifecycle },
  });
  const cache =
    config.visitorCacheSeconds > 0
      ? createVisitorCache({
          ttlMs: config.visitorCacheSeconds * 1_000,
          paths: sharedPaths,
          trustProxy: config.trustProxy,
          assertReadAllowed,
          observe: metrics?.observe,
        })
      : undefined;
  const worker = await startJobs({
    ...{ config, db: jobDb, pool: jobPool, notifications, log, cards, storage },
  });
  const { server, port, close } = await listen(cache?.wrap(app.fetch) ?? app.fetch, {
    ...config,
    sendCached: cache?.send,
  });
  realtime.attach(server);
  const stop = async ({ drainMs = 0 } = {}) => {
    lifecycle.isStopping = true;
    // They stop concurrently, so that a stop takes no longer than the slowest of them.
    await Promise.all([realtime.stop({ drainMs }), close({ drainMs }), worker.stop()]);
    await db.destroy();
    await jobDb.destroy();
    await notifications.db.destroy();
    await reads.close();
  };
  return { port, stop };
}
