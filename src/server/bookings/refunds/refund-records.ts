import { sql } from 'kysely';
import type Stripe from 'stripe';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import type { BookingParts } from '../booking/settle-booking.ts';
import { isAlive, isUnexplained, openCents } from './external-money.ts';

/**
 * Records what Stripe reports about a refund that we sent. A successful refund changes only if a bank returns it, which
 * can be days later; a settled refund does not change.
 */
export async function recordRefund(
  parts: BookingParts,
  refundId: string,
  sent: Stripe.Refund,
): Promise<void> {
  if (!isAlive(sent)) {
    parts.log.error({ refundId, reason: sent.failure_reason }, 'refund failed');
    const message = `The bank sent the refund back (${sent.failure_reason ?? sent.status}).`;
    return failRefund(parts.db, refundId, { message, stripeRefundId: sent.id });
  }
  return completeRefund(parts, refundId, sent);
}

/**
 * Records that a refund was sent or has arrived, as Stripe reports it, even if the refund had failed. `sent` is null if
 * nothing was left on the charge; refunds made in Stripe then cover the whole refund.
 */
export async function completeRefund(
  { db }: BookingParts,
  refundId: string,
  sent: Stripe.Refund | null,
): Promise<void> {
  const isDone = sent === null || sent.status === 'succeeded';
  await db.transaction().execute(async (tx) => {
    await lockBookingsOf(tx, refundId);
    const { rows } = await sql<{ paymentId: string; amountCents: number; givenUpAt: string | null }>`
      update refunds
      set status = ${isDone ? 'succeeded' : 'pending'}, stripe_refund_id = ${sent?.id ?? null}, failure_message = null,
          check_at = now() + interval '1 hour', updated_at = now()
      where refund_id = ${refundId}::uuid and status in ('pending', 'failed')
      returning payment_id, amount_cents, given_up_at`.execute(tx);
    const refund = rows[0];
    if (!refund || !isDone) return;
    const uncoveredCents = refund.amountCents - (sent?.amount ?? 0);
    if (uncoveredCents > 0) await coverRefund(tx, refund.paymentId, refundId, uncoveredCents);
    await showRefundState(tx, refundId);
    if (refund.givenUpAt) await enqueue(tx, 'bookings.refund-settled', { refundId });
  });
}

/**
 * Marks as failed a refund that Stripe refused too often or, with `stripeRefundId`, that a bank sent back. An admin has
 * to act; the customer and the admins are notified once. A refund that has since been sent again is not changed.
 */
export async function failRefund(
  db: Database,
  refundId: string,
  { message, stripeRefundId = null }: { message: string; stripeRefundId?: string | null },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockBookingsOf(tx, refundId);
    const failed = await tx
      .updateTable('refunds')
      .set({
        status: 'failed',
        failureMessage: message,
        stripeRefundId,
        givenUpAt: sql<string>`now()`,
        updatedAt: sql<string>`now()`,
      })
      .where('refundId', '=', refundId)
      .where('status', 'in', ['pending', 'succeeded'])
      .where((is) => is.or([is('stripeRefundId', 'is', null), is('stripeRefundId', '=', stripeRefundId)]))
      .returning('amountCents')
      .executeTakeFirst();
    if (failed) await recordFailure(tx, { refundId, ...failed, message });
  });
}

/**
 * Handles a refund that has just failed: detaches external refunds from it, updates its bookings' status, audits the
 * failure and queues the notification. `tx` must be the transaction that marked the refund as failed.
 */
export async function recordFailure(
  tx: Tx,
  { refundId, amountCents, message }: Record<'refundId' | 'message', string> & { amountCents: number },
): Promise<void> {
  await sql`
    update external_refunds set refund_id = null, covers_cents = 0 where refund_id = ${refundId}::uuid`.execute(
    tx,
  );
  await sql`
    update external_refunds set entered_refund_id = null, entered_cents = 0
    where entered_refund_id = ${refundId}::uuid`.execute(tx);
  await showRefundState(tx, refundId);
  await recordAudit(
    tx,
    { system: 'Stripe' },
    {
      action: 'refund.failed',
      subjectType: 'refund',
      subjectId: refundId,
      after: { amountCents, message },
    },
  );
  await enqueue(tx, 'bookings.refund-given-up', { refundId });
}

/**
 * Locks a refund's bookings before the refund changes. If two refunds end simultaneously, the second then sees the
 * result of the first.
 */
export async function lockBookingsOf(tx: Tx, refundId: string): Promise<void> {
  await sql`
    select from bookings where booking_id in (select booking_id from refund_lines where refund_id = ${refundId}::uuid)
    order by booking_id for no key update`.execute(tx);
}

/**
 * Marks the cancelled bookings of a refund as refunded when all of their refunds have been paid, or as cancelled again
 * if one is pending or has failed. The caller must have locked the bookings.
 */
export async function showRefundState(tx: Tx, refundId: string): Promise<void> {
  await sql`
    update bookings booking set status = state.booking_status
    from (
      select line.booking_id,
        case when bool_or(status in ('pending', 'failed')) then 'cancelled' else 'refunded' end as booking_status
      from refund_lines line join refunds using (refund_id)
      where line.booking_id in (select booking_id from refund_lines where refund_id = ${refundId}::uuid)
      group by line.booking_id
    ) state
    where booking.booking_id = state.booking_id and booking.status in ('cancelled', 'refunded')
      and booking.status <> state.booking_status`.execute(tx);
}

/**
 * Counts refunds made in Stripe towards `cents` of our own refund, oldest first. Each of them counts towards only one
 * of our refunds. Returns the part of `cents` that they don't cover.
 */
export async function coverRefund(
  tx: Tx,
  paymentId: string,
  refundId: string,
  cents: number,
): Promise<number> {
  const { rows } = await sql<{ covered: number }>`
    with free as (
      select stripe_refund_id, ${openCents} as open_cents,
        sum(${openCents}) over (order by made_at, stripe_refund_id) - ${openCents} as before_cents
      from external_refunds external
      where payment_id = ${paymentId}::uuid and refund_id is null and ${isUnexplained}
    ), covering as (
      update external_refunds external
      set refund_id = ${refundId}::uuid, covers_cents = least(free.open_cents, ${cents} - free.before_cents)
      from free
      where free.stripe_refund_id = external.stripe_refund_id and free.before_cents < ${cents}
      returning external.covers_cents
    )
    select coalesce(sum(covers_cents), 0)::integer as covered from covering`.execute(tx);
  return cents - rows[0]!.covered;
}
