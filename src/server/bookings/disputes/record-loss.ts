import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { formatPounds } from '#domain/money.ts';
import { divideLoss, refuseDivision, refuseRecordLoss } from '#domain/payments/disputes.ts';
import type { Dispute, disputesApi } from '#domain/payments/disputes-contract.ts';
import { notify } from '#server/notifications/notify.ts';
import { readRecipient } from '#server/notifications/recipients.ts';
import { composeDisputeLossMessage } from '#server/notifications/templates/disputes.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { enterMadeRefund } from '../refunds/enter-made-refund.ts';
import { readDispute, readDisputedBookings } from './read-disputes.ts';

/**
 * Records the loss of a dispute: enters the amount that the bank took, as a refund of the disputed bookings that the
 * club or the coaches bear, and releases the rest for payout (docs/decisions/0094). Throws `not_found`; `conflict` if
 * the dispute is not lost, its loss has already been recorded or one of its bookings has just been refunded; and
 * `unprocessable` if the parts are missing, do not add up or exceed what is left of a booking.
 */
export async function recordLoss(
  db: Database,
  admin: Person,
  { disputeId, borneBy, lines }: ParsedInputOf<typeof disputesApi.recordLoss>,
): Promise<Dispute> {
  await db.transaction().execute(async (tx) => {
    const { paymentId, amountCents } = await lockDispute(tx, disputeId);
    const bookings = await readDisputedBookings(tx, paymentId);
    const division = lines
      ? new Map(lines.map(({ bookingId, cents }) => [bookingId, cents]))
      : divideLoss(amountCents, bookings);
    if (!division) {
      throw new AppError('unprocessable', 'Enter how much of each booking went back to the customer.', {
        fields: { lines: 'Enter how much of each booking went back to the customer.' },
      });
    }
    assertAllowed(refuseDivision(amountCents, bookings, division));
    const parts = [...division]
      .map(([bookingId, cents]) => ({ bookingId, cents }))
      .filter(({ cents }) => cents > 0);
    const lossCents = parts.reduce((sum, { cents }) => sum + cents, 0);
    if (lossCents > 0 && !(await enterMadeRefund(tx, { paymentId, parts, reason: 'dispute', borneBy }))) {
      throw new AppError('conflict', 'A booking has just been refunded. Check the amounts and try again.');
    }
    await sql`
      update disputes
      set borne_by = ${borneBy}, booked_cents = ${lossCents}, booked_at = now(), booked_by = ${admin.userId}::uuid
      where dispute_id = ${disputeId}`.execute(tx);
    await recordAudit(tx, admin, {
      action: 'dispute.loss_recorded',
      subjectType: 'payment',
      subjectId: paymentId,
      after: { disputeId, borneBy, amountCents: lossCents },
    });
    if (borneBy === 'coach') await notifyCoaches(tx, paymentId, parts);
  });
  return readDispute(db, disputeId);
}

/** Locks the slots and bookings of a dispute's payment in the usual order, then the dispute. */
async function lockDispute(tx: Tx, disputeId: string): Promise<{ paymentId: string; amountCents: number }> {
  const ofPayment = sql`
    select booking.booking_id, booking.slot_id
    from disputes join payment_lines using (payment_id) join bookings booking using (booking_id)
    where dispute_id = ${disputeId}`;
  await sql`
    select from lesson_slots where slot_id in (select slot_id from (${ofPayment}) of_payment)
    order by slot_id for no key update`.execute(tx);
  await sql`
    select from bookings where booking_id in (select booking_id from (${ofPayment}) of_payment)
    order by booking_id for update`.execute(tx);
  const { rows } = await sql<{
    paymentId: string;
    amountCents: number;
    status: string;
    lossRecordedAt: string | null;
  }>`
    select payment_id, amount_cents, status, booked_at as loss_recorded_at from disputes
    where dispute_id = ${disputeId} for update`.execute(tx);
  const [dispute] = rows;
  if (!dispute) throw new AppError('not_found', 'Dispute not found.');
  assertAllowed(refuseRecordLoss(dispute));
  return dispute;
}

async function notifyCoaches(
  tx: Tx,
  paymentId: string,
  parts: { bookingId: string; cents: number }[],
): Promise<void> {
  const centsOf = new Map(parts.map(({ bookingId, cents }) => [bookingId, cents]));
  const { rows } = await sql<{ coachId: string; bookingId: string; title: string }>`
    select slot.coach_id, booking.booking_id, booking.title
    from payment_lines line join bookings booking using (booking_id) join lesson_slots slot using (slot_id)
    where line.payment_id = ${paymentId}::uuid and booking.booking_id = any(${[...centsOf.keys()]}::uuid[])
    order by line.line_no`.execute(tx);
  for (const coachId of new Set(rows.map((row) => row.coachId))) {
    const own = rows.filter((row) => row.coachId === coachId);
    const coach = await readRecipient(tx, coachId);
    const message = composeDisputeLossMessage({
      fullName: coach.fullName,
      amountCents: own.reduce((sum, { bookingId }) => sum + centsOf.get(bookingId)!, 0),
      lessons: own.map(({ bookingId, title }) => [title, formatPounds(centsOf.get(bookingId)!)]),
    });
    await notify(tx, coach, { kind: 'dispute_booked', subjectId: paymentId }, message);
  }
}
