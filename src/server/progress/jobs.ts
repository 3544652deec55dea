import { sql } from 'kysely';
import { composeNoteMessage } from '#server/notifications/family-templates/progress.ts';
import { writeNotifications } from '#server/notifications/write-notifications.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { AreaHandlers } from '#server/platform/jobs/start-worker.ts';

/** Jobs that notify people about progress. */
export function progressNotificationJobs({ db }: { db: Database }) {
  return {
    'progress.note-shared': ({ bookingId }) => notifyOfNote(db, bookingId),
  } satisfies AreaHandlers<'progress'>;
}

type Row = {
  userId: string;
  fullName: string;
  participantId: string;
  participantName: string;
  coachName: string;
  title: string;
  startTime: string;
  endTime: string;
};

/**
 * Notifies the participant and their guardians about a shared note, once per booking. Leaves out the lesson's coach.
 * Does nothing if the note has been removed in the meantime. Safe to repeat.
 */
async function notifyOfNote(db: Database, bookingId: string): Promise<void> {
  const { rows } = await sql<Row>`
    select person.user_id, person.full_name, booking.participant_id,
      coalesce(participant.known_as, name_of_participant(participant)) as participant_name, booking.coach_name,
      coalesce(booking.changed_to ->> 'title', booking.title) as title, slot.start_time, slot.end_time
    from bookings booking
    join lesson_slots slot using (slot_id)
    join participants participant using (participant_id)
    join profiles person on person.user_id = participant.own_user_id or person.user_id in (
      select user_id from guardians where guardians.participant_id = booking.participant_id)
    where booking.booking_id = ${bookingId}::uuid and participant.deleted_at is null
      and person.user_id <> slot.coach_id
      and exists (select from session_notes note where note.booking_id = booking.booking_id and note.is_shared)`.execute(
    db,
  );
  await writeNotifications(
    db,
    rows.map(({ userId, ...row }) => ({
      kind: 'note_shared',
      userId,
      subjectId: bookingId,
      version: 'shared',
      message: composeNoteMessage(row),
    })),
  );
}
