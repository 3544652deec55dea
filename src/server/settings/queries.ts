import { type CancellationPolicy, cancellationPolicy } from '#domain/settings/contract.ts';
import type { Database, Tx } from '#server/platform/db.ts';

/** The cancellation policy in force. Throws where an operator left something in it that cannot be read. */
export async function readCancellationPolicy(db: Database | Tx): Promise<CancellationPolicy> {
  const row = await db
    .selectFrom('siteSettings')
    .select('value')
    .where('key', '=', 'cancellation_policy')
    .executeTakeFirstOrThrow();
  return cancellationPolicy.parse(row.value);
}
