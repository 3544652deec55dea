import { sql } from 'kysely';
import { isMinorUncovered } from '#server/catalogue/uncovered-minors.ts';
import { returnCardTry } from '#server/payments/card-limits.ts';
import { type Database, isViolation, type Tx } from '#server/platform/db/db.ts';
import { addJob } from '#server/platform/jobs/enqueue.ts';
import { takesBookings } from '#server/verification/seat-conditions.ts';
import { insertCharge, insertEntries } from '../ledger.ts';
import { lockSlotsOf, type PaymentRecord, readPayment } from './payment-records.ts';

/**
 * Settles a charge that was made after its hold was released. Books the lessons if the hold's expiry time has not
 * passed, each lesson is still scheduled and has not started, a seat is free in each, their times are unchanged, the
 * participants have no other lessons at those times, the customer has an account and may still book for the
 * participants, and the coaches take bookings and may teach the participants; otherwise refunds the charge in full.
 * Idempotent.
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
      await lockSlotsOf(tx, payment);
      await returnPayment(tx, payment, intentId);
    });
  }
}

/** Confirms the released bookings after all, or refunds their charge. Returns true if this call confirmed them. */
async function rebookOrReturn(tx: Tx, released: PaymentRecord, intentId: string): Promise<boolean> {
  await lockSlotsOf(tx, released);
  const payment = await readPayment(tx, { paymentId: released.paymentId });
  if (payment?.bookingStatus !== 'released' || payment.paymentStatus === 'succeeded') return false;
  if (!payment.isHoldOver && (await rebook(tx, payment, intentId))) return true;
  await returnPayment(tx, payment, intentId);
  return false;
}

async function rebook(tx: Tx, { paymentId, bookings }: PaymentRecord, intentId: string): Promise<boolean> {
  const { rows } = await sql`
    with mine as materialized (
      select booking.booking_id, booking.slot_id, booking.during, booking.participant_id, booking.customer_user_id
      from payment_lines line join bookings booking using (booking_id) where line.payment_id = ${paymentId}::uuid
    ), person as materialized (
      select user_id from profiles
      where user_id in (select customer_user_id from mine) and deleted_at is null
      for key share
    ), family as materialized (
      -- Locked, as in hold-seat.ts, so that no dependant is deleted or loses this guardian before the commit.
      select participant_id from participants join guardians using (participant_id)
      where (participant_id, user_id) in (select participant_id, customer_user_id from mine)
        and participants.deleted_at is null
      order by participant_id for key share
    ), seats as materialized (
      select slot_id, count(*)::integer as seats from mine group by slot_id
    ), matching as materialized (
      select count(*) as bookings
      from mine join seats using (slot_id) join lesson_slots slot using (slot_id) join coaches coach using (coach_id)
      where slot.status = 'scheduled' and slot.start_time > now()
        and slot.booked_count + seats.seats <= slot.max_capacity
        -- The coach may have moved the lesson: no customer gets a time that they did not pay for.
        and tstzrange(slot.start_time, slot.end_time) = mine.during
        and not exists (
          select from bookings other
          where other.participant_id = mine.participant_id and other.is_active and other.during && mine.during)
        and mine.customer_user_id in (select user_id from person)
        and (mine.participant_id = mine.customer_user_id or mine.participant_id in (select participant_id from family))
        and ${takesBookings('coach')} and not ${isMinorUncovered('coach', 'slot', sql`mine.participant_id`)}
    ), slot as (
      update lesson_slots slot set booked_count = slot.booked_count + seats.seats
      from seats
      where (select bookings from matching) = ${bookings.length} and slot.slot_id = seats.slot_id
        and slot.booked_count + seats.seats <= slot.max_capacity
      returning slot.slot_id
    ), booking as (
      update bookings set status = 'booked', booked_at = now(), charged_cents = bookings.amount_cents
      from mine join slot using (slot_id)
      where bookings.booking_id = mine.booking_id
      returning bookings.booking_id, bookings.payment_id, bookings.amount_cents, bookings.fee_cents
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

/** Enters the charge of released bookings and its refund in full, in one statement. */
async function returnPayment(tx: Tx, { paymentId }: PaymentRecord, intentId: string): Promise<void> {
  await sql`
    with payment as (
      update payments set status = 'succeeded', stripe_payment_intent_id = ${intentId}, updated_at = now()
      where payment_id = ${paymentId}::uuid and status = 'failed'
      returning payment_id, amount_cents
    ), line as materialized (
      select booking_id, payment_id, line.amount_cents from payment_lines line join payment using (payment_id)
      where line.amount_cents > 0
    ), refund as (
      insert into refunds (payment_id, amount_cents, reason)
      select payment_id, amount_cents, 'paid_after_release' from payment
      returning refund_id
    ), refund_line as (
      insert into refund_lines (refund_id, booking_id, amount_cents, coach_cents, fee_cents)
      select refund_id, booking_id, amount_cents, amount_cents, 0 from line, refund
      returning *
    ), booking as (
      update bookings
      set charged_cents = charged_cents + line.amount_cents, refunded_cents = refunded_cents + line.amount_cents
      from line where bookings.booking_id = line.booking_id
    ), entries as (${insertEntries(
      { kind: 'charged', from: sql`line`, cents: sql`amount_cents`, sourceId: sql`payment_id` },
      { kind: 'refunded', from: sql`refund_line`, cents: sql`amount_cents`, sourceId: sql`refund_id` },
    )}
    )
    select ${addJob('bookings.refund-requested', { refundId: sql<string>`refund_id` })} from refund
    union all
    -- One message about the whole payment.
    select ${addJob('bookings.payment-returned', { bookingId: sql<string>`booking_id` })}
    from payment_lines join payment using (payment_id) where line_no = 1`.execute(tx);
}
