import { sql } from 'kysely';
import type { Database, Tx } from '#server/platform/db/db.ts';

/**
 * Marks accepted documents as replaced if another accepted document of the same kind already counts and makes them
 * superfluous. A document that begins later doesn't replace anything yet, because that would leave a gap. `documentId`
 * is the document that replaces others; null stands for all documents of all coaches.
 */
export async function replaceEarlier(db: Database | Tx, documentId: string | null): Promise<void> {
  await sql`
    update coach_documents earlier set status = 'replaced', closed_at = now()
    from coach_documents later
    where later.status = 'accepted' and later.issued_on <= (now() at time zone 'Europe/London')::date
      and (${documentId}::uuid is null or later.document_id = ${documentId}::uuid)
      and earlier.status = 'accepted' and earlier.coach_id = later.coach_id and earlier.kind = later.kind
      and earlier.scheme is not distinct from later.scheme
      and (later.counts_for_minors or not earlier.counts_for_minors)
      and (earlier.ends_on, earlier.checked_at, earlier.document_id)
        < (later.ends_on, later.checked_at, later.document_id)`.execute(db);
}
