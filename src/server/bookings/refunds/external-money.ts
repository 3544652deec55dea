import { type RawBuilder, sql } from 'kysely';
import type Stripe from 'stripe';

/** Stripe's statuses of refunds that never reduced the charge or no longer reduce it. */
const deadStatuses = ['failed', 'canceled'];

/** Whether a refund in Stripe has neither failed nor been cancelled. */
export const isAlive = ({ status }: Pick<Stripe.Refund, 'status'>) => !deadStatuses.includes(status ?? '');

/** {@link isAlive} in SQL, for a row of `external_refunds` aliased `external`. */
export const isAliveSql = sql`external.status not in (${sql.join(deadStatuses.map((status) => sql.lit(status)))})`;

/**
 * SQL: the part of a row of `external_refunds`, aliased `external`, that isn't in any of our own refunds, in minor
 * units.
 */
export const openCents = sql`(external.amount_cents - external.covers_cents - external.entered_cents)`;

/**
 * SQL: whether a row of `external_refunds` (aliased `external`) has neither failed nor been cancelled, and part of it
 * isn't in any of our own refunds. Written in the form of the index `external_refunds_unexplained`.
 */
export const isUnexplained = sql`external.covers_cents + external.entered_cents < external.amount_cents and ${isAliveSql}`;

/** SQL: the amount of a payment, in minor units, that was refunded in Stripe and isn't in any of our own refunds. */
export const unexplainedCents = (paymentId: RawBuilder<unknown>) => sql`(
  select coalesce(sum(${openCents}), 0)::integer from external_refunds external
  where external.payment_id = ${paymentId} and ${isAliveSql}
)`;
