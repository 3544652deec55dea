import { sql } from 'kysely';
import type { Announcement, announcementsApi } from '#domain/bookings/announcements-contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';

/** The maximum number of announcements in a list. The API's descriptions state the same number. */
const maxListed = 50;

const columns = ['announcementId', 'text', 'sentAt', 'recipients'] as const;

/** The announcements of a lesson, newest first, at most 50. The caller must check whose lesson it is. */
export const readAnnouncements = (db: Database | Tx, slotId: string) =>
  db
    .selectFrom('announcements')
    .select(columns)
    .where('slotId', '=', slotId)
    .orderBy('sentAt', 'desc')
    .orderBy('announcementId')
    .limit(maxListed)
    .execute();

/** A recipient of a lesson's announcements, with the booking whose page lists the announcements. */
export type AnnouncementRecipient = {
  userId: string;
  fullName: string;
  bookingId: string;
  title: string;
  coachName: string;
  startTime: string;
  endTime: string;
};

/**
 * Everyone who has booked a seat in a lesson, and the other guardians of dependants, once each. Held seats, cancelled
 * bookings and deleted accounts are left out.
 */
export async function listRecipients(db: Database | Tx, slotId: string): Promise<AnnouncementRecipient[]> {
  const { rows } = await sql<AnnouncementRecipient>`
    select distinct on (customer.user_id) customer.user_id, customer.full_name, booking_id,
      coalesce(changed_to ->> 'title', title) as title, coach_name, lower(during) as start_time,
      upper(during) as end_time
    from bookings booking
      cross join lateral (
        select booking.customer_user_id as user_id
        union
        select user_id from guardians where guardians.participant_id = booking.participant_id
      ) person
      join profiles customer on customer.user_id = person.user_id
    where slot_id = ${slotId}::uuid and status in ('booked', 'attended') and customer.deleted_at is null
    order by customer.user_id, booked_at, booking_id`.execute(db);
  return rows;
}

/**
 * The announcements of a coach's own lesson, and how many people would get an announcement now. Throws `not_found` for
 * any other lesson.
 */
export async function listSentAnnouncements(
  db: Database,
  coachId: string,
  slotId: string,
): Promise<OutputOf<typeof announcementsApi.listSent>> {
  const slot = await db
    .selectFrom('lessonSlots')
    .select('slotId')
    .where('slotId', '=', slotId)
    .where('coachId', '=', coachId)
    .executeTakeFirst();
  if (!slot) throw new AppError('not_found', 'Lesson not found.');
  const recipients = await listRecipients(db, slotId);
  return { announcements: await readAnnouncements(db, slotId), recipients: recipients.length };
}

/**
 * The last 50 announcements about the lesson of a booking, newest first, including announcements from before the
 * booking. A cancelled booking shows only announcements from before its cancellation; a pending booking shows none.
 * Empty for anyone but the customer and the participant's guardians.
 */
export async function listReceivedAnnouncements(
  db: Database,
  userId: string,
  bookingId: string,
): Promise<Announcement[]> {
  const { rows } = await sql<Announcement>`
    select announcement_id, announcement.text, sent_at
    from bookings booking join announcements announcement using (slot_id)
    where booking_id = ${bookingId}::uuid and (customer_user_id = ${userId}::uuid or exists (
        select from guardians
        where guardians.participant_id = booking.participant_id and guardians.user_id = ${userId}::uuid))
      and (booking.status in ('booked', 'attended') or sent_at < booking.cancelled_at)
    order by sent_at desc, announcement_id limit ${sql.lit(maxListed)}`.execute(db);
  return rows;
}
