import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { CancelledLesson } from '#domain/bookings/lessons-contract.ts';
import { AppError } from '#domain/errors.ts';
import { addDays, instantOf, type PlainDate } from '#domain/time.ts';
import type { Database } from '#server/platform/db/db.ts';
import { cancelLesson } from './cancel-slot.ts';
import { isPartOwed } from './lock-coach-slot.ts';

/**
 * Lists the lessons that {@link cancelDay} would cancel on this London date, by start time: scheduled lessons that have
 * not started.
 */
export async function previewCancelDay(
  db: Database,
  coachId: string,
  date: PlainDate,
): Promise<CancelledLesson[]> {
  const startOf = (day: PlainDate) => instantOf({ date: day, hour: 0, minute: 0 }).instant;
  const { rows } = await sql<CancelledLesson>`
    select slot.slot_id, template.title, slot.start_time, slot.end_time, 
      count(booking.booking_id) filter (where booking.is_active) as people,
      count(booking.booking_id) filter (where not booking.is_active) as late_cancellers,
      coalesce(sum(booking.charged_cents - booking.refunded_cents), 0)::bigint as refund_cents
    from lesson_slots slot
    join lesson_templates template using (template_id)
    left join bookings booking
      on booking.slot_id = slot.slot_id and (booking.status in ('booked', 'attended') or ${isPartOwed})
    where slot.coach_id = ${coachId}::uuid and slot.status = 'scheduled' and slot.start_time > now()
      and slot.start_time >= ${startOf(date)}::timestamptz
      and slot.start_time < ${startOf(addDays(date, 1))}::timestamptz
    group by slot.slot_id, template.title
    order by slot.start_time`.execute(db);
  return rows;
}

/**
 * Cancels the lessons of a coach that are on this London date and have not started. Each lesson has its own
 * transaction, because a single transaction for a day of full groups would hold its locks too long. Returns the lessons
 * that this call cancelled. If a cancellation fails after others have succeeded, throws `unavailable`; another call
 * cancels the remaining lessons.
 */
export async function cancelDay(
  db: Database,
  coach: Person,
  { date, reason }: { date: PlainDate; reason: string },
): Promise<CancelledLesson[]> {
  const ahead = await previewCancelDay(db, coach.userId, date);
  const cancelled: CancelledLesson[] = [];
  for (const lesson of ahead) {
    try {
      const written = await cancelLesson(db, coach, { slotId: lesson.slotId, reason });
      cancelled.push({ ...lesson, ...written });
    } catch (error) {
      // Another request has already cancelled this lesson.
      if (error instanceof AppError && error.code === 'conflict') continue;
      if (cancelled.length === 0) throw error;
      throw new AppError(
        'unavailable',
        `We cancelled ${cancelled.length} of ${ahead.length} lessons. Please try again to cancel the rest.`,
        { cause: error },
      );
    }
  }
  return cancelled;
}
