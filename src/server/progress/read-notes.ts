import { type RawBuilder, sql } from 'kysely';
import type { LessonAnswer, ProgressNote } from '#domain/progress/progress-shapes.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import type { AddressSigner } from '#server/storage/signed-address.ts';

export type ProgressParts = { db: Database; signer: AddressSigner };

/**
 * SQL: whether a coach can still see a row of theirs: one that belongs to their current business or to none. `row` is
 * the alias of the table.
 */
export const isInSight = (row: string, coachId: string): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(`${row}.coachId`)} = ${coachId}::uuid and (${sql.ref(`${row}.businessId`)} is null
    or ${sql.ref(`${row}.businessId`)} = (select business_id from coaches where coach_id = ${coachId}::uuid)))`;

type FileRow = { noteId: string; path: string; contentId: string; width: number; height: number };
type NoteRow = Omit<ProgressNote, 'additions' | 'pictures'> & { bookingId: string };

/**
 * The notes (aliased `note`) of these bookings that meet a condition, by booking. Notes about the participant come
 * before notes about everyone, shared ones first. Pictures are included only while the family allows them.
 */
export async function readNotes(
  { db, signer }: { db: Database | Tx; signer: AddressSigner },
  bookingIds: readonly string[],
  condition: RawBuilder<unknown>,
): Promise<Map<string, ProgressNote[]>> {
  const byBooking = new Map<string, ProgressNote[]>();
  if (bookingIds.length === 0) return byBooking;
  const { rows } = await sql<NoteRow>`
    select booking_id, note_id, is_shared, is_for_all, body, created_at, updated_at, locked_at
    from session_notes note
    where booking_id = any(${bookingIds}::uuid[]) and ${condition}
    order by is_for_all, is_shared desc`.execute(db);
  const noteIds = rows.map(({ noteId }) => noteId);
  const { rows: additions } = await sql<{ noteId: string; body: string; addedAt: string }>`
    select note_id, body, added_at from note_additions where note_id = any(${noteIds}::uuid[])
    order by added_at, addition_id`.execute(db);
  const { rows: files } = await sql<FileRow>`
    select file.note_id, object.path, object.content_id, object.width, object.height
    from note_files file join storage_objects object using (object_id) join session_notes note using (note_id)
    where file.note_id = any(${noteIds}::uuid[]) and photos_allowed(note.participant_id)
    order by file.added_at, file.object_id`.execute(db);
  for (const { bookingId, ...note } of rows) {
    const found: ProgressNote = {
      ...note,
      additions: additions
        .filter(({ noteId }) => noteId === note.noteId)
        .map(({ body, addedAt }) => ({ body, addedAt })),
      pictures: files
        .filter(({ noteId }) => noteId === note.noteId)
        .map(({ path, contentId, width, height }) => ({
          ...{ path, width, height },
          url: signer.signPicture(`attachments/${path}`, contentId.slice(0, 8)),
        })),
    };
    byBooking.set(bookingId, [...(byBooking.get(bookingId) ?? []), found]);
  }
  return byBooking;
}

/** The answers (aliased `answer`) of families about these bookings that meet a condition, by booking. */
export async function readAnswers(
  db: Database,
  bookingIds: readonly string[],
  condition: RawBuilder<unknown>,
): Promise<Map<string, LessonAnswer>> {
  const { rows } = await sql<LessonAnswer & { bookingId: string }>`
    select booking_id, rating, body, answered_at from lesson_answers answer
    where booking_id = any(${bookingIds}::uuid[]) and ${condition}`.execute(db);
  return new Map(rows.map(({ bookingId, ...answer }) => [bookingId, answer]));
}
