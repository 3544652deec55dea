import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { nameAttendee } from '#domain/bookings/attendee-status.ts';
import { feeOfRefund, policyFields, refundForCancelling } from '#domain/bookings/cancellation-policy.ts';
import type { Booking } from '#domain/bookings/contract.ts';
import { refuseCancel } from '#domain/bookings/rules.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { formatPounds } from '#domain/money.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { lockSlotOf } from '../payment/payment-records.ts';
import { getBooking } from '../queries.ts';
import { coachsRefunds } from './refund-booking.ts';
import { writeRefunds } from './write-refunds.ts';

/**
 * Cancels a booking for its customer. Seat, refund, ledger entries and the jobs for the email and the refund commit
 * together. `expectedRefundCents` is the refund that the customer saw. Throws `not_found`, and `conflict` if the
 * booking can't be cancelled, if another guardian paid for it or, with details.refundCents, if the policy at purchase
 * now gives a different amount.
 */
export async function cancelBooking(
  db: Database,
  customer: Person,
  { bookingId, expectedRefundCents }: { bookingId: string; expectedRefundCents: number },
): Promise<Booking> {
  await db.transaction().execute(async (tx) => {
    const booking = await lockBooking(tx, bookingId);
    if (booking?.customerUserId !== customer.userId) throw await refuseOthers(tx, customer, bookingId);
    await cancelUnderTerms(tx, customer, booking, { by: 'customer', expectedRefundCents });
  });
  return getBooking(db, customer.userId, bookingId);
}

/** Cancels a booking for an admin, as {@link cancelBooking} does for its customer. The customer is emailed `reason`. */
export async function cancelAtDesk(
  db: Database,
  admin: Person,
  {
    bookingId,
    expectedRefundCents,
    reason,
  }: { bookingId: string; expectedRefundCents: number; reason: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const booking = await lockBooking(tx, bookingId);
    if (!booking) throw new AppError('not_found', 'Booking not found.');
    await cancelUnderTerms(tx, admin, booking, { by: 'platform', expectedRefundCents, reason });
  });
}

/** Locks a booking after its slot, and reads the facts that determine its cancellation. */
async function lockBooking(tx: Tx, bookingId: string) {
  await lockSlotOf(tx, bookingId);
  return tx
    .selectFrom('bookings as booking')
    .innerJoin('lessonSlots as slot', 'slot.slotId', 'booking.slotId')
    .innerJoinLateral(coachsRefunds.as<'back'>(sql`back`), (join) => join.onTrue())
    .select([
      ...policyFields.map((field) => `booking.${field}` as const),
      'booking.bookingId',
      'booking.customerUserId',
      'booking.status',
      'booking.amountCents',
      'booking.feeCents',
      'booking.refundedCents',
      'back.borneCents',
      'back.feeBackCents',
      'booking.movedFrom',
      'booking.relocatedFrom',
      'booking.changedTo',
      'slot.startTime',
    ])
    .where('bookingId', '=', bookingId)
    .forUpdate('booking')
    .executeTakeFirst();
}

type LockedBooking = NonNullable<Awaited<ReturnType<typeof lockBooking>>>;
type Cancellation = { by: 'customer' | 'platform'; expectedRefundCents: number; reason?: string };

async function cancelUnderTerms(
  tx: Tx,
  actor: Person,
  booking: LockedBooking,
  { by, expectedRefundCents, reason }: Cancellation,
): Promise<void> {
  const now = Date.now();
  assertAllowed(refuseCancel(booking, now));
  const { bookingId, refundedCents, borneCents, feeBackCents } = booking;
  const refundCents = refundForCancelling({ ...booking, refund: { amountCents: refundedCents } }, now);
  if (refundCents !== expectedRefundCents) {
    const question = by === 'customer' ? ' Do you still want to cancel?' : '';
    throw new AppError(
      'conflict',
      `Under the terms of this booking, the refund is now ${formatPounds(refundCents)}.${question}`,
      { details: { refundCents } },
    );
  }
  const feeCents = feeOfRefund(booking, refundCents, { cents: borneCents, feeCents: feeBackCents });
  await writeCancellation(tx, { bookingId, by, refundCents, feeCents });
  await enqueue(tx, 'bookings.cancelled', { bookingId, ...(reason !== undefined && { reason }) });
  await recordAudit(tx, actor, {
    action: 'booking.cancelled',
    subjectType: 'booking',
    subjectId: bookingId,
    before: { status: booking.status },
    after: { status: 'cancelled', refundCents, ...(reason !== undefined && { reason }) },
  });
}

/**
 * The refusal for anyone but the payer. Another guardian of the participant can see the booking, but only the payer
 * gets the money back.
 */
async function refuseOthers(tx: Tx, { userId }: Person, bookingId: string): Promise<AppError> {
  const payer = await tx
    .selectFrom('bookings as booking')
    .innerJoin('guardians as guardian', 'guardian.participantId', 'booking.participantId')
    .innerJoin('profiles as payer', 'payer.userId', 'booking.customerUserId')
    .select('payer.fullName')
    .where('booking.bookingId', '=', bookingId)
    .where('guardian.userId', '=', userId)
    .executeTakeFirst();
  if (!payer) return new AppError('not_found', 'Booking not found.');
  return new AppError(
    'conflict',
    `Only ${nameAttendee(payer.fullName)}, who paid for this lesson, can cancel it.`,
  );
}

async function writeCancellation(
  tx: Tx,
  cancelled: {
    bookingId: string;
    by: Cancellation['by'];
    refundCents: number;
    /** The part of the refund that the platform bears. */
    feeCents: number;
  },
): Promise<void> {
  const { bookingId, by, refundCents, feeCents } = cancelled;
  const { rows } = await sql<{ refundId: string | null }>`
    with booking as (
      update bookings set status = 'cancelled', cancelled_at = now(), cancelled_by = ${by}::text,
        refunded_cents = refunded_cents + ${refundCents}::integer
      where booking_id = ${bookingId}::uuid and refunded_cents + ${refundCents}::integer <= charged_cents
      returning booking_id, slot_id
    ), slot as (
      update lesson_slots set booked_count = booked_count - 1
      from booking where lesson_slots.slot_id = booking.slot_id
    ), owed as materialized (
      select booking_id, ${refundCents}::integer as cents, ${feeCents}::integer as fee_cents
      from booking where ${refundCents}::integer > 0
    ), ${writeRefunds({ reason: by === 'customer' ? 'customer_cancelled' : 'admin' })}
    select refund_id from booking left join refund on true`.execute(tx);
  if (rows.length === 0) throw new Error(`more would be refunded than was charged for booking ${bookingId}`);
  for (const { refundId } of rows) {
    if (refundId) await enqueue(tx, 'bookings.refund-requested', { refundId });
  }
}
