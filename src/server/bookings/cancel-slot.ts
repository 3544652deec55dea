import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { refuseCancelSlot } from '#domain/bookings/slot-changes.ts';
import type { CoachSlotDetail } from '#domain/catalogue/contract.ts';
import { insist } from '#domain/errors.ts';
import { explainFailure } from '#domain/payments/rules.ts';
import { getCoachSlot } from '#server/catalogue/queries.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db.ts';
import { lockBookingsOf, lockCoachSlot } from './lock-coach-slot.ts';

/** What a cancellation meant: how many had booked, and what goes back to their cards, in cents. */
export type CancelledSlot = { people: number; refundCents: number };

/**
 * Cancels one of the coach's lessons. Everybody who booked gets all of the money back, whatever their policy; who is
 * about to pay loses the hold. Slot, bookings, ledger and the jobs that tell and pay commit together.
 * `reason` stands in the mails; empty for none. Throws `not_found`, and `conflict` for a lesson that is over or
 * cancelled already.
 */
export async function cancelSlot(
  db: Database,
  coach: Person,
  { slotId, reason }: { slotId: string; reason: string },
): Promise<CancelledSlot & { slot: CoachSlotDetail }> {
  const cancelled = await db.transaction().execute(async (tx) => {
    const before = await lockCoachSlot(tx, coach.userId, slotId);
    insist(refuseCancelSlot(before, Date.now()));
    await lockBookingsOf(tx, slotId);
    const written = await writeCancellation(tx, slotId, reason);
    await recordAudit(tx, coach, {
      action: 'slot.cancelled',
      subjectType: 'lesson_slot',
      subjectId: slotId,
      before: { status: before.status, bookedCount: before.bookedCount },
      after: { status: 'cancelled', ...written },
    });
    return written;
  });
  return { slot: await getCoachSlot(db, coach.userId, slotId), ...cancelled };
}

async function writeCancellation(tx: Tx, slotId: string, reason: string): Promise<CancelledSlot> {
  const { code, message } = explainFailure('lesson_cancelled');
  const { rows } = await sql<CancelledSlot>`
    with slot as (
      update lesson_slots set status = 'cancelled', booked_count = 0, cancellation_reason = ${reason || null}::text
      where slot_id = ${slotId}::uuid
    ), cancelled as (
      update bookings set status = 'cancelled', cancelled_at = now(), cancelled_by = 'coach', attended = null
      where slot_id = ${slotId}::uuid and status in ('booked', 'attended')
      returning booking_id, payment_id, amount_cents, fee_cents
    ), refund as (
      insert into refunds (payment_id, amount_cents, reason)
      select payment_id, amount_cents, 'coach_cancelled' from cancelled where amount_cents > 0
      returning refund_id
    ), entries as (
      insert into ledger_entries (booking_id, kind, amount_cents)
      select booking_id, 'refunded', -amount_cents from cancelled where amount_cents > 0
      union all select booking_id, 'fee_refunded', -fee_cents from cancelled where amount_cents > 0
    ), released as (
      update bookings set status = 'released' where slot_id = ${slotId}::uuid and status = 'pending'
      returning payment_id
    ), failed as (
      update payments set status = 'failed', failure_code = ${code}, failure_message = ${message}, updated_at = now()
      from released where payments.payment_id = released.payment_id
    ), job as (
      select graphile_worker.add_job('refund.requested', json_build_object('refundId', refund_id)) as queued
      from refund
      union all
      select graphile_worker.add_job('booking.cancelled', json_build_object('bookingId', booking_id))
      from cancelled
      union all
      select graphile_worker.add_job('payment.let-go', json_build_object('paymentId', payment_id)) from released
    )
    select (select count(*) from cancelled) as people,
      (select coalesce(sum(amount_cents), 0)::bigint from cancelled) as refund_cents,
      (select count(queued) from job) as jobs`.execute(tx);
  const { people, refundCents } = rows[0]!;
  return { people, refundCents };
}
