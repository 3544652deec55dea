import { sql } from 'kysely';
import Stripe from 'stripe';
import { isRefusal } from '#server/payments/card-network.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/db.ts';
import type { BookingParts } from './settle-booking.ts';

/** After so many refusals by the card network a refund counts as failed and somebody has to look at it. */
const maxAttempts = 5;

/**
 * Pays a refund back to the card, once: what was already sent is found by its id in the refund's metadata, and
 * the id is the idempotency key. A refund that is finished is left alone; one that cannot be sent now is tried
 * again by the sweeper, later and later.
 */
export async function sendRefund(parts: BookingParts, refundId: string): Promise<void> {
  const { db, cards, log } = parts;
  const refund = await db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.paymentId', 'refunds.paymentId')
    .select(['refunds.amountCents', 'refunds.attempts', 'payments.stripePaymentIntentId as intentId'])
    .where('refundId', '=', refundId)
    .where('refunds.status', '=', 'pending')
    .executeTakeFirst();
  if (!refund?.intentId) return;
  const { intentId, amountCents, attempts } = refund;
  try {
    const sent =
      (await findRefund(cards, intentId, refundId)) ??
      (await cards.refunds.create(
        {
          payment_intent: intentId,
          amount: amountCents,
          reason: 'requested_by_customer',
          metadata: { refund_id: refundId },
        },
        { idempotencyKey: refundId },
      ));
    await recordRefund(parts, refundId, sent);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const isFinal = isRefusal(error) && attempts + 1 >= maxAttempts;
    log.error({ refundId, attempts: attempts + 1, code: error.code, isFinal }, 'refund not sent');
    await db
      .updateTable('refunds')
      .set({
        attempts: attempts + 1,
        checkAt: sql<string>`now() + least(15 * 2 ^ ${Math.min(attempts, 8)}::integer, 3600) * interval '1 second'`,
        failureMessage: error.message,
        updatedAt: sql<string>`now()`,
      })
      .where('refundId', '=', refundId)
      .where('status', '=', 'pending')
      .execute();
    if (error.code === 'charge_already_refunded') await readRefundsAgain(parts, intentId);
    if (isFinal) await failRefund(db, refundId, error.message, null);
  }
}

/**
 * Writes down how far a refund has come on the card network. Forward only: a finished one stays finished, save
 * that a bank can send back, days later, what had succeeded.
 */
async function recordRefund({ db, log }: BookingParts, refundId: string, sent: Stripe.Refund): Promise<void> {
  if (sent.status === 'failed' || sent.status === 'canceled') {
    log.error({ refundId, reason: sent.failure_reason }, 'refund failed');
    const message = `The bank sent the refund back (${sent.failure_reason ?? sent.status}).`;
    return failRefund(db, refundId, message, sent.id);
  }
  const isDone = sent.status === 'succeeded';
  await sql`
    with refund as (
      update refunds
      set status = ${isDone ? 'succeeded' : 'pending'}, stripe_refund_id = ${sent.id}, failure_message = null,
          check_at = now() + interval '1 hour', updated_at = now()
      where refund_id = ${refundId}::uuid and status = 'pending'
      returning payment_id
    )
    update bookings set status = 'refunded'
    from refund
    where ${isDone} and bookings.payment_id = refund.payment_id and bookings.status = 'cancelled'`.execute(
    db,
  );
}

async function failRefund(
  db: Database,
  refundId: string,
  message: string,
  stripeRefundId: string | null,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const failed = await tx
      .updateTable('refunds')
      .set({ status: 'failed', failureMessage: message, stripeRefundId, updatedAt: sql<string>`now()` })
      .where('refundId', '=', refundId)
      .where('status', '!=', 'failed')
      .where((is) => is.or([is('stripeRefundId', 'is', null), is('stripeRefundId', '=', stripeRefundId)]))
      .returning('amountCents')
      .executeTakeFirst();
    if (!failed) return;
    const deed = { action: 'refund.failed', subjectType: 'refund', subjectId: refundId };
    await recordAudit(tx, { system: 'card network' }, { ...deed, after: { ...failed, message } });
  });
}

async function findRefund(cards: Stripe, intentId: string, refundId: string): Promise<Stripe.Refund | null> {
  for await (const sent of cards.refunds.list({ payment_intent: intentId, limit: 100 })) {
    if (sent.metadata?.refund_id === refundId) return sent;
  }
  return null;
}

/** Reads all refunds of a payment intent again, those that somebody made by hand at the card network included. */
export async function readRefundsAgain(parts: BookingParts, intentId: string): Promise<void> {
  for await (const sent of parts.cards.refunds.list({ payment_intent: intentId, limit: 100 })) {
    const refundId = sent.metadata?.refund_id;
    if (refundId) await recordRefund(parts, refundId, sent);
    else if (sent.status === 'succeeded') await adoptRefund(parts, intentId, sent);
  }
}

/** A refund made by hand stands for the one of ours that could not be paid, if the amounts are the same. */
async function adoptRefund({ db, log }: BookingParts, intentId: string, sent: Stripe.Refund): Promise<void> {
  const { rows } = await sql<{ refundId: string }>`
    with refund as (
      update refunds
      set status = 'succeeded', stripe_refund_id = ${sent.id}, failure_message = null, updated_at = now()
      from payments
      where payments.payment_id = refunds.payment_id and payments.stripe_payment_intent_id = ${intentId}
        and refunds.amount_cents = ${sent.amount}
        and (refunds.status <> 'succeeded' or refunds.stripe_refund_id = ${sent.id})
      returning refunds.refund_id, refunds.payment_id
    ), booking as (
      update bookings set status = 'refunded'
      from refund where bookings.payment_id = refund.payment_id and bookings.status = 'cancelled'
    )
    select refund_id from refund`.execute(db);
  if (rows.length === 0) log.error({ intentId, stripeRefundId: sent.id }, 'refund made outside the product');
}
