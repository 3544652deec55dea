import { sql } from 'kysely';
import { addDays, instantOf, type PlainDate, wallTimeOf } from '#domain/time.ts';
import { describeTomorrow } from '#server/notifications/templates/reminders.ts';
import { writeNotifications } from '#server/notifications/write-notifications.ts';
import type { Database } from '#server/platform/db/db.ts';

/** The hour in London from which coaches get the list of tomorrow's lessons. */
const digestHour = 18;
const batchSize = 500;

/** The instants at which a day in London begins and ends. */
export const boundsOf = (date: PlainDate) => ({
  from: instantOf({ date, hour: 0, minute: 0 }).instant,
  until: instantOf({ date: addDays(date, 1), hour: 0, minute: 0 }).instant,
});

/**
 * Notifies every active coach who has lessons tomorrow, once a day from 18:00 in London. `now` is in milliseconds. If
 * no process ran between 18:00 and midnight, that evening's notifications are left out.
 */
export async function pickDigests(db: Database, now = Date.now()): Promise<void> {
  const { date, hour } = wallTimeOf(now);
  if (hour < digestHour) return;
  const due = instantOf({ date, hour: digestHour, minute: 0 }).instant;
  const { rows: open } = await sql`
    select from reminder_progress where kind = 'tomorrow' and picked_until < ${due}::timestamptz`.execute(db);
  if (open.length === 0) return;
  const tomorrow = addDays(date, 1);
  const { from, until } = boundsOf(tomorrow);
  const { rows } = await sql<{ coachId: string; lessons: number; booked: number; startTime: string }>`
    select slot.coach_id, count(*)::int as lessons, sum(booked_count)::int as booked, min(start_time) as start_time
    from lesson_slots slot join coaches coach using (coach_id)
    where slot.status = 'scheduled' and coach.is_active
      and start_time >= ${from}::timestamptz and start_time < ${until}::timestamptz
      and end_time > ${from}::timestamptz and end_time < ${until}::timestamptz + interval '5 hours'
    group by slot.coach_id order by slot.coach_id`.execute(db);
  for (let start = 0; start < rows.length; start += batchSize) {
    await writeNotifications(
      db,
      rows.slice(start, start + batchSize).map(({ coachId, startTime, ...counts }) => ({
        kind: 'tomorrow',
        userId: coachId,
        subjectId: coachId,
        version: tomorrow,
        message: { ...describeTomorrow(startTime, counts), body: [] },
        isComposedLater: true,
      })),
    );
  }
  await sql`
    update reminder_progress set picked_until = greatest(picked_until, ${new Date(now).toISOString()}::timestamptz)
    where kind = 'tomorrow'`.execute(db);
}
