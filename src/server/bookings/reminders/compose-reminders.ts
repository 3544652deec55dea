import { sql } from 'kysely';
import { formatLocation } from '#domain/location-text.ts';
import type { Message } from '#domain/message.ts';
import type { LessonTime } from '#domain/time.ts';
import type { LessonFacts } from '#server/notifications/channel.ts';
import type { Composer, Composers } from '#server/notifications/deliver.ts';
import type { StoredNotification } from '#server/notifications/delivery-records.ts';
import {
  composeGuardianBookingMessage,
  type GuardianEvent,
} from '#server/notifications/family-templates/guardians.ts';
import { readRecipient } from '#server/notifications/recipients.ts';
import {
  composeReminderMessage,
  composeTomorrowMessage,
  type TomorrowsLesson,
} from '#server/notifications/templates/reminders.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readBookingMessageData } from '../queries.ts';
import { boundsOf } from './pick-digests.ts';

/** Composes reminders and the list of tomorrow's lessons when they are sent, so that they are up to date. */
export function reminderComposers(db: Database): Composers {
  const remind: Composer = (notification) => composeReminder(db, notification);
  return {
    reminder_day: remind,
    reminder_hours: remind,
    tomorrow: ({ userId, version }) => composeTomorrow(db, userId, version),
  };
}

/** The lesson of a notification about a booking, even after its cancellation; null for any other notification. */
export async function findLesson(
  db: Database,
  { subjectId, params }: Pick<StoredNotification, 'subjectId' | 'params'>,
): Promise<LessonFacts | null> {
  const { rows } = await sql<LessonFacts>`
    select coalesce(changed_to ->> 'title', title) as title, lower(during) as start_time, upper(during) as end_time
    from bookings where booking_id = ${subjectId}::uuid`.execute(db);
  const [lesson] = rows;
  const previousStart = (params.from as Partial<LessonTime> | null | undefined)?.startTime;
  return lesson ? { ...lesson, ...(previousStart && { previousStart }) } : null;
}

/**
 * Composes a reminder; null if the lesson has been cancelled, has moved from the time that the notification's version
 * names, or has begun.
 */
async function composeReminder(
  db: Database,
  { kind, userId, subjectId, version: startTime }: StoredNotification,
): Promise<Message | null> {
  const data = await readBookingMessageData(db, subjectId);
  if (!data) return null;
  const { status, slotStatus, startTime: current } = data.booking;
  const start = Date.parse(current);
  const isDue =
    status === 'booked' &&
    slotStatus === 'scheduled' &&
    start === Date.parse(startTime) &&
    start > Date.now();
  if (!isDue) return null;
  if (userId === data.recipient.userId) return composeReminderMessage(data);
  const { fullName } = await readRecipient(db, userId);
  const payerName = data.recipient.fullName || data.recipient.email;
  return composeGuardianBookingMessage(data, { kind: kind as GuardianEvent, payerName, fullName });
}

/** Composes the list of a coach's lessons on `date`; null if no lessons are left, or if the day has begun. */
async function composeTomorrow(db: Database, coachId: string, date: string): Promise<Message | null> {
  const { from, until } = boundsOf(date);
  if (Date.parse(from) <= Date.now()) return null;
  const { rows: lessons } = await sql<
    Omit<TomorrowsLesson, 'location'> & { location: Parameters<typeof formatLocation>[0] }
  >`
    select template.title, slot.start_time, slot.end_time, slot.max_capacity,
      case when location.location_id is not null then jsonb_build_object('name', location.name,
        'address', location.address, 'city', location.city, 'postcode', location.postcode) end as location,
      coalesce((
        select jsonb_agg(jsonb_build_object(
          'name', coalesce(nullif(name_of_participant(participant), ''), customer.email),
          'isUnder18', coalesce(participant.date_of_birth
            > (slot.start_time at time zone 'Europe/London')::date - interval '18 years', false),
          'isNew', not exists (
            select from bookings earlier join lesson_slots their_slot using (slot_id)
            where earlier.participant_id = booking.participant_id and earlier.status in ('booked', 'attended')
              and their_slot.coach_id = slot.coach_id and their_slot.start_time < slot.start_time)
        ) order by name_of_participant(participant), booking.booking_id)
        from bookings booking join profiles customer on customer.user_id = booking.customer_user_id
          join participants participant on participant.participant_id = booking.participant_id
        where booking.slot_id = slot.slot_id and booking.is_active and booking.status = 'booked'), '[]') as attendees
    from lesson_slots slot join lesson_templates template using (template_id)
      left join locations location on location.location_id = slot.location_id
    where slot.coach_id = ${coachId}::uuid and slot.status = 'scheduled'
      and slot.start_time >= ${from}::timestamptz and slot.start_time < ${until}::timestamptz
    order by slot.start_time`.execute(db);
  if (lessons.length === 0) return null;
  const { fullName } = await readRecipient(db, coachId);
  return composeTomorrowMessage({
    lessons: lessons.map(({ location, ...lesson }) => ({
      ...lesson,
      location: location && formatLocation(location),
    })),
    fullName,
  });
}
