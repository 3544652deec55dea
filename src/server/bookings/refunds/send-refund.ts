import { sql } from 'kysely';
import Stripe from 'stripe';
import { isRefusal, isStoredFailure } from '#server/payments/stripe-client.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { BookingParts } from '../booking/settle-booking.ts';
import { isOwn, listStripeRefunds, recordExternalRefunds } from './external-refunds.ts';
import { completeRefund, failRefund, recordRefund } from './refund-records.ts';

/** After this many definite failures at Stripe, a refund fails and an admin has to act. */
export const maxRefusals = 5;

/**
 * Seconds to wait after a definite failure before using the next key: longer than the longest call (32 s), so that
 * another process's call under the previous key has ended.
 */
const restSeconds = 45;

type PendingRefund = {
  refundId: string;
  paymentId: string;
  intentId: string | null;
  amountCents: number;
  chargedCents: number;
  askedCents: number | null;
  keyNumber: number;
  stripeRefundId: string | null;
  refusals: number;
  attempts: number;
};

/**
 * Refunds a card once. A refund that was already sent is found by Stripe's id, or by our id in its metadata. The
 * request and its idempotency key are stored before the call and kept until the call has definitely failed, so a lost
 * response never leads to a second refund. Requests at most the amount left on the charge, so money refunded directly
 * in Stripe is not refunded again. A refund that can't be sent is retried by the payment sweep with increasing delays,
 * and fails after {@link maxRefusals} definite failures.
 */
export async function sendRefund(parts: BookingParts, refundId: string): Promise<void> {
  const refund = await readPendingRefund(parts.db, refundId);
  if (!refund?.intentId) return;
  try {
    await sendOnce(parts, { ...refund, intentId: refund.intentId });
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    await noteFailure(parts, refund, error);
  }
}

async function sendOnce(parts: BookingParts, refund: PendingRefund & { intentId: string }): Promise<void> {
  const { db, cards } = parts;
  const { refundId, paymentId, intentId, amountCents, chargedCents } = refund;
  const made = await listStripeRefunds(cards, intentId);
  const own = made.filter((one) => isOwn(refund, one));
  const sent =
    own.find(({ isAlive }) => isAlive) ?? own.find(({ keyNumber }) => keyNumber === refund.keyNumber);
  if (sent) return recordRefund(parts, refundId, sent.refund);
  await recordExternalRefunds(db, paymentId, made);
  const takenCents = made.reduce((sum, one) => (one.isAlive ? sum + one.refund.amount : sum), 0);
  const leftCents = Math.min(amountCents, Math.max(chargedCents - takenCents, 0));
  const askedCents = await writeDownAsked(db, refund, leftCents);
  if (askedCents === null) return;
  if (askedCents === 0) return completeRefund(parts, refundId, null);
  const asked = await cards.refunds.create(
    {
      payment_intent: intentId,
      amount: askedCents,
      reason: 'requested_by_customer',
      metadata: { refund_id: refundId, key_number: String(refund.keyNumber) },
    },
    { idempotencyKey: refund.keyNumber === 0 ? refundId : `${refundId}-${refund.keyNumber}` },
  );
  await recordRefund(parts, refundId, asked);
}

async function readPendingRefund(db: Database, refundId: string): Promise<PendingRefund | undefined> {
  const { rows } = await sql<PendingRefund>`
    select refund.refund_id, refund.payment_id, payment.stripe_payment_intent_id as intent_id, refund.amount_cents,
      payment.amount_cents as charged_cents, refund.asked_cents, refund.key_number, refund.stripe_refund_id,
      refund.refusals, refund.attempts
    from refunds refund join payments payment using (payment_id)
    where refund.refund_id = ${refundId}::uuid and refund.status = 'pending'
      and (refund.refused_at is null or refund.refused_at <= now() - ${restSeconds} * interval '1 second')`.execute(
    db,
  );
  return rows[0];
}

/**
 * Records the amount to request under this key, in minor units, and returns it; an amount that is already recorded is
 * kept. Returns null if the refund no longer uses this key.
 */
async function writeDownAsked(
  db: Database,
  { refundId, keyNumber }: PendingRefund,
  leftCents: number,
): Promise<number | null> {
  const { rows } = await sql<{ askedCents: number }>`
    update refunds set asked_cents = coalesce(asked_cents, ${leftCents}::integer), updated_at = now()
    where refund_id = ${refundId}::uuid and status = 'pending' and key_number = ${keyNumber}
    returning asked_cents`.execute(db);
  return rows[0]?.askedCents ?? null;
}

/**
 * Records a failed attempt and when to retry. A definite failure is a refusal, or an error that Stripe stored under the
 * idempotency key; the next attempt then uses a new key, unless it finds the refund. After any other failure, the same
 * key is used again.
 */
async function noteFailure(
  { db, log }: BookingParts,
  { refundId, keyNumber, attempts, refusals }: PendingRefund,
  error: InstanceType<typeof Stripe.errors.StripeError>,
): Promise<void> {
  const isDefinite = isRefusal(error) || isStoredFailure(error);
  const isFinal = isDefinite && refusals + 1 >= maxRefusals;
  log.error({ refundId, attempts: attempts + 1, code: error.code, isFinal }, 'refund not sent');
  const waitSeconds = (isDefinite ? restSeconds : 15) * 2 ** Math.min(isDefinite ? refusals : attempts, 8);
  const { rows } = await sql`
    update refunds
    set attempts = attempts + 1, failure_message = ${error.message}, updated_at = now(),
        check_at = now() + least(${waitSeconds}::integer, 3600) * interval '1 second'
        ${isDefinite ? sql`, refusals = refusals + 1, refused_at = now(), key_number = key_number + 1, asked_cents = null` : sql``}
    where refund_id = ${refundId}::uuid and status = 'pending' and key_number = ${keyNumber}
    returning refund_id`.execute(db);
  if (isFinal && rows.length > 0) await failRefund(db, refundId, { message: error.message });
}
