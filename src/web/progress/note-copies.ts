import type { LessonNotes } from '#domain/progress/progress-shapes.ts';
import { storedUserId, tryStorage } from '#web/bookings/register/register-copies.ts';

type NotesCopy = { userId: string; lesson: LessonNotes };

/**
 * This device's copy of a lesson's notes, in local storage under `app.register.{ms since 1970}.notes.{slotId}`. It is
 * deleted like the copies of registers: at the time in its key and at sign-out (bookings/register/register-copies.ts).
 */
const prefix = 'app.register.';
const suffixOf = (slotId: string) => `.notes.${slotId}`;
/** Kept as long as the register: until a day after the lesson. */
const keptMs = 24 * 3_600_000;

const keysOf = (storage: Storage, slotId: string) =>
  Object.keys(storage).filter((key) => key.startsWith(prefix) && key.endsWith(suffixOf(slotId)));

/** The signed-in account's copy, while it may be shown; null if there is none. */
export function findNotesCopy(slotId: string, now: number): LessonNotes | null {
  const copy = tryStorage((storage) => {
    const key = keysOf(storage, slotId).find((known) => Number(known.split('.')[2]) > now);
    const kept = JSON.parse((key && storage.getItem(key)) ?? 'null') as NotesCopy | null;
    return kept?.userId === storedUserId(storage) ? kept : null;
  });
  return copy ? { ...copy.lesson, isStarted: Date.parse(copy.lesson.startTime) <= now } : null;
}

export const deleteNotesCopy = (slotId: string): void =>
  tryStorage((storage) => {
    for (const key of keysOf(storage, slotId)) storage.removeItem(key);
  });

/**
 * Replaces the copy of a lesson's notes. It leaves out what needs the server: pictures, levels and the family's answer.
 */
export function saveNotesCopy(lesson: LessonNotes, userId: string, now: number): void {
  const { slotId, endTime, attendees } = lesson;
  deleteNotesCopy(slotId);
  const until = Date.parse(endTime) + keptMs;
  if (until <= now) return;
  const kept = attendees.map((attendee) => ({
    ...attendee,
    notes: attendee.notes.map((note) => ({ ...note, pictures: [] })),
    ...{ levels: [], answer: null, arePicturesAllowed: false },
  }));
  const copy: NotesCopy = { userId, lesson: { ...lesson, skills: [], attendees: kept } };
  tryStorage((storage) => storage.setItem(`${prefix}${until}${suffixOf(slotId)}`, JSON.stringify(copy)));
}
