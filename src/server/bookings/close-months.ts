import { sql } from 'kysely';
import type { Database } from '#server/platform/db/db.ts';

/**
 * Closes every month that ended at least two days ago, for each kind of sum in `closed_sums` (docs/decisions/0108).
 * Each month has its own transaction, so a killed process loses at most the month that it was adding.
 */
export async function closeMonths(db: Database): Promise<void> {
  const sums = await db.selectFrom('closedSums').select('name').orderBy('name').execute();
  for (const { name } of sums) {
    while (await closeNextMonth(db, name));
  }
}

/** Returns false if no further month can be closed yet. */
function closeNextMonth(db: Database, name: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = 0`.execute(tx);
    const { rows } = await sql<{ isClosed: boolean }>`
      select close_next_month(${name}) as is_closed`.execute(tx);
    return rows[0]!.isClosed;
  });
}
