import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { FailedRefund, refundsApi } from '#domain/bookings/refunds-contract.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import { callStripe } from '#server/payments/stripe-client.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { cutPage, readPageCursor, rowsOfPage } from '#server/platform/db/page-cursor.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import type { BookingParts } from '../booking/settle-booking.ts';
import { coachFullName } from '../coach-full-name.ts';
import { unexplainedCents } from './external-money.ts';
import { readRefundsAgain } from './external-refunds.ts';
import { coverRefund, lockBookingsOf, showRefundState } from './refund-records.ts';

/** Returns a page of the failed refunds, oldest first. */
export async function listFailedRefunds(
  db: Database,
  { cursor, limit }: ParsedInputOf<typeof refundsApi.listFailed>,
): Promise<OutputOf<typeof refundsApi.listFailed>> {
  const after = readPageCursor(cursor);
  type Row = Omit<FailedRefund, 'card'> & { cardBrand: string | null; cardLastFour: string | null };
  const { rows } = await sql<Row>`
    select refund.refund_id, booking.booking_id, refund.amount_cents, refund.given_up_at as failed_at,
      coalesce(refund.failure_message, '') as message, customer.full_name as customer_name,
      customer.email as customer_email, booking.titles as title,
      ${coachFullName} as coach_name,
      lower(booking.during) as start_time,
      payment.card_brand, payment.card_last_four, ${unexplainedCents(sql`payment.payment_id`)} as refunded_in_stripe_cents
    from refunds refund
    join payments payment using (payment_id)
    cross join lateral (
      select booking.*, string_agg(booking.title, ', ') over () as titles
      from refund_lines line join bookings booking using (booking_id)
      where line.refund_id = refund.refund_id
      order by lower(booking.during), booking.booking_id limit 1
    ) booking
    join profiles customer on customer.user_id = booking.customer_user_id
    join lesson_slots slot using (slot_id)
    join profiles coach on coach.user_id = slot.coach_id
    where refund.status = 'failed'
      ${after ? sql`and (refund.given_up_at, refund.refund_id) > (${after.time}::timestamptz, ${after.id}::uuid)` : sql``}
    order by refund.given_up_at, refund.refund_id
    limit ${rowsOfPage(limit)}`.execute(db);
  const { page, nextCursor } = cutPage(rows, limit, ({ failedAt, refundId }) => ({
    time: failedAt,
    id: refundId,
  }));
  return {
    refunds: page.map(({ cardBrand, cardLastFour, ...refund }) => ({
      ...refund,
      card: cardBrand && cardLastFour ? { brand: cardBrand, lastFour: cardLastFour } : null,
    })),
    nextCursor,
  };
}

/**
 * Queues a failed refund to be sent again under a new idempotency key. Throws `not_found`, and `conflict` if the refund
 * has not failed.
 */
export async function retryRefund({ db }: BookingParts, admin: Person, refundId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ amountCents: number }>`
      update refunds
      set status = 'pending', key_number = key_number + 1, asked_cents = null, stripe_refund_id = null, attempts = 0,
          refusals = 0, check_at = now(), updated_at = now()
      where refund_id = ${refundId}::uuid and status = 'failed'
      returning amount_cents`.execute(tx);
    if (!rows[0]) throw await refuseDone(tx, refundId);
    await recordAudit(tx, admin, {
      action: 'refund.retried',
      subjectType: 'refund',
      subjectId: refundId,
      before: { status: 'failed' },
      after: { status: 'pending', amountCents: rows[0].amountCents },
    });
    await enqueue(tx, 'bookings.refund-requested', { refundId });
  });
}

/**
 * Reads the state of a failed refund from Stripe again, then records that the customer was paid another way. Throws
 * `not_found`; `conflict` if the refund has not failed or, with `isRefundedInStripe`, if refunds made in Stripe do not
 * cover it; `unprocessable` if Stripe refuses the call; `unavailable` if Stripe does not respond.
 */
export async function settleRefund(
  parts: BookingParts,
  admin: Person,
  { refundId, reason, isRefundedInStripe }: ParsedInputOf<typeof refundsApi.settle>,
): Promise<void> {
  const { db } = parts;
  const payment = await db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.paymentId', 'refunds.paymentId')
    .select(['payments.paymentId', 'payments.stripePaymentIntentId as intentId', 'refunds.amountCents'])
    .where('refundId', '=', refundId)
    .executeTakeFirst();
  if (!payment) throw notFound();
  const { paymentId, intentId, amountCents } = payment;
  if (intentId) {
    await callStripe(
      () => readRefundsAgain(parts, intentId),
      "We couldn't check this refund with Stripe. Please try again.",
    );
  }
  await db.transaction().execute(async (tx) => {
    await lockBookingsOf(tx, refundId);
    const { rows } = await sql`
      update refunds
      set status = 'settled', settled_at = now(), settled_by = ${admin.userId}::uuid, settled_reason = ${reason},
          updated_at = now()
      where refund_id = ${refundId}::uuid and status = 'failed'
      returning refund_id`.execute(tx);
    if (rows.length === 0) throw await refuseDone(tx, refundId);
    if (isRefundedInStripe && (await coverRefund(tx, paymentId, refundId, amountCents)) > 0) {
      throw new AppError('conflict', "The refunds made in Stripe don't cover this refund.");
    }
    await showRefundState(tx, refundId);
    await recordAudit(tx, admin, {
      action: 'refund.settled',
      subjectType: 'refund',
      subjectId: refundId,
      before: { status: 'failed' },
      after: { status: 'settled', amountCents, reason, isRefundedInStripe },
    });
    await enqueue(tx, 'bookings.refund-settled', { refundId });
  });
}

const notFound = () => new AppError('not_found', 'Refund not found.');

async function refuseDone(tx: Tx, refundId: string): Promise<AppError> {
  const refund = await tx
    .selectFrom('refunds')
    .select('status')
    .where('refundId', '=', refundId)
    .executeTakeFirst();
  if (!refund) return notFound();
  const how = {
    pending: 'is already on its way',
    succeeded: 'has gone through after all',
    settled: 'has already been settled',
    failed: 'has just failed',
  };
  return new AppError('conflict', `This refund ${how[refund.status]}.`);
}
