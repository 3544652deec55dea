import { type RawBuilder, sql } from 'kysely';
import type Stripe from 'stripe';

/** Statuses of a refund at the card network that left its money on the charge. */
const deadStatuses = ['failed', 'canceled'];

/** Whether a refund at the card network took, or is taking, its money off the charge. */
export const isAlive = ({ status }: Pick<Stripe.Refund, 'status'>) => !deadStatuses.includes(status ?? '');

/** The same for a row of `external_refunds`, aliased `external`. */
export const isAliveSql = sql`external.status not in (${sql.join(deadStatuses.map((status) => sql.lit(status)))})`;

/** Whether such a row is not wholly explained by refunds of ours. */
export const isUnexplained = sql`external.covers_cents < external.amount_cents and ${isAliveSql}`;

/** The part of a payment that was refunded at the card network itself and is not explained yet, in cents. */
export const unexplainedCents = (paymentId: RawBuilder<unknown>) => sql`(
  select coalesce(sum(external.amount_cents - external.covers_cents), 0)::integer from external_refunds external
  where external.payment_id = ${paymentId} and ${isAliveSql}
)`;
