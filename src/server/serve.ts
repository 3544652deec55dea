import { createApp } from './app.ts';
import { readBacklog } from './bookings/read-backlog.ts';
import { openCardNetwork } from './payments/card-network.ts';
import type { Config } from './platform/config.ts';
import { openDatabase, openPool, silenceOf } from './platform/db.ts';
import { listen } from './platform/listen.ts';
import type { Log } from './platform/log.ts';
import { openMetrics } from './platform/metrics.ts';
import { openReadDatabase } from './platform/read-database.ts';
import { startJobs } from './worker.ts';

/**
 * A running product. `stop` is not ready from then on, answers what comes for another `drainMs` and what is under way, lets
 * running jobs end and closes every connection.
 */
export type Product = { port: number; stop: (options?: { drainMs?: number }) => Promise<void> };

/** Serves the API, the web app and the jobs in this process, on a migrated database. */
export async function serveProduct(config: Config, log: Log): Promise<Product> {
  const { statementTimeoutMs } = config;
  const silenceMs = silenceOf(statementTimeoutMs);
  const pool = openPool(config.databaseUrl, { size: config.poolSize, statementTimeoutMs, silenceMs });
  // Jobs have connections of their own, so that a burst of requests cannot starve what settles payments.
  const jobPool = openPool(config.databaseUrl, {
    ...{ size: 8, statementTimeoutMs, silenceMs },
    acquireTimeoutMs: 5 * statementTimeoutMs,
  });
  const db = openDatabase(pool);
  const jobDb = openDatabase(jobPool);
  const reads = openReadDatabase({ ...config, silenceMs }, log);
  const cards = openCardNetwork(config.stripe);
  const metrics = config.metricsToken
    ? await openMetrics({
        pools: { requests: pool, jobs: jobPool, ...reads.pools },
        readBacklog: () => readBacklog(db),
        readOwn: reads.readGauges,
      })
    : undefined;
  const lifecycle = { isStopping: false };
  const app = createApp({ config, db, readDb: reads.db, log, cards, metrics, lifecycle });
  const worker = await startJobs({ config, db: jobDb, pool: jobPool, log, cards });
  const { port, close } = await listen(app.fetch, config);
  const stop = async ({ drainMs = 0 } = {}) => {
    lifecycle.isStopping = true;
    // Together, so that a stop takes no longer than the slowest request or job.
    await Promise.all([close({ drainMs }), worker.stop()]);
    await db.destroy();
    await jobDb.destroy();
    await reads.close();
  };
  return { port, stop };
}
