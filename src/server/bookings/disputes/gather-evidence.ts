import { sql } from 'kysely';
import { describeAttendee } from '#domain/bookings/attendee-status.ts';
import { describeSoldPolicy } from '#domain/bookings/cancellation-policy.ts';
import type { BookingStatus } from '#domain/bookings/rules.ts';
import { formatLocation } from '#domain/location-text.ts';
import { formatPounds } from '#domain/money.ts';
import type { DisputeEvidence } from '#domain/payments/disputes-contract.ts';
import { shortReference } from '#domain/reference.ts';
import { formatDay, formatLessonTime, formatTime, type Instant } from '#domain/time.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';

type BookingFacts = {
  bookingId: string;
  title: string;
  startTime: Instant;
  endTime: Instant;
  coachName: string;
  location: Parameters<typeof formatLocation>[0];
  status: BookingStatus;
  attended: boolean | null;
  createdAt: Instant;
  cancelledAt: Instant | null;
  cancelledBy: string | null;
  movedFrom: Instant | null;
  amountCents: number;
  freeUntilHours: number;
  lateRefundPercent: number;
  refundsEnabled: boolean;
};
type EmailFacts = { title: string; status: string; at: Instant };
type RefundFacts = { amountCents: number; status: string; at: Instant };

/** The date and time, always with the year, because a bank may read the evidence months later. */
const at = (instant: Instant) => `${formatDay(instant, 0)}, ${formatTime(instant)}`;

/**
 * Gathers the evidence about a payment from our records: what was booked, the terms accepted, emails, moves,
 * cancellations, attendance and refunds. Care details and dependants' names stay out.
 */
export async function gatherEvidence(
  db: Database | Tx,
  paymentId: string,
  statement = '',
): Promise<DisputeEvidence> {
  const [customer, bookings, emails, refunds] = [
    await readCustomer(db, paymentId),
    await readBookings(db, paymentId),
    await readEmails(db, paymentId),
    await readRefunds(db, paymentId),
  ];
  return {
    customerName: customer.fullName,
    customerEmail: customer.email,
    productDescription: bookings.map(describeProduct).join('\n'),
    serviceDate: bookings.map(({ startTime }) => formatDay(startTime, 0)).join(', '),
    cancellationPolicy: [...new Set(bookings.map(describeTerms))].join('\n'),
    history: [
      ...bookings.flatMap(describeHistory),
      ...emails.map(
        ({ title, status, at: sent }) =>
          `${at(sent)}: email “${title}” to ${customer.email}, ${status === 'sent' ? 'accepted by the mail server' : 'returned as undeliverable'}.`,
      ),
      ...refunds.map(
        ({ amountCents, status, at: made }) =>
          `${at(made)}: refund of ${formatPounds(amountCents)} to the card, ${status}.`,
      ),
    ].join('\n'),
    statement,
  };
}

const describeProduct = ({
  bookingId,
  title,
  coachName,
  location,
  startTime,
  endTime,
  amountCents,
}: BookingFacts) =>
  `Sports lesson “${title}” with ${coachName}, ${formatLessonTime(startTime, endTime, 0)} (London time), ${formatLocation(location)}, ${formatPounds(amountCents)}, booking ${shortReference(bookingId)}.`;

const describeTerms = (booking: BookingFacts) =>
  `${describeSoldPolicy(booking)} The customer accepted these terms by booking on ${at(booking.createdAt)}.`;

function describeHistory(booking: BookingFacts): string[] {
  const { bookingId, createdAt, movedFrom, cancelledAt, cancelledBy, status, attended } = booking;
  const name = `booking ${shortReference(bookingId)}`;
  return [
    `${at(createdAt)}: the customer, signed in to their account, made ${name}.`,
    ...(movedFrom ? [`The lesson for ${name} was moved from ${at(movedFrom)}.`] : []),
    ...(cancelledAt
      ? [`${at(cancelledAt)}: ${name} was cancelled by the ${cancelledBy ?? 'platform'}.`]
      : []),
    `Attendance of ${name}: ${attended === null ? 'not marked' : describeAttendee({ status, attended }).label}.`,
  ];
}

async function readCustomer(db: Database | Tx, paymentId: string) {
  return db
    .selectFrom('payments')
    .innerJoin('profiles', 'profiles.userId', 'payments.customerUserId')
    .select(['profiles.fullName', 'profiles.email'])
    .where('paymentId', '=', paymentId)
    .executeTakeFirstOrThrow();
}

async function readBookings(db: Database | Tx, paymentId: string): Promise<BookingFacts[]> {
  const { rows } = await sql<BookingFacts>`
    select booking.booking_id, booking.title, lower(booking.during) as start_time, upper(booking.during) as end_time,
      booking.coach_name, booking.location, booking.status, booking.attended, booking.created_at,
      booking.cancelled_at, booking.cancelled_by, lower(booking.moved_from) as moved_from, line.amount_cents,
      booking.free_until_hours, booking.late_refund_percent, booking.refunds_enabled
    from payment_lines line join bookings booking using (booking_id)
    where line.payment_id = ${paymentId}::uuid
    order by line.line_no`.execute(db);
  return rows;
}

/** The emails about the payment's bookings that were sent to its customer, oldest first; at most 100. */
async function readEmails(db: Database | Tx, paymentId: string): Promise<EmailFacts[]> {
  const { rows } = await sql<EmailFacts>`
    select notification.title, delivery.status, delivery.ended_at as at
    from notifications notification
    join payments payment on payment.payment_id = ${paymentId}::uuid
      and payment.customer_user_id = notification.user_id
    join deliveries delivery using (notification_id)
    where delivery.channel = 'email' and delivery.status in ('sent', 'bounced')
      and notification.subject_id in (
        select booking_id from payment_lines where payment_id = ${paymentId}::uuid
        union all select ${paymentId}::uuid)
    order by delivery.ended_at
    limit 100`.execute(db);
  return rows;
}

async function readRefunds(db: Database | Tx, paymentId: string): Promise<RefundFacts[]> {
  const { rows } = await sql<RefundFacts>`
    select amount_cents, status, created_at as at from refunds
    where payment_id = ${paymentId}::uuid and reason <> 'dispute' order by created_at`.execute(db);
  return rows;
}
