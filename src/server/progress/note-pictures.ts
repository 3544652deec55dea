import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import type { notesApi } from '#domain/progress/notes-contract.ts';
import { lockedNoteMessage, noteLimits } from '#domain/progress/rules.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/db/db.ts';
import { lockNote } from './save-note.ts';

/**
 * Adds a picture to a note about one participant. Safe to repeat. Throws `not_found` for someone else's note or picture
 * and for a picture of another note, and `conflict` for a note about everyone in a lesson, without the family's
 * consent, after 7 days, and for a fourth picture.
 */
export function addNotePicture(
  db: Database,
  coach: Person,
  { noteId, path }: ParsedInputOf<typeof notesApi.addPicture>,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const note = await lockNote(tx, coach.userId, noteId);
    const { rows } = await sql<{ objectId: string; usedBy: string | null }>`
      select object.object_id, file.note_id as used_by
      from storage_objects object left join note_files file using (object_id)
      where object.bucket = 'attachments' and object.path = ${path} and object.owner_user_id = ${coach.userId}::uuid
        and object.content_type = 'image/webp'`.execute(tx);
    const [picture] = rows;
    if (!picture || (picture.usedBy && picture.usedBy !== noteId)) {
      throw new AppError('not_found', 'Picture not found.');
    }
    if (picture.usedBy) return;
    if (note.isForAll) {
      throw new AppError(
        'conflict',
        'You can only add pictures to a note about one person whose family allows photos.',
      );
    }
    if (note.isLocked) throw new AppError('conflict', lockedNoteMessage);
    // Withdrawing consent deletes the pictures and locks the participant too, so it can't run between this check and
    // the insert.
    await sql`select from participants where participant_id = ${note.participantId}::uuid for share`.execute(
      tx,
    );
    const { rows: facts } = await sql<{ isAllowed: boolean; count: number }>`
      select photos_allowed(${note.participantId}::uuid) as is_allowed,
        (select count(*)::int from note_files where note_id = ${noteId}::uuid) as count`.execute(tx);
    const { isAllowed, count } = facts[0]!;
    if (!isAllowed) throw new AppError('conflict', "This family doesn't allow photos for coaching.");
    if (count >= noteLimits.pictures) {
      throw new AppError('conflict', `A note can have ${noteLimits.pictures} pictures. Remove one first.`);
    }
    await tx.insertInto('noteFiles').values({ noteId, objectId: picture.objectId }).execute();
    await recordAudit(tx, coach, {
      ...{ action: 'session_note.picture_added', subjectType: 'booking', subjectId: note.bookingId },
    });
  });
}

/** Deletes a picture from this coach's note. Throws `not_found` if the note or the picture doesn't exist. */
export function removeNotePicture(
  db: Database,
  coach: Person,
  { noteId, path }: ParsedInputOf<typeof notesApi.removePicture>,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { bookingId } = await lockNote(tx, coach.userId, noteId);
    const { rows } = await sql`
      delete from note_files file using storage_objects object
      where object.object_id = file.object_id and file.note_id = ${noteId}::uuid and object.path = ${path}
      returning file.object_id`.execute(tx);
    if (!rows[0]) throw new AppError('not_found', 'Picture not found.');
    await recordAudit(tx, coach, {
      ...{ action: 'session_note.picture_removed', subjectType: 'booking', subjectId: bookingId },
    });
  });
}
