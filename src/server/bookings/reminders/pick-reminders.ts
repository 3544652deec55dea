import { type RawBuilder, sql } from 'kysely';
import { describeReminder } from '#server/notifications/templates/reminders.ts';
import { type Draft, writeNotifications } from '#server/notifications/write-notifications.ts';
import type { Database } from '#server/platform/db/db.ts';

/** Hours before a lesson at which each kind of reminder is due. */
export const reminderHours = { reminder_day: 24, reminder_hours: 2 } as const;
type ReminderKind = keyof typeof reminderHours;

/** Lessons per statement; a lesson has at most 20 seats. */
const batchSize = 25;

/**
 * Reminds everyone whose lesson starts in 24 or in 2 hours. A run picks the lessons whose reminders have become due
 * since the last run. The lesson's current start counts, so a lesson that moves is picked by its new time. Customers
 * who booked after the reminder was due get no reminder. Safe to repeat, because notifications are unique.
 */
export async function pickReminders(db: Database): Promise<void> {
  for (const kind of Object.keys(reminderHours) as ReminderKind[]) await pickKind(db, kind);
}

async function pickKind(db: Database, kind: ReminderKind): Promise<void> {
  const lead = sql`interval '1 hour' * ${sql.lit(reminderHours[kind])}`;
  const { rows } = await sql<{ now: string }>`select now()`.execute(db);
  const { now } = rows[0]!;
  // After an interruption, some of the lessons whose reminders were due may have begun.
  const isDue = sql`start_time > greatest(${now}::timestamptz,
      (select picked_until from reminder_progress where kind = ${kind}) + ${lead})
    and start_time <= ${now}::timestamptz + ${lead}`;
  // The database limits lessons to five hours, so the index on the end time finds the lessons that are due.
  const { rows: slots } = await sql<{ slotId: string }>`
    select slot_id from lesson_slots
    where status = 'scheduled' and booked_count > 0 and ${isDue}
      and end_time > (select picked_until from reminder_progress where kind = ${kind}) + ${lead}
      and end_time <= ${now}::timestamptz + ${lead} + interval '5 hours'
    order by start_time, slot_id`.execute(db);
  for (let start = 0; start < slots.length; start += batchSize) {
    const slotIds = slots.slice(start, start + batchSize).map(({ slotId }) => slotId);
    await writeNotifications(db, await listDrafts(db, kind, lead, slotIds));
  }
  await sql`
    update reminder_progress set picked_until = ${now}::timestamptz
    where kind = ${kind} and picked_until < ${now}::timestamptz`.execute(db);
}

type Row = {
  bookingId: string;
  userId: string;
  title: string;
  coachName: string;
  startTime: string;
  endTime: string;
};

async function listDrafts(
  db: Database,
  kind: ReminderKind,
  lead: RawBuilder<unknown>,
  slotIds: string[],
): Promise<Draft[]> {
  const { rows } = await sql<Row>`
    select booking_id, person.user_id, coalesce(changed_to ->> 'title', title) as title, coach_name,
      start_time, end_time
    from lesson_slots slot join bookings booking using (slot_id)
      cross join lateral (
        select booking.customer_user_id as user_id
        union
        select user_id from guardians where guardians.participant_id = booking.participant_id
      ) person
    where slot_id = any(${slotIds}::uuid[]) and slot.status = 'scheduled'
      and booking.is_active and booking.status = 'booked' and booking.booked_at <= slot.start_time - ${lead}
    order by booking_id, person.user_id`.execute(db);
  return rows.map(({ userId, ...booking }) => ({
    kind,
    userId,
    subjectId: booking.bookingId,
    version: booking.startTime,
    message: { ...describeReminder(booking), body: [] },
    isComposedLater: true,
  }));
}
