import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#server/platform/db/db.ts';

/** Writes a row into each table about progress, with texts that end in "word". */
export async function writeProgressRows(
  db: Database,
  { bookingId, userId, coachId }: { bookingId: string; userId: string; coachId: string },
): Promise<void> {
  const insert = (table: RawBuilder<unknown>) => sql`insert into ${table}`.execute(db);
  const noted = sql`${bookingId}::uuid, ${userId}::uuid, ${coachId}::uuid`;
  await insert(sql`session_notes (booking_id, participant_id, coach_id, is_shared, body)
    values (${noted}, false, 'Noteword')`);
  await insert(sql`note_additions (note_id, body) select note_id, 'Addedword' from session_notes`);
  await insert(sql`consents (participant_id, kind, choice, text_version, given_by)
    values (${userId}, 'photos', 'coaching', '1', ${userId})`);
  await insert(sql`storage_objects (bucket, owner_user_id, path, content_id, content_type, bytes, width, height)
    values ('attachments', ${coachId}, ${`${coachId}/note`}, gen_random_uuid(), 'image/webp', 9, 9, 9)`);
  await insert(sql`note_files (object_id, note_id) select object_id, note_id from storage_objects, session_notes
    where bucket = 'attachments'`);
  await insert(
    sql`goals (participant_id, coach_id, sport, title) values (${userId}, ${coachId}, 'tennis', 'Goalword')`,
  );
  await insert(sql`skills (coach_id, sport, name, position) values (${coachId}, 'tennis', 'Skillword', 0)`);
  await insert(sql`assessments (booking_id, participant_id, coach_id, sport, skill_name, level)
    values (${noted}, 'tennis', 'Skillword', 3)`);
  await insert(sql`lesson_answers (booking_id, participant_id, coach_id, answered_by, rating, body)
    values (${noted}, ${userId}, 5, 'Answerword')`);
  await insert(sql`welfare_concerns (booking_id, participant_id, reported_by, body)
    values (${noted}, 'Concernword')`);
}
