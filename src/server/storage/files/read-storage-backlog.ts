import { sql } from 'kysely';
import type { Database } from '#server/platform/db/db.ts';
import type { Gauge } from '#server/platform/metrics.ts';

/**
 * A gauge of how long bytes have waited to be deleted, for the operator's alerts. Bytes must be deleted within 24
 * hours.
 */
export async function readStorageBacklog(db: Database): Promise<Gauge[]> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(extract(epoch from now() - min(removed_at)), 0)::float8 as seconds from storage_removals`.execute(
    db,
  );
  return [
    {
      name: 'app_stored_bytes_removal_age_seconds',
      help: 'The longest time that the bytes of a deleted file have been waiting to be deleted.',
      value: rows[0]!.seconds,
    },
  ];
}
