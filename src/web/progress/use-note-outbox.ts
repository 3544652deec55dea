import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { notesApi } from '#domain/progress/notes-contract.ts';
import { skillsApi } from '#domain/progress/skills-contract.ts';
import { invalidate } from '#web/app/api/api.ts';
import { NoteOutbox } from './note-outbox.ts';

/** Texts typed by this account on this device that the server doesn't have yet. Sends them while the page is open. */
export function useNoteOutbox(userId: string | undefined): NoteOutbox | null {
  const client = useQueryClient();
  const [outbox, setOutbox] = useState<NoteOutbox | null>(null);
  useEffect(() => {
    if (!userId) return;
    const next = new NoteOutbox(userId, () =>
      invalidate(client, [notesApi.getOfLesson, skillsApi.getParticipant]),
    );
    setOutbox(next);
    return next.start();
  }, [client, userId]);
  useSyncExternalStore(outbox?.subscribe ?? noSubscription, () => outbox?.version ?? 0);
  return outbox;
}

const noSubscription = () => () => {};
