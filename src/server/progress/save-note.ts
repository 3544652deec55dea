import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import type { notesApi } from '#domain/progress/notes-contract.ts';
import { lockedNoteMessage, refuseNote } from '#domain/progress/rules.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { isInSight, type ProgressParts, readNotes } from './read-notes.ts';
import { lockTaughtBooking, lockWritableBooking, type TaughtBooking } from './taught-booking.ts';

/** The time between the last change to a shared note and the family's notification, in ms. */
const settledMs = 5 * 60_000;

type Written = { isShared: boolean; isForAll: boolean; body: string };
type StoredNote = { noteId: string; body: string; updatedAt: string; isLocked: boolean };

/**
 * Saves the shared or the private note about one participant; an empty text removes it. Nothing is saved if the note
 * has changed since `seenAt` (`isOutdated`). Throws `not_found` for another coach's booking, and `conflict` before the
 * lesson, for a cancelled booking or an absent participant, for a note that can no longer be edited or was written for
 * a former business, and if the note would be removed while the lesson is being paid out.
 */
export function saveNote(
  { db, signer }: ProgressParts,
  coach: Person,
  { bookingId, isShared, body, seenAt }: ParsedInputOf<typeof notesApi.save>,
): Promise<OutputOf<typeof notesApi.save>> {
  return db.transaction().execute(async (tx) => {
    const booking = await lockWritableBooking(tx, coach.userId, bookingId, refuseNote);
    const before = await findNote(tx, coach.userId, { bookingId, isShared, isForAll: false });
    const isOutdated = before !== undefined && before.body !== body && before.updatedAt !== seenAt;
    if (!isOutdated) await writeNote(tx, coach, booking, { isShared, isForAll: false, body }, before);
    const notes = await readNotes({ db: tx, signer }, [bookingId], isInSight('note', coach.userId));
    const note = notes.get(bookingId)?.find((found) => found.isShared === isShared && !found.isForAll);
    return { note: note ?? null, isOutdated };
  });
}

/**
 * Saves one text about everyone who has a seat in a lesson and is not absent; an empty text removes it. Copies that can
 * no longer be edited stay. Nothing is saved if the newest copy has changed since `seenAt` (`isOutdated`). Throws
 * `not_found` for another coach's lesson. Throws `conflict` before the lesson, if there is no participant whose copy
 * can be saved, if a copy was written for a former business, and if one would be removed while the lesson is being paid
 * out.
 */
export function saveNoteForAll(
  db: Database,
  coach: Person,
  { slotId, isShared, body, seenAt }: ParsedInputOf<typeof notesApi.saveForAll>,
): Promise<OutputOf<typeof notesApi.saveForAll>> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ bookingId: string }>`
      select booking_id from lesson_slots slot left join bookings booking
        on booking.slot_id = slot.slot_id and booking.status in ('booked', 'attended')
        and exists (select from participants participant
          where participant.participant_id = booking.participant_id and participant.deleted_at is null)
      where slot.slot_id = ${slotId}::uuid and slot.coach_id = ${coach.userId}::uuid
      order by booking_id`.execute(tx);
    if (rows.length === 0) throw new AppError('not_found', 'Lesson not found.');
    const bookings: TaughtBooking[] = [];
    for (const { bookingId } of rows.filter((row) => row.bookingId !== null)) {
      bookings.push(await lockTaughtBooking(tx, coach.userId, bookingId));
    }
    const present = bookings.filter(({ attended }) => attended !== false).map(({ bookingId }) => bookingId);
    const known = await findNotesForAll(tx, coach.userId, present, isShared);
    // One save gives each participant's copy a slightly different time, so `seenAt` may be that of any of them.
    const current = known.filter((note) => note.body === known[0]!.body);
    if (known[0] && known[0].body !== body && !current.some(({ updatedAt }) => updatedAt === seenAt)) {
      return { updatedAt: known[0].updatedAt, isOutdated: true };
    }
    let refused = 'Nobody has a place in this lesson.';
    let written = 0;
    for (const booking of bookings) {
      const { bookingId } = booking;
      const refusal = refuseNote(booking, Date.now());
      const note = { isShared, isForAll: true, body };
      const before = await findNote(tx, coach.userId, { bookingId, isShared, isForAll: true });
      if (refusal || before?.isLocked) {
        refused = refusal?.message ?? lockedNoteMessage;
        continue;
      }
      await writeNote(tx, coach, booking, note, before);
      written += 1;
    }
    if (written === 0) throw new AppError('conflict', refused);
    const [saved] = await findNotesForAll(tx, coach.userId, present, isShared);
    return { updatedAt: saved?.updatedAt ?? null, isOutdated: false };
  });
}

/** The copies of the coach's note about everyone for these bookings, newest first. */
async function findNotesForAll(
  tx: Tx,
  coachId: string,
  bookingIds: readonly string[],
  isShared: boolean,
): Promise<Pick<StoredNote, 'body' | 'updatedAt'>[]> {
  const { rows } = await sql<Pick<StoredNote, 'body' | 'updatedAt'>>`
    select body, updated_at from session_notes note
    where booking_id = any(${bookingIds}::uuid[]) and is_for_all and is_shared = ${isShared}
      and ${isInSight('note', coachId)}
    order by updated_at desc`.execute(tx);
  return rows;
}

/**
 * Locks the coach's note; undefined if there is none. Throws `conflict` for a note written for a business that the
 * coach has left, because it must not be overwritten.
 */
async function findNote(
  tx: Tx,
  coachId: string,
  { bookingId, isShared, isForAll }: Omit<Written, 'body'> & { bookingId: string },
): Promise<StoredNote | undefined> {
  const { rows } = await sql<StoredNote & { isInSight: boolean }>`
    select note_id, body, updated_at, locked_at <= now() as is_locked, ${isInSight('note', coachId)} as is_in_sight
    from session_notes note
    where booking_id = ${bookingId}::uuid and is_shared = ${isShared} and is_for_all = ${isForAll}
    for update`.execute(tx);
  if (rows[0] && !rows[0].isInSight) {
    throw new AppError('conflict', "You can't change notes that you wrote for a business you've left.");
  }
  return rows[0];
}

async function writeNote(
  tx: Tx,
  coach: Person,
  booking: TaughtBooking,
  { isShared, isForAll, body }: Written,
  before: StoredNote | undefined,
): Promise<void> {
  if ((before?.body ?? '') === body) return;
  if (before?.isLocked) throw new AppError('conflict', lockedNoteMessage);
  const { bookingId, participantId, businessId } = booking;
  const subject = { subjectType: 'booking', subjectId: bookingId };
  if (body === '') {
    if (booking.isInPayrun) {
      throw new AppError(
        'conflict',
        "This lesson is being paid out, so you can't remove its note. Change it instead.",
      );
    }
    await tx.deleteFrom('sessionNotes').where('noteId', '=', before!.noteId).execute();
    return recordAudit(tx, coach, {
      ...subject,
      action: 'session_note.removed',
      before: { isShared, isForAll },
    });
  }
  if (before) {
    const changed = { body, updatedAt: sql<string>`clock_timestamp()` };
    await tx.updateTable('sessionNotes').set(changed).where('noteId', '=', before.noteId).execute();
  } else {
    const note = { bookingId, participantId, businessId, coachId: coach.userId, isForAll, isShared, body };
    await tx.insertInto('sessionNotes').values(note).execute();
    // Audits only the first save, because a text is saved every few seconds while the coach types.
    await recordAudit(tx, coach, {
      ...subject,
      action: 'session_note.written',
      after: { isShared, isForAll },
    });
  }
  if (isShared) {
    const options = { runAt: new Date(Date.now() + settledMs), key: `progress.note-shared ${bookingId}` };
    await enqueue(tx, 'progress.note-shared', { bookingId }, options);
  }
}

/**
 * Adds a text to this coach's note, even after 7 days. Adds nothing if the newest addition has the same text. Throws
 * `not_found` for a note that {@link lockNote} refuses.
 */
export function addToNote(
  db: Database,
  coach: Person,
  { noteId, body }: ParsedInputOf<typeof notesApi.addTo>,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const note = await lockNote(tx, coach.userId, noteId);
    const { rows } = await sql<{ body: string }>`
      select body from note_additions where note_id = ${noteId}::uuid
      order by added_at desc, addition_id limit 1`.execute(tx);
    if (rows[0]?.body === body) return;
    await sql`insert into note_additions (note_id, body, added_at)
      values (${noteId}::uuid, ${body}, clock_timestamp())`.execute(tx);
    const { bookingId, isShared } = note;
    await recordAudit(tx, coach, {
      ...{ action: 'session_note.added_to', subjectType: 'booking', subjectId: bookingId },
      after: { isShared },
    });
  });
}

type LockedNote = {
  bookingId: string;
  participantId: string;
  isShared: boolean;
  isForAll: boolean;
  isLocked: boolean;
};

/** Locks a note that this coach wrote and can still see; throws `not_found` for any other. */
export async function lockNote(tx: Tx, coachId: string, noteId: string): Promise<LockedNote> {
  const { rows } = await sql<LockedNote>`
    select booking_id, participant_id, is_shared, is_for_all, locked_at <= now() as is_locked
    from session_notes note
    where note_id = ${noteId}::uuid and ${isInSight('note', coachId)} for update`.execute(tx);
  if (!rows[0]) throw new AppError('not_found', 'Note not found.');
  return rows[0];
}
