import { sql } from 'kysely';

/**
 * SQL: whether a row of `disputes` is open, or lost with no loss recorded yet. After a won dispute or a closed inquiry,
 * the coach keeps the money; after a lost one, an admin records who bears the loss. Written in the form of the index
 * `disputes_open`.
 */
export const isUnsettled = sql`(disputes.status not in ('won', 'warning_closed') and disputes.booked_at is null)`;
