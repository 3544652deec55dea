import { sql } from 'kysely';
import { returnCardTry } from '#server/payments/card-limits.ts';
import { type Database, isViolation, type Tx } from '#server/platform/db/db.ts';
import { addJob, enqueue } from '#server/platform/jobs/enqueue.ts';
import { insertCharge, insertEntries } from '../ledger.ts';
import { lockSlotOf, type PaymentRecord, readPayment } from './payment-records.ts';

/**
 * Settles a charge that was made after its hold was released. Books the lesson if the hold's expiry time has not
 * passed, a seat is free, the lesson's time is unchanged and the customer has no other lesson at that time; otherwise
 * refunds the charge in full. Idempotent.
 */
export async function acceptLatePayment(
  db: Database,
  payment: PaymentRecord,
  intentId: string,
): Promise<void> {
  try {
    const isRebooked = await db.transaction().execute((tx) => rebookOrReturn(tx, payment, intentId));
    // Runs after the transaction, because a booking locks the payment counter before the slot. Locking the two in the
    // opposite order could deadlock.
    if (isRebooked) await returnCardTry(db, payment.customerUserId);
  } catch (error) {
    const isTaken = ['bookings_customer_never_overlap', 'bookings_one_active_per_slot'].some((constraint) =>
      isViolation(error, constraint),
    );
    if (!isTaken) throw error;
    await db.transaction().execute(async (tx) => {
      await lockSlotOf(tx, payment.bookingId);
      await returnPayment(tx, payment, intentId);
    });
  }
}

/** Confirms the released booking after all, or refunds its charge. Returns true if this call confirmed the booking. */
async function rebookOrReturn(
  tx: Tx,
  { bookingId, paymentId }: PaymentRecord,
  intentId: string,
): Promise<boolean> {
  await lockSlotOf(tx, bookingId);
  const payment = await readPayment(tx, { paymentId });
  if (payment?.bookingStatus !== 'released' || payment.paymentStatus === 'succeeded') return false;
  if (!payment.isHoldOver && (await rebook(tx, payment, intentId))) return true;
  await returnPayment(tx, payment, intentId);
  return false;
}

async function rebook(tx: Tx, { bookingId, slotId }: PaymentRecord, intentId: string): Promise<boolean> {
  const { rows } = await sql`
    with slot as (
      update lesson_slots set booked_count = booked_count + 1
      where slot_id = ${slotId}::uuid and status = 'scheduled' and start_time > now()
        and booked_count < max_capacity
        -- The coach may have moved the lesson: no customer gets a time that they did not pay for.
        and tstzrange(start_time, end_time) = (select during from bookings where booking_id = ${bookingId}::uuid)
        and not exists (
          select from bookings mine join bookings other using (customer_user_id)
          where mine.booking_id = ${bookingId}::uuid and other.is_active and other.during && mine.during)
      returning slot_id
    ), booking as (
      update bookings set status = 'booked', booked_at = now()
      from slot where booking_id = ${bookingId}::uuid
      returning booking_id, payment_id, amount_cents, fee_cents
    ), payment as (
      update payments
      set status = 'succeeded', stripe_payment_intent_id = ${intentId}, failure_code = null,
          failure_message = null, updated_at = now()
      from booking where payments.payment_id = booking.payment_id
    ), entries as (${insertCharge}
    )
    select ${addJob('bookings.booked', { bookingId: sql<string>`booking_id` })} from booking`.execute(tx);
  return rows.length > 0;
}

async function returnPayment(tx: Tx, { bookingId, paymentId }: PaymentRecord, intentId: string) {
  const entry = { bookingId: sql`${bookingId}::uuid`, cents: sql`amount_cents` };
  const { rows } = await sql<{ refundId: string }>`
    with payment as (
      update payments set status = 'succeeded', stripe_payment_intent_id = ${intentId}, updated_at = now()
      where payment_id = ${paymentId}::uuid and status = 'failed'
      returning payment_id, amount_cents
    ), refund as (
      insert into refunds (payment_id, amount_cents, reason)
      select payment_id, amount_cents, 'paid_after_release' from payment
      returning refund_id, amount_cents
    ), entries as (${insertEntries(
      { ...entry, kind: 'charged', from: sql`payment` },
      { ...entry, kind: 'refunded', from: sql`refund`, sourceId: sql`refund_id` },
    )}
    )
    select refund_id from refund`.execute(tx);
  const refund = rows[0];
  if (!refund) return;
  await enqueue(tx, 'bookings.refund-requested', { refundId: refund.refundId });
  await enqueue(tx, 'bookings.payment-returned', { bookingId });
}
