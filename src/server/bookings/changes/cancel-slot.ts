import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { refuseCancelSlot } from '#domain/bookings/slot-changes.ts';
import type { CoachSlotDetail } from '#domain/catalogue/slots-contract.ts';
import { assertAllowed } from '#domain/errors.ts';
import { explainFailure } from '#domain/payments/rules.ts';
import { getCoachSlot } from '#server/catalogue/queries.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { addJob } from '#server/platform/jobs/enqueue.ts';
import { releaseHoldsOf } from '../booking/release-hold.ts';
import { writeRefunds } from '../refunds/write-refunds.ts';
import { changeSlotWithHolds, isPartOwed, lockBookingsOf } from './lock-coach-slot.ts';

/**
 * The effect of a cancellation: how many `people` lost their booking, how many `lateCancellers` get the rest of their
 * money back, and the total refund in minor units.
 */
export type CancelledSlot = { people: number; lateCancellers: number; refundCents: number };

/**
 * Cancels one of the coach's lessons. Every customer gets a full refund regardless of the policy, including customers
 * who had cancelled late: the coach earns nothing from a lesson that does not take place. A customer who is still
 * paying loses the hold. Slot, bookings, ledger and the jobs for emails and refunds commit together. `reason` is quoted
 * in the emails and may be empty. Throws `not_found`, `conflict` for a lesson that is over or already cancelled, and
 * `unavailable` if new holds keep appearing.
 */
export async function cancelSlot(
  db: Database,
  coach: Person,
  input: { slotId: string; reason: string },
): Promise<CancelledSlot & { slot: CoachSlotDetail }> {
  const cancelled = await cancelLesson(db, coach, input);
  return { slot: await getCoachSlot(db, coach.userId, input.slotId), ...cancelled };
}

/** Cancels a lesson like {@link cancelSlot}, but does not return the slot. */
export function cancelLesson(
  db: Database,
  coach: Person,
  { slotId, reason }: { slotId: string; reason: string },
): Promise<CancelledSlot> {
  const own = { coachId: coach.userId, slotId };
  return changeSlotWithHolds(db, own, async (tx, before) => {
    assertAllowed(refuseCancelSlot(before, Date.now()));
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
}

async function writeCancellation(tx: Tx, slotId: string, reason: string): Promise<CancelledSlot> {
  const bookingId = sql<string>`booking_id`;
  const { rows } = await sql<CancelledSlot>`
    with slot as (
      update lesson_slots set status = 'cancelled', booked_count = 0, cancellation_reason = ${reason || null}::text
      where slot_id = ${slotId}::uuid
    ), cancelled as (
      update bookings set status = 'cancelled', cancelled_at = now(), cancelled_by = 'coach', attended = null,
        refunded_cents = charged_cents
      where slot_id = ${slotId}::uuid and status in ('booked', 'attended')
      returning booking_id, charged_cents, fee_cents
    ), late as (
      update bookings booking set status = 'cancelled', refunded_cents = charged_cents
      where slot_id = ${slotId}::uuid and ${isPartOwed}
      returning booking_id, charged_cents, fee_cents
    ), owed as materialized (
      select gone.booking_id, gone.charged_cents - back.cents as cents,
        -- The coach keeps nothing from a lesson that does not take place.
        least(greatest(gone.fee_cents - back.fee_cents, 0), gone.charged_cents - back.cents) as fee_cents
      from (select * from cancelled union all select * from late) gone
      cross join lateral (
        select coalesce(sum(amount_cents), 0)::integer as cents, coalesce(sum(fee_cents), 0)::integer as fee_cents
        from refund_lines line where line.booking_id = gone.booking_id
      ) back
      where gone.charged_cents > back.cents
    ), ${writeRefunds({ reason: 'coach_cancelled' })},
    ${releaseHoldsOf(slotId, explainFailure('lesson_cancelled'))}, job as (
      select ${addJob('bookings.refund-requested', { refundId: sql<string>`refund_id` })} as queued from refund
      union all
      select ${addJob('bookings.cancelled', { bookingId })} from cancelled
      union all
      select ${addJob('bookings.refunded', { bookingId, refundCents: sql<number>`cents::integer` })}
      from late join owed using (booking_id)
      union all
      select ${addJob('bookings.payment-released', { paymentId: sql<string>`payment_id` })}
      from (select distinct payment_id from released) payment
    )
    select (select count(*) from cancelled) as people,
      (select count(*) from late) as late_cancellers,
      (select coalesce(sum(cents), 0)::bigint from owed) as refund_cents,
      (select count(queued) from job) as jobs`.execute(tx);
  const { people, lateCancellers, refundCents } = rows[0]!;
  return { people, lateCancellers, refundCents };
}
