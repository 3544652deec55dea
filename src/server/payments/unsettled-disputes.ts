import { sql } from 'kysely';

/**
 * SQL: whether a row of `disputes` is open, or lost and not yet booked. After a won dispute or a closed inquiry, the
 * coach keeps the money; after a lost one, the dispute records who bears the loss once an admin has booked it. Written
 * in the form of the index `disputes_open`.
 */
export const isUnsettled = sql`(disputes.status not in ('won', 'warning_closed') and disputes.booked_at is null)`;
