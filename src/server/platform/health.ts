import { setTimeout as delay } from 'node:timers/promises';
import type { Hono } from 'hono';
import { sql } from 'kysely';
import { type DatabaseTrouble, findDatabaseTrouble } from './database-failure.ts';
import type { Database } from './db.ts';
import type { Variables } from './http.ts';
import { keepBriefly } from './keep-briefly.ts';

/** How long an answer serves everybody who asks, in milliseconds: asking costs a write. */
const keptMs = 1_000;
/** A database that takes longer, a frozen one say, does not answer. */
const patienceMs = 4_000;

type Trouble = DatabaseTrouble | 'database failed';

/**
 * Serves `/healthz`: 200 while this process can read and write its database, otherwise 503 and why, in words that give
 * nothing away. Nothing needs to be done here once the database is back.
 */
export function serveHealth(app: Hono<{ Variables: Variables }>, db: Database): void {
  const read = keepBriefly(keptMs, () => findTrouble(db));
  app.get('/healthz', async (c) => {
    const reason = await read();
    c.header('cache-control', 'no-store');
    if (reason === null) return c.json({ status: 'ok' });
    c.header('retry-after', '1');
    return c.json({ status: 'unavailable', reason }, 503);
  });
}

async function findTrouble(db: Database): Promise<Trouble | null> {
  const proof = sql`select prove_health()`.execute(db).then(
    () => null,
    (error: unknown) => findDatabaseTrouble(error) ?? ('database failed' as const),
  );
  const patience = new AbortController();
  const silence = delay(patienceMs, 'database does not answer' as const, { signal: patience.signal });
  try {
    return await Promise.race([proof, silence.catch(() => null)]);
  } finally {
    patience.abort();
  }
}
