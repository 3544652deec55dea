import { sql } from 'kysely';
import type { Database, Tx } from '#server/platform/db/db.ts';

/** Stops notifications by email to the address with this hash, because an email bounced or was reported as spam. */
export async function suppress(
  db: Database | Tx,
  addressHash: string,
  reason: 'bounced' | 'complained',
): Promise<void> {
  await sql`
    insert into suppressions (address_hash, reason) values (${addressHash}, ${reason})
    on conflict do nothing`.execute(db);
}
