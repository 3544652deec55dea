import { sql } from 'kysely';
import { putLesson } from '#server/test-support/lessons.test-support.ts';
import { changeDatabase } from './database.ts';

/** Moves a lesson and its bookings so that the lesson, an hour long, ended this many hours ago. */
export const endLesson = ({ slotId }: { slotId: string }, hoursAgo: number): Promise<void> =>
  changeDatabase((db) => putLesson(db, slotId, { startMs: Date.now() - (hoursAgo + 1) * 3_600_000 }));

/** Makes the notes of a booking this many days older. */
export const ageNotes = (bookingId: string, days: number): Promise<void> =>
  changeDatabase((db) =>
    db.transaction().execute(async (tx) => {
      const earlier = sql`interval '1 day' * ${days}::integer`;
      // A trigger keeps the day on which a note is locked.
      await sql`alter table session_notes disable trigger user`.execute(tx);
      await sql`update session_notes set locked_at = locked_at - ${earlier}, created_at = created_at - ${earlier}
        where booking_id = ${bookingId}::uuid`.execute(tx);
      await sql`alter table session_notes enable trigger user`.execute(tx);
    }),
  );
