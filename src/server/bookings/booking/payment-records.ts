import { sql } from 'kysely';
import type Stripe from 'stripe';
import type { BookingStatus } from '#domain/bookings/rules.ts';
import type { PaymentStatus } from '#domain/payments/rules.ts';
import { formatLessonTime } from '#domain/time.ts';
import { keyOfCardTries } from '#server/payments/card-limits.ts';
import type { Charge } from '#server/payments/payment-intents.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { addJob } from '#server/platform/jobs/enqueue.ts';
import { insertCharge } from '../ledger.ts';

/**
 * If Stripe does not know a payment this many seconds after its creation, its charge counts as never made. Longer than
 * our longest call to Stripe.
 */
const giveUpSeconds = 35;

/** A payment and its booking, with everything needed to settle the payment. */
export type PaymentRecord = {
  paymentId: string;
  bookingId: string;
  slotId: string;
  customerUserId: string;
  amountCents: number;
  paymentStatus: PaymentStatus;
  bookingStatus: BookingStatus;
  failureCode: string | null;
  failureMessage: string | null;
  stripePaymentIntentId: string | null;
  stripeCustomerId: string | null;
  stripePaymentMethodId: string | null;
  /** The lesson's title at the time of booking. */
  title: string;
  startTime: string;
  endTime: string;
  createdAt: string;
  isHoldOver: boolean;
  /** Whether the payment is so old that Stripe must know its charge, if one was made. */
  isOverdue: boolean;
};

/** Reads a payment by its own id, its booking's id or its payment intent's id; undefined if no payment matches. */
export async function readPayment(
  db: Database | Tx,
  by: { paymentId: string } | { bookingId: string } | { intentId: string },
): Promise<PaymentRecord | undefined> {
  const condition =
    'paymentId' in by
      ? sql`payment.payment_id = ${by.paymentId}::uuid`
      : 'bookingId' in by
        ? sql`booking.booking_id = ${by.bookingId}::uuid`
        : sql`payment.stripe_payment_intent_id = ${by.intentId}`;
  const { rows } = await sql<PaymentRecord>`
    select payment.payment_id, booking.booking_id, booking.slot_id, booking.customer_user_id,
      payment.amount_cents, payment.status as payment_status, booking.status as booking_status,
      payment.failure_code, payment.failure_message, payment.stripe_payment_intent_id,
      payment.stripe_customer_id, payment.stripe_payment_method_id, payment.created_at,
      booking.title, lower(booking.during) as start_time, upper(booking.during) as end_time,
      booking.hold_expires_at <= now() as is_hold_over,
      payment.created_at <= now() - ${giveUpSeconds} * interval '1 second' as is_overdue
    from payments payment join bookings booking using (payment_id)
    where ${condition}`.execute(db);
  return rows[0];
}

/** The charge to make for this payment, whose amount must be above zero. */
export function chargeOf(payment: PaymentRecord): Charge {
  const { paymentId, bookingId, amountCents, title, startTime, endTime, createdAt } = payment;
  return {
    paymentId,
    bookingId,
    amountCents,
    // The description must be the same in every call for this payment, because the calls share an idempotency key.
    // Example: "Tennis basics, Sat 21 Nov 2026, 09:00–10:00".
    description: `${title}, ${formatLessonTime(startTime, endTime, 0)}`.slice(0, 500),
    createdAt,
    stripeCustomerId: payment.stripeCustomerId!,
    stripePaymentMethodId: payment.stripePaymentMethodId!,
  };
}

/**
 * Confirms a pending booking, with its ledger entries and the job that sends the receipt, in one statement. Returns
 * false if the booking is no longer pending.
 */
export async function confirmBooking(
  db: Database,
  { bookingId, customerUserId }: Pick<PaymentRecord, 'bookingId' | 'customerUserId'>,
  intentId: string | null,
): Promise<boolean> {
  const { rows } = await sql<{ confirmed: number }>`
    -- The customer's count of card attempts is locked before the booking, as in holdSeat, to prevent deadlocks.
    with tries as materialized (
      select key from rate_limits where key = ${keyOfCardTries(customerUserId)} for update
    ), booking as (
      update bookings set status = 'booked', booked_at = now()
      where booking_id = ${bookingId}::uuid and status = 'pending' and (select count(*) from tries) <= 1
      returning booking_id, payment_id, amount_cents, fee_cents
    ), payment as (
      update payments set status = 'succeeded', stripe_payment_intent_id = ${intentId}, updated_at = now()
      from booking where payments.payment_id = booking.payment_id
    ), returned_try as (
      update rate_limits set calls = greatest(calls - 1, 0)
      from booking where key = (select key from tries) and amount_cents > 0
    ), entries as (${insertCharge}
    )
    select count(${addJob('bookings.booked', { bookingId: sql<string>`booking_id` })})::int as confirmed
    from booking`.execute(db);
  return rows[0]!.confirmed > 0;
}

/** Stores an unfinished payment's intent and the time of its next check. Returns false if the payment is finished. */
export async function recordIntent(
  db: Database,
  payment: PaymentRecord,
  intent: Stripe.PaymentIntent,
): Promise<boolean> {
  const { rows } = await sql`
    update payments
    set stripe_payment_intent_id = ${intent.id},
        status = ${intent.status === 'requires_action' ? 'requires_action' : 'processing'},
        check_at = least(now() + interval '1 minute', greatest(now() + interval '15 seconds',
          (select hold_expires_at from bookings where payment_id = ${payment.paymentId}::uuid))),
        updated_at = now()
    where payment_id = ${payment.paymentId}::uuid and status in ('processing', 'requires_action')
    returning payment_id`.execute(db);
  return rows.length > 0;
}

/** Locks the slot of a booking. Every change to both a booking and its slot must take this lock first. */
export async function lockSlotOf(tx: Tx, bookingId: string): Promise<void> {
  await sql`
    select from lesson_slots
    where slot_id = (select slot_id from bookings where booking_id = ${bookingId}::uuid)
    for no key update`.execute(tx);
}
