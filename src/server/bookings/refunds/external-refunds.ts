import { sql } from 'kysely';
import type Stripe from 'stripe';
import type { Database, Tx } from '#server/platform/db/db.ts';
import type { BookingParts } from '../booking/settle-booking.ts';
import { readPayment } from '../payment/payment-records.ts';
import { isAlive } from './external-money.ts';
import { lockBookingsOf, recordFailure, recordRefund } from './refund-records.ts';

/**
 * A refund that Stripe lists. `refundId` and `keyNumber` are our metadata; for a refund made directly in Stripe, they
 * are undefined and 0. `isAlive`: neither failed nor cancelled, so it reduces the charge.
 */
type ListedRefund = {
  refund: Stripe.Refund;
  refundId: string | undefined;
  keyNumber: number;
  isAlive: boolean;
};

/** Reads every refund of a payment intent from Stripe, including refunds that were made directly in Stripe. */
export async function listStripeRefunds(cards: Stripe, intentId: string): Promise<ListedRefund[]> {
  const made: ListedRefund[] = [];
  for await (const refund of cards.refunds.list({ payment_intent: intentId, limit: 100 })) {
    made.push({
      refund,
      refundId: refund.metadata?.refund_id,
      keyNumber: Number(refund.metadata?.key_number ?? 0),
      isAlive: isAlive(refund),
    });
  }
  return made;
}

/** Reads all refunds of a payment intent again and records them: ours and those made directly in Stripe. */
export async function readRefundsAgain(parts: BookingParts, intentId: string): Promise<void> {
  const { db, cards, log } = parts;
  const payment = await readPayment(db, { intentId });
  if (!payment) return log.warn({ intentId }, 'refund of an unknown payment');
  const made = await listStripeRefunds(cards, intentId);
  await recordExternalRefunds(db, payment.paymentId, made);
  const own = await db
    .selectFrom('refunds')
    .select(['refundId', 'keyNumber', 'stripeRefundId'])
    .where('paymentId', '=', payment.paymentId)
    .execute();
  for (const { keyNumber, ...refund } of own) {
    const { refundId } = refund;
    const sent = made.filter((one) => isOwn(refund, one));
    // A retried refund is paid if any attempt succeeds, but has failed only if its last attempt has failed.
    const last = sent.find(({ isAlive }) => isAlive) ?? sent.find((one) => one.keyNumber === keyNumber);
    if (last) await recordRefund(parts, refundId, last.refund);
  }
}

/**
 * Whether a refund that Stripe lists is this one of ours: by Stripe's id or, if we haven't stored it yet, by our id in
 * its metadata. The amount can't tell them apart, because two intended refunds can be equal.
 */
export const isOwn = (own: OwnRefund, { refund, refundId }: ListedRefund): boolean =>
  own.stripeRefundId === refund.id || own.refundId === refundId;

type OwnRefund = { refundId: string; stripeRefundId: string | null };

/**
 * Records the refunds of a payment that were made directly in Stripe, each once, with their current status. The ledger
 * does not change: such a refund counts towards our own refunds only when an admin confirms it, or if too little is
 * left on the charge for our own refund.
 */
export async function recordExternalRefunds(
  db: Database,
  paymentId: string,
  made: ListedRefund[],
): Promise<void> {
  const own = await db
    .selectFrom('refunds')
    .select(['refundId', 'stripeRefundId'])
    .where('paymentId', '=', paymentId)
    .execute();
  for (const one of made) {
    if (own.some((refund) => isOwn(refund, one))) continue;
    await recordExternalRefund(db, paymentId, one.refund, one.isAlive);
  }
}

async function recordExternalRefund(
  db: Database,
  paymentId: string,
  { id, amount, status, created }: Stripe.Refund,
  isAlive: boolean,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<Record<'refundId' | 'enteredRefundId', string | null>>`
      insert into external_refunds (stripe_refund_id, payment_id, amount_cents, status, made_at)
      values (${id}, ${paymentId}::uuid, ${amount}, ${status ?? 'pending'}, to_timestamp(${created}))
      on conflict (stripe_refund_id) do update set status = excluded.status
        where external_refunds.status <> excluded.status
      returning refund_id, entered_refund_id`.execute(tx);
    if (!rows[0] || isAlive) return;
    for (const refundId of [rows[0].refundId, rows[0].enteredRefundId]) {
      if (refundId) await oweAgain(tx, refundId);
    }
  });
}

/**
 * Marks our refund as failed, because a refund made in Stripe that covered all or part of it has failed or was
 * cancelled.
 */
async function oweAgain(tx: Tx, refundId: string): Promise<void> {
  await lockBookingsOf(tx, refundId);
  const message = 'The refund made in Stripe failed or was cancelled.';
  const failed = await tx
    .updateTable('refunds')
    .set({
      status: 'failed',
      failureMessage: message,
      settledAt: null,
      settledBy: null,
      settledReason: null,
      givenUpAt: sql<string>`now()`,
    })
    .where('refundId', '=', refundId)
    .where('status', 'in', ['succeeded', 'settled'])
    .returning('amountCents')
    .executeTakeFirst();
  if (failed) await recordFailure(tx, { refundId, amountCents: failed.amountCents, message });
}
