import { sql } from 'kysely';
import type Stripe from 'stripe';
import { recordDispute } from '#server/payments/record-dispute.ts';
import { idOf } from '#server/payments/save-card.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readPayment } from '../payment/payment-records.ts';
import { listStripeRefunds, recordExternalRefunds } from './external-refunds.ts';

const day = 86_400;
/** How many days back to look for refunds. Earlier runs have found all older refunds. */
const refundDays = 35;
/** How many days back to look for disputes, which can take months to be decided. */
const disputeDays = 180;

/**
 * Reads from Stripe the refunds and disputes that are missing or out of date in our database and records them,
 * so that the audit does not depend on webhook events.
 */
export async function findExternalMoney(db: Database, cards: Stripe): Promise<void> {
  const nowSeconds = Math.floor(Date.now() / 1000);
  const disputes = cards.disputes.list({ created: { gte: nowSeconds - disputeDays * day }, limit: 100 });
  for await (const dispute of disputes) await recordDispute(db, dispute);
  const refunds: { id: string; status: string; intentId: string }[] = [];
  const list = cards.refunds.list({ created: { gte: nowSeconds - refundDays * day }, limit: 100 });
  for await (const { id, status, payment_intent } of list) {
    const intentId = idOf(payment_intent);
    if (intentId) refunds.push({ id, status: status ?? 'pending', intentId });
  }
  for (const intentId of await findUnknown(db, refunds)) {
    const payment = await readPayment(db, { intentId });
    if (!payment) continue;
    await recordExternalRefunds(db, payment.paymentId, await listStripeRefunds(cards, intentId));
  }
}

async function findUnknown(
  db: Database,
  refunds: { id: string; status: string; intentId: string }[],
): Promise<string[]> {
  const { rows } = await sql<{ intentId: string }>`
    select distinct theirs.intent_id
    from unnest(${refunds.map(({ id }) => id)}::text[], ${refunds.map(({ status }) => status)}::text[],
      ${refunds.map(({ intentId }) => intentId)}::text[]) theirs (id, status, intent_id)
    where not exists (select from refunds where stripe_refund_id = theirs.id)
      and not exists (
        select from external_refunds external
        where external.stripe_refund_id = theirs.id and external.status = theirs.status)`.execute(db);
  return rows.map(({ intentId }) => intentId);
}
