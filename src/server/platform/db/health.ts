import { setTimeout as delay } from 'node:timers/promises';
import type { Hono } from 'hono';
import { sql } from 'kysely';
import type { Variables } from '../http/http.ts';
import { memoizeWithTtl } from '../ssr/memoize-with-ttl.ts';
import { classifyDatabaseFailure, type DatabaseFailure } from './database-failure.ts';
import type { Database } from './db.ts';

/** Milliseconds for which requests share one health result, because each check costs a write. */
const ttlMs = 1_000;
/** Milliseconds after which a database, for example a frozen one, counts as not responding. */
const timeoutMs = 4_000;
/** Seconds without a payment sweep after which payments count as unsettled. A sweep normally runs every few seconds. */
const lateSweepSeconds = 120;

/** Whether this process is stopping and should receive no new requests. */
export type Lifecycle = { isStopping: boolean };

type Health = { reason: DatabaseFailure | 'database failed' } | { reason: null; sweepAge: number };

/**
 * Serves health checks for monitors, supervisors and load balancers, without revealing details:
 *
 * - `/healthz`: 200 while this process can read and write its database, otherwise 503 with the reason.
 * - `/livez`: 200 while the process responds, with no other check. A process that fails this check needs a restart.
 * - `/readyz`: as `/healthz`, but 503 while the process is stopping. Reports how many seconds ago any process last
 * finished a payment sweep; a late sweep is reported with 200, because otherwise every process would be taken out of
 * service at the same time.
 */
export function serveHealth(app: Hono<{ Variables: Variables }>, db: Database, lifecycle: Lifecycle): void {
  const read = memoizeWithTtl(ttlMs, () => readHealth(db));
  app.get('/livez', (c) => {
    c.header('cache-control', 'no-store');
    return c.json({ status: 'ok' });
  });
  app.get('/healthz', async (c) => {
    const { reason } = await read();
    c.header('cache-control', 'no-store');
    if (reason === null) return c.json({ status: 'ok' });
    c.header('retry-after', '1');
    return c.json({ status: 'unavailable', reason }, 503);
  });
  app.get('/readyz', async (c) => {
    c.header('cache-control', 'no-store');
    if (lifecycle.isStopping) return c.json({ status: 'stopping' }, 503);
    const health = await read();
    if (health.reason !== null) {
      c.header('retry-after', '1');
      return c.json({ status: 'unavailable', reason: health.reason }, 503);
    }
    const isLate = health.sweepAge > lateSweepSeconds;
    return c.json({
      status: 'ok',
      paymentSweepAgeSeconds: Math.round(health.sweepAge),
      ...(isLate && { warning: 'payments are not being settled' }),
    });
  });
}

async function readHealth(db: Database): Promise<Health> {
  const proof = sql<{ sweepAge: number }>`
    select prove_health(), extract(epoch from now() - swept_at)::float8 as sweep_age from health`
    .execute(db)
    .then(
      ({ rows }): Health => ({ reason: null, sweepAge: rows[0]?.sweepAge ?? 0 }),
      (error: unknown): Health => ({ reason: classifyDatabaseFailure(error) ?? 'database failed' }),
    );
  const timer = new AbortController();
  const timeout = delay<Health>(timeoutMs, { reason: 'database does not answer' }, { signal: timer.signal });
  try {
    return await Promise.race([proof, timeout.catch((): Health => ({ reason: 'database failed' }))]);
  } finally {
    timer.abort();
  }
}
