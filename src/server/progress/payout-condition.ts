import { sql } from 'kysely';
import type { PayoutWait } from '#domain/progress/rules.ts';

/**
 * SQL: what a booking's payout waits for: `attendance`, `note` or null. Expects the aliases `booking` and `slot`. The
 * rule is a database function, which also guards payruns (migrations/0031_progress.sql).
 */
export const payoutWaitsFor = sql<PayoutWait | null>`payout_waits_for(booking, slot)`;

/** SQL: whether a booking's payout waits for attendance or a note. Expects the aliases `booking` and `slot`. */
export const isWaiting = sql<boolean>`(payout_waits_for(booking, slot) is not null)`;
