import { sql } from 'kysely';
import type Stripe from 'stripe';
import type { BookingStatus } from '#domain/bookings/rules.ts';
import type { PaymentStatus } from '#domain/payments/rules.ts';
import { formatLessonTime } from '#domain/time.ts';
import { keyOfCardTries } from '#server/payments/card-limits.ts';
import type { Charge } from '#server/payments/payment-intents.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { addJobs } from '#server/platform/jobs/enqueue.ts';
import { insertCharge } from '../ledger.ts';

/**
 * If Stripe does not know a payment this many seconds after its creation, its charge counts as never made. Longer than
 * our longest call to Stripe.
 */
const giveUpSeconds = 35;

/** A booking that a payment pays for. */
export type PaidBooking = {
  bookingId: string;
  slotId: string;
  participantId: string;
  bookingStatus: BookingStatus;
  /** The lesson's title at the time of booking. */
  title: string;
  startTime: string;
  endTime: string;
};

/**
 * A payment and its bookings, with everything that settling needs. All of its bookings are pending, or none is: they
 * are confirmed together or released together.
 */
export type PaymentRecord = {
  paymentId: string;
  /** The requested booking; otherwise the first one. Its status decides whether the payment is settled. */
  bookingId: string;
  bookingStatus: BookingStatus;
  /** In the order of the payment's lines; at least one. */
  bookings: PaidBooking[];
  customerUserId: string;
  amountCents: number;
  paymentStatus: PaymentStatus;
  failureCode: string | null;
  failureMessage: string | null;
  stripePaymentIntentId: string | null;
  stripeCustomerId: string | null;
  stripePaymentMethodId: string | null;
  createdAt: string;
  isHoldOver: boolean;
  /** Whether the payment is so old that Stripe must know its charge, if one was made. */
  isOverdue: boolean;
};

/** Reads a payment by its own id, a booking's id or its payment intent's id; undefined if no payment matches. */
export async function readPayment(
  db: Database | Tx,
  by: { paymentId: string } | { bookingId: string } | { intentId: string },
): Promise<PaymentRecord | undefined> {
  const condition =
    'paymentId' in by
      ? sql`payment.payment_id = ${by.paymentId}::uuid`
      : 'bookingId' in by
        ? sql`payment.payment_id = (select payment_id from bookings where booking_id = ${by.bookingId}::uuid)`
        : sql`payment.stripe_payment_intent_id = ${by.intentId}`;
  const { rows } = await sql<Omit<PaymentRecord, 'bookings'> & PaidBooking>`
    select payment.payment_id, booking.booking_id, booking.slot_id, booking.participant_id, payment.customer_user_id,
      payment.amount_cents, payment.status as payment_status, booking.status as booking_status,
      payment.failure_code, payment.failure_message, payment.stripe_payment_intent_id,
      payment.stripe_customer_id, payment.stripe_payment_method_id, payment.created_at,
      booking.title, lower(booking.during) as start_time, upper(booking.during) as end_time,
      booking.hold_expires_at <= now() as is_hold_over,
      payment.created_at <= now() - ${giveUpSeconds} * interval '1 second' as is_overdue
    from payments payment
    join payment_lines line using (payment_id)
    join bookings booking using (booking_id)
    where ${condition}
    order by line.line_no`.execute(db);
  const asked = 'bookingId' in by ? rows.find(({ bookingId }) => bookingId === by.bookingId) : rows[0];
  if (!asked) return undefined;
  return { ...asked, bookings: rows, isHoldOver: rows.some(({ isHoldOver }) => isHoldOver) };
}

/** The charge to make for this payment, whose amount must be above zero. */
export function chargeOf(payment: PaymentRecord): Charge {
  const { paymentId, bookings, amountCents, createdAt } = payment;
  const { title, startTime, endTime } = bookings[0]!;
  const more = bookings.length > 1 ? ` and ${bookings.length - 1} more` : '';
  return {
    paymentId,
    amountCents,
    // The description must be the same in every call for this payment, because the calls share an idempotency key.
    // Example: "Tennis basics, Sat 21 Nov 2026, 09:00–10:00".
    description: `${title}, ${formatLessonTime(startTime, endTime, 0)}${more}`.slice(0, 500),
    createdAt,
    stripeCustomerId: payment.stripeCustomerId!,
    stripePaymentMethodId: payment.stripePaymentMethodId!,
  };
}

/**
 * SQL: the bookings of a payment that are still pending, as a condition and, for several bookings, with the CTE
 * `pending`, which locks them in ascending order. If one of them is no longer pending, none matches. `condition` is
 * checked first.
 */
export function pendingBookings({ bookings }: Pick<PaymentRecord, 'bookings'>, condition = sql`true`) {
  const [first, ...others] = bookings;
  if (others.length === 0) {
    return {
      cte: sql``,
      matches: sql`booking_id = ${first!.bookingId}::uuid and status = 'pending' and ${condition}`,
    };
  }
  const ids = sql.join(bookings.map(({ bookingId }) => sql`${bookingId}::uuid`));
  return {
    cte: sql`pending as materialized (
      select booking_id from bookings where booking_id in (${ids}) and status = 'pending' and ${condition}
      order by booking_id for no key update
    ), `,
    matches: sql`booking_id in (${ids}) and status = 'pending'
      and (select count(*) from pending) = ${bookings.length}`,
  };
}

/**
 * Confirms a payment's pending bookings, with their ledger entries and the jobs that send the receipts, in one
 * statement. Returns false if they are no longer pending.
 */
export async function confirmBookings(
  db: Database,
  payment: Pick<PaymentRecord, 'bookings' | 'customerUserId'>,
  intentId: string | null,
): Promise<boolean> {
  const { cte, matches } = pendingBookings(payment, sql`(select count(*) from tries) <= 1`);
  const { rows } = await sql<{ confirmed: number }>`
    -- The customer's count of card attempts is locked before the bookings, as in holdSeats, to prevent deadlocks.
    with tries as materialized (
      select key from rate_limits where key = ${keyOfCardTries(payment.customerUserId)} for update
    ), ${cte}booking as (
      update bookings set status = 'booked', booked_at = now(), charged_cents = amount_cents
      where ${matches}
      returning booking_id, payment_id, amount_cents, fee_cents
    ), payment as (
      update payments set status = 'succeeded', stripe_payment_intent_id = ${intentId}, updated_at = now()
      from booking where payments.payment_id = booking.payment_id
    ), returned_try as (
      update rate_limits set calls = greatest(calls - 1, 0)
      from booking where key = (select key from tries) and amount_cents > 0
    ), entries as (${insertCharge}
    )
    select ${addJobs('bookings.booked', { bookingId: sql<string>`booking_id` })} as confirmed from booking`.execute(
    db,
  );
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
          (select min(hold_expires_at) from payment_lines join bookings using (booking_id)
            where payment_lines.payment_id = ${payment.paymentId}::uuid))),
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

/** Locks the slots of all bookings of a payment, in ascending order, as everywhere else. */
export async function lockSlotsOf(tx: Tx, { bookings }: Pick<PaymentRecord, 'bookings'>): Promise<void> {
  const ids = sql.join(bookings.map(({ slotId }) => sql`${slotId}::uuid`));
  await sql`
    select from lesson_slots where slot_id in (${ids}) order by slot_id for no key update`.execute(tx);
}
