import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#server/platform/db/db.ts';
import type { DB } from '#server/platform/db/db-types.ts';
import { personalData } from '../personal-data.ts';

/** Rows deleted per statement: few enough to stay well below the statement timeout and to hold few locks. */
const batchSize = 1_000;
/**
 * Batches per run of each table, and of messages, limited so that other jobs get their turn. The next run deletes the
 * remaining rows.
 */
const batchesPerRun = 100;

/**
 * Deletes, in batches, rows whose retention in the register of personal data has ended, and messages that
 * could not be sent. Safe to stop and repeat. Returns the number of rows deleted from each table, without the
 * messages.
 */
export async function deleteExpired(db: Database): Promise<Partial<Record<keyof DB, number>>> {
  const deleted: Partial<Record<keyof DB, number>> = {};
  // In the order of the register: a token is deleted before its session, so that no delete cascades to many rows.
  for (const [name, { retention }] of Object.entries(personalData)) {
    const table = name as keyof DB;
    if (retention.isOver) deleted[table] = await deleteInBatches(db, table, retention.isOver);
  }
  await deleteUnsentMessages(db);
  return deleted;
}

function deleteInBatches(db: Database, table: keyof DB, isOver: RawBuilder<boolean>): Promise<number> {
  return repeat(async () => {
    const { numAffectedRows } = await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${isOver} limit ${sql.lit(batchSize)} for update skip locked
      ))`.execute(db);
    return Number(numAffectedRows);
  });
}

/** Deletes the jobs of emails and push messages that could not be sent, 30 days after the last attempt. */
async function deleteUnsentMessages(db: Database): Promise<void> {
  await repeat(async () => {
    const { rows } = await sql`
      select from graphile_worker.complete_jobs(array(
        select id from graphile_worker.jobs
        where task_identifier in ('notifications.send', 'notifications.deliver') and attempts >= max_attempts
          and locked_at is null and updated_at < now() - interval '30 days'
        limit ${sql.lit(batchSize)}
      ))`.execute(db);
    return rows.length;
  });
}

/** Deletes batch after batch until one isn't full. Returns the number of rows deleted. */
async function repeat(deleteBatch: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let batch = 0; batch < batchesPerRun; batch += 1) {
    const deleted = await deleteBatch();
    total += deleted;
    if (deleted < batchSize) break;
  }
  return total;
}
