import { createApp } from './app.ts';
import { readBacklog } from './bookings/read-backlog.ts';
import { openCardNetwork } from './payments/card-network.ts';
import type { Config } from './platform/config.ts';
import { openDatabase, openPool, silenceMs } from './platform/db.ts';
import { listen } from './platform/listen.ts';
import type { Log } from './platform/log.ts';
import { openMetrics } from './platform/metrics.ts';
import { startJobs } from './worker.ts';

/** A running product. `stop` answers what is under way, lets running jobs end and closes every connection. */
export type Product = { port: number; stop: () => Promise<void> };

/** Serves the API, the web app and the jobs in this process, on a migrated database. */
export async function serveProduct(config: Config, log: Log): Promise<Product> {
  const pool = openPool(config.databaseUrl, { size: config.poolSize, silenceMs });
  // Jobs have connections of their own, so that a burst of requests cannot starve what settles payments.
  const jobPool = openPool(config.databaseUrl, { size: 6, acquireTimeoutMs: 10_000, silenceMs });
  const db = openDatabase(pool);
  const jobDb = openDatabase(jobPool);
  const readDb = config.replicaUrl
    ? openDatabase(openPool(config.replicaUrl, { size: config.poolSize, silenceMs }))
    : db;
  const cards = openCardNetwork(config.stripe);
  const metrics = config.metricsToken
    ? await openMetrics({ pools: { requests: pool, jobs: jobPool }, readBacklog: () => readBacklog(db) })
    : undefined;
  const app = createApp({ config, db, readDb, log, cards, metrics });
  const worker = await startJobs({ config, db: jobDb, pool: jobPool, log, cards });
  const { port, close } = await listen(app.fetch, config);
  const stop = async () => {
    await close();
    await worker.stop();
    await db.destroy();
    await jobDb.destroy();
    if (readDb !== db) await readDb.destroy();
  };
  return { port, stop };
}
