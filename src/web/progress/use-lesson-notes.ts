import { useEffect } from 'react';
import { notesApi } from '#domain/progress/notes-contract.ts';
import type { LessonNotes } from '#domain/progress/progress-shapes.ts';
import { useApi } from '#web/app/api/api.ts';
import { useAuth } from '#web/app/auth/auth-provider.tsx';
import { keepPageOffline } from '#web/bookings/register/offline-page.ts';
import { findCopy, type Register } from '#web/bookings/register/register-copies.ts';
import { deleteNotesCopy, findNotesCopy, saveNotesCopy } from './note-copies.ts';

/**
 * The notes of a lesson: from the server or, until it responds and while it can't be reached, the copy on this device
 * (`isKept`). Without a copy, the people come from the copy of the register (`hasNotes` is false).
 */
export function useLessonNotes(slotId: string) {
  const { user, profile, isCoach, isProfileUnreachable, loading } = useAuth();
  const query = useApi(notesApi.getOfLesson, { slotId }, { enabled: isCoach });
  const { data, error } = query;
  const isDenied = profile !== null && !isCoach;
  const isRefused = isDenied || error?.code === 'not_found' || error?.code === 'forbidden';
  const isUnreachable = error !== null || isProfileUnreachable || (!loading && user === null);
  const isCopyShown = !data && !isRefused;
  const copy = isCopyShown ? findNotesCopy(slotId, Date.now()) : null;
  const register = isCopyShown && isUnreachable && !copy ? findCopy(slotId, Date.now())?.register : null;
  const kept = copy ?? (register ? fromRegister(register) : undefined);
  const userId = user?.id;
  useEffect(() => {
    if (data && userId) saveNotesCopy(data, userId, Date.now());
  }, [data, userId]);
  useEffect(() => {
    if (isRefused) deleteNotesCopy(slotId);
  }, [slotId, isRefused]);
  const isLoaded = data !== undefined;
  useEffect(() => {
    if (isLoaded) keepPageOffline().catch((failure) => console.error("The page can't work offline", failure));
  }, [isLoaded]);
  const isKept = !data && kept !== undefined;
  return {
    query: { ...query, data: data ?? kept, error: isKept ? null : error },
    ...{ isKept, isUnreachable: isKept && isUnreachable, hasNotes: register === null },
  };
}

/** The people of a register, without data that only the server has. */
function fromRegister({ lesson, entries }: Register): LessonNotes {
  const { slotId, title, startTime, endTime } = lesson;
  return {
    ...{ slotId, title, startTime, endTime, sport: 'other', skills: [] },
    isStarted: Date.parse(startTime) <= Date.now(),
    attendees: entries.map(({ bookingId, participantId, fullName, knownAs, attended }) => ({
      ...{ bookingId, participantId, fullName, knownAs, attended },
      ...{ arePicturesAllowed: false, notes: [], answer: null, levels: [] },
    })),
  };
}
