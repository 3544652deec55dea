import { sql } from 'kysely';
import type { Composers } from '#server/notifications/deliver.ts';
import type { Database } from '#server/platform/db/db.ts';

/**
 * Checks an announcement again before it is delivered: a customer who has cancelled, or whose lesson was cancelled, no
 * longer gets it.
 */
export const queuedAnnouncements = (db: Database): Composers => ({
  announcement: async ({ subjectId, version }, queued) => {
    const { rows } = await sql`
      select from bookings booking join announcements announcement using (slot_id)
      where booking_id = ${subjectId}::uuid and announcement_id = ${version}::uuid
        and booking.status in ('booked', 'attended')`.execute(db);
    return rows.length > 0 ? queued : null;
  },
});
