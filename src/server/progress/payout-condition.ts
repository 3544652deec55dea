import { sql } from 'kysely';
import type { PayoutWait } from '#domain/progress/rules.ts';

/**
 * SQL: what the payout of a booking (aliased `booking`, with `slot`) waits for: `attendance`, `note` or null. The rule is
 * the database's function, which also guards payruns (migrations/0031_progress.sql).
 */
export const payoutWaitsFor = sql<PayoutWait | null>`payout_waits_for(booking, slot)`;

/** SQL: whether the payout of a booking (aliased `booking`, with `slot`) waits for attendance or a note. */
export const isWaiting = sql<boolean>`(payout_waits_for(booking, slot) is not null)`;
