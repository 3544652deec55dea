import { sql } from 'kysely';
import type { z } from 'zod';
import type { Person } from '#domain/access.ts';
import {
  type moveInput,
  planMove,
  refuseBusyPeople,
  refuseMoveSlot,
  refuseOverlap,
  refuseUnexpectedBookings,
  uncoveredDay,
} from '#domain/bookings/slot-changes.ts';
import type { CoachSlotDetail } from '#domain/catalogue/slots-contract.ts';
import { assertAllowed } from '#domain/errors.ts';
import { explainFailure } from '#domain/payments/rules.ts';
import { isSameTime, type LessonTime } from '#domain/time.ts';
import { getCoachSlot } from '#server/catalogue/queries.ts';
import { keepMinorsCovered } from '#server/catalogue/uncovered-minors.ts';
import { recordAudit } from '#server/platform/audit.ts';
import { type Database, isViolation, type Tx } from '#server/platform/db/db.ts';
import { addJob } from '#server/platform/jobs/enqueue.ts';
import { releaseHoldsOf } from '../booking/release-hold.ts';
import { changeSlotWithHolds, type LockedSlot, lockBookingsOf } from './lock-coach-slot.ts';

type Move = z.output<typeof moveInput> & { slotId: string };

/**
 * Moves one of the coach's lessons to another time, given in London local time. Bookings move with the lesson; their
 * customers are notified and may cancel for a full refund until the start. Unpaid holds are released. Throws
 * `not_found`; `conflict` if the lesson has started or is cancelled, its booked count differs from
 * `expectedBookedCount`, a participant has another lesson at the new time, a booked lesson would become shorter or
 * start earlier at short notice, or someone under 18 has booked and the coach's checks don't cover the new day;
 * `unprocessable` for a time in the past or more than two years ahead; `overlap`, which names the coach's conflicting
 * lesson; `unavailable` if new holds keep appearing.
 */
export async function moveSlot(db: Database, coach: Person, move: Move): Promise<CoachSlotDetail> {
  for (let attempt = 1; ; attempt++) {
    try {
      const own = { coachId: coach.userId, slotId: move.slotId };
      await changeSlotWithHolds(db, own, (tx, slot) => tryToMove(tx, coach, move, slot));
      return await getCoachSlot(db, coach.userId, move.slotId);
    } catch (error) {
      await explainCollision(db, coach.userId, move, error);
      // Retry: the conflict no longer exists, or PostgreSQL aborted the transaction because of a deadlock.
      if (attempt === 3) throw error;
    }
  }
}

async function tryToMove(tx: Tx, coach: Person, move: Move, slot: LockedSlot): Promise<void> {
  const { slotId } = move;
  const from = { startTime: slot.startTime, endTime: slot.endTime };
  const to = planMove(from, move);
  if (move.expectedBookedCount !== undefined) {
    assertAllowed(refuseUnexpectedBookings(slot.bookedCount, move.expectedBookedCount));
  }
  assertAllowed(refuseMoveSlot(slot, to, Date.now()));
  if (isSameTime(from, to)) return;
  await lockBookingsOf(tx, slotId);
  await keepMinorsCovered(tx, sql`slot.slot_id = ${slotId}::uuid`, uncoveredDay, () =>
    writeMove(tx, slotId, from, to),
  );
  await recordAudit(tx, coach, {
    action: 'slot.moved',
    subjectType: 'lesson_slot',
    subjectId: slotId,
    before: from,
    after: to,
  });
}

async function writeMove(tx: Tx, slotId: string, from: LessonTime, to: LessonTime): Promise<void> {
  // Holds are released first: their customers' other bookings at the new time must not block the move.
  await sql`
    with ${releaseHoldsOf(slotId, explainFailure('lesson_moved'))}, slot as (
      update lesson_slots
      set start_time = ${to.startTime}::timestamptz, end_time = ${to.endTime}::timestamptz,
          booked_count = booked_count - (select count(*) from released where released.slot_id = ${slotId}::uuid)
      where slot_id = ${slotId}::uuid
    )
    select ${addJob('bookings.payment-released', { paymentId: sql<string>`payment_id` })}
    from (select distinct payment_id from released) payment`.execute(tx);
  await sql`
    with moved as (
      update bookings
      set moved_from = coalesce(moved_from, during),
          during = tstzrange(${to.startTime}::timestamptz, ${to.endTime}::timestamptz)
      where slot_id = ${slotId}::uuid and is_active
      returning booking_id
    )
    select ${addJob('bookings.moved', {
      bookingId: sql<string>`booking_id`,
      from,
      to,
      version: sql<string>`now()`,
    })} from moved`.execute(tx);
}

/**
 * Throws an error that the coach can act on if the new time overlaps another lesson of the coach or of a participant.
 * Returns, so that the caller retries, after a deadlock or if the overlap no longer exists. Rethrows any other error.
 */
async function explainCollision(db: Database, coachId: string, move: Move, error: unknown): Promise<void> {
  const isClash = isViolation(error, 'lesson_slots_never_overlap');
  const isBusy = isViolation(error, 'bookings_customer_never_overlap');
  const isDeadlock = (error as { code?: string }).code === '40P01';
  if (!isClash && !isBusy && !isDeadlock) throw error;
  const to = planMove(await getCoachSlot(db, coachId, move.slotId), move);
  if (isClash) {
    const clash = await findClash(db, coachId, move.slotId, to);
    if (clash) assertAllowed(refuseOverlap(clash, Date.now()));
  }
  if (isBusy) {
    const people = await countBusyPeople(db, move.slotId, to);
    if (people > 0) assertAllowed(refuseBusyPeople(people));
  }
}

function findClash(db: Database, coachId: string, slotId: string, to: LessonTime) {
  return db
    .selectFrom('lessonSlots as slot')
    .innerJoin('lessonTemplates as template', 'template.templateId', 'slot.templateId')
    .select(['template.title', 'slot.startTime', 'slot.endTime'])
    .where('slot.coachId', '=', coachId)
    .where('slot.slotId', '<>', slotId)
    .where('slot.status', '=', 'scheduled')
    .where('slot.startTime', '<', to.endTime)
    .where('slot.endTime', '>', to.startTime)
    .orderBy('slot.startTime')
    .executeTakeFirst();
}

async function countBusyPeople(db: Database, slotId: string, to: LessonTime): Promise<number> {
  const { rows } = await sql<{ people: number }>`
    select count(distinct mine.participant_id) as people
    from bookings mine
    join bookings other on other.participant_id = mine.participant_id and other.is_active
      and other.slot_id <> mine.slot_id
      and other.during && tstzrange(${to.startTime}::timestamptz, ${to.endTime}::timestamptz)
    where mine.slot_id = ${slotId}::uuid and mine.status = 'booked'`.execute(db);
  return rows[0]!.people;
}
