import { type RawBuilder, sql } from 'kysely';
import type Stripe from 'stripe';

/** Statuses of refunds at the card network whose money stayed on, or returned to, the charge. */
const deadStatuses = ['failed', 'canceled'];

/** Whether a refund at the card network took, or is taking, its money off the charge. */
export const isAlive = ({ status }: Pick<Stripe.Refund, 'status'>) => !deadStatuses.includes(status ?? '');

/** {@link isAlive} in SQL, for a row of `external_refunds` aliased `external`. */
export const isAliveSql = sql`external.status not in (${sql.join(deadStatuses.map((status) => sql.lit(status)))})`;

/** Whether a row of `external_refunds` (aliased `external`) covers less than its amount of our refunds. */
export const isUnexplained = sql`external.covers_cents < external.amount_cents and ${isAliveSql}`;

/** The part of a payment refunded at the card network itself that covers none of our refunds yet, in cents. */
export const unexplainedCents = (paymentId: RawBuilder<unknown>) => sql`(
  select coalesce(sum(external.amount_cents - external.covers_cents), 0)::integer from external_refunds external
  where external.payment_id = ${paymentId} and ${isAliveSql}
)`;
