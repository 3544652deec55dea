import { sql } from 'kysely';
import type { Database } from '#server/platform/db/db.ts';

/** Stops notifications by email to this address: it bounced, or its owner reported one as spam. */
export async function suppress(
  db: Database,
  address: string,
  reason: 'bounced' | 'complained',
): Promise<void> {
  await sql`
    insert into suppressions (address_hash, reason) values (hash_address(${address}), ${reason})
    on conflict do nothing`.execute(db);
}
