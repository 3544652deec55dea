import { createHash, timingSafeEqual } from 'node:crypto';
import type { Hono } from 'hono';
import type pg from 'pg';
import { AppError } from '#domain/errors.ts';
import type { AnsweredRequest, Variables } from './http/http.ts';

/** This process's counters and their Prometheus text. */
export type Metrics = { observe: (request: AnsweredRequest) => void; write: () => Promise<string> };

/** A gauge that is read on scrape, such as queue length. Names follow Prometheus' conventions. */
export type Gauge = { name: string; help: string; value: number };

/**
 * Records the number and duration of requests by route, and reads the connection pools, `readBacklog` and `readOwn` on
 * scrape. If several processes share a database, each reports its own requests and the same backlog.
 */
export async function openMetrics({
  pools,
  readBacklog,
  readOwn,
}: {
  pools: Record<string, pg.Pool>;
  readBacklog: () => Promise<Gauge[]>;
  readOwn: () => Gauge[];
}): Promise<Metrics> {
  // The library is loaded only if metrics are on, because it adds about ten milliseconds to the start-up time.
  const prom = await import('prom-client');
  const registry = new prom.Registry();
  prom.collectDefaultMetrics({ register: registry });
  const requests = new prom.Histogram({
    name: 'app_http_request_duration_seconds',
    help: 'Time from the headers of a request to its response.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15],
    registers: [registry],
  });
  new prom.Gauge({
    name: 'app_database_connections',
    help: 'Connections to PostgreSQL by pool; "waiting" counts requests that wait for a connection.',
    labelNames: ['pool', 'state'],
    registers: [registry],
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        this.set({ pool, state: 'busy' }, totalCount - idleCount);
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'waiting' }, waitingCount);
      }
    },
  });
  let shown: string[] = [];
  const up = new prom.Gauge({
    name: 'app_database_up',
    help: '1 if the backlog could be read, otherwise 0.',
    registers: [registry],
  });
  return {
    observe: ({ method, route, status, seconds }) => requests.observe({ method, route, status }, seconds),
    write: async () => {
      const backlog = await readBacklog().catch(() => []);
      up.set(backlog.length > 0 ? 1 : 0);
      const gauges = [...backlog, ...readOwn()];
      // An unknown figure is left out, because an old value would look current.
      for (const name of shown) registry.removeSingleMetric(name);
      shown = gauges.map(({ name }) => name);
      for (const { name, help, value } of gauges) {
        new prom.Gauge({ name, help, registers: [registry] }).set(value);
      }
      return registry.metrics();
    },
  };
}

/** Serves `/metrics` to anyone with the bearer token; others get 404. */
export function serveMetrics(app: Hono<{ Variables: Variables }>, metrics: Metrics, token: string): void {
  const expected = digest(`Bearer ${token}`);
  app.get('/metrics', async (c) => {
    if (!timingSafeEqual(digest(c.req.header('authorization') ?? ''), expected)) {
      throw new AppError('not_found', "There's nothing at this URL.");
    }
    c.header('cache-control', 'no-store');
    return c.text(await metrics.write(), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
  });
}

const digest = (text: string) => createHash('sha256').update(text).digest();
