import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { AppError } from '#domain/errors.ts';
import type { OwnApplication } from '#domain/verification/application.ts';
import { applicationsApi } from '#domain/verification/applications-contract.ts';
import { callApi, invalidate } from '#web/app/api/api.ts';

/** The application as typed. */
export type Typed = {
  headline: string;
  bio: string;
  sports: OwnApplication['sports'];
  nations: OwnApplication['nations'];
  experience: string;
  coachesJuniors: boolean | null;
  hasAcceptedTerms: boolean;
};

/** An application's content in the form's shape. */
export const typedOf = (application: OwnApplication | null): Typed => ({
  headline: application?.headline ?? '',
  bio: application?.bio ?? '',
  sports: application?.sports ?? [],
  nations: application?.nations ?? [],
  experience: application?.experience ?? '',
  coachesJuniors: application?.coachesJuniors ?? null,
  hasAcceptedTerms: application?.hasAcceptedTerms ?? false,
});

/** Pause in typing before the draft is saved, and delay between retries, in ms. */
const settledMs = 700;
const retryMs = 8_000;

type Saving = { status: 'saved' | 'waiting' | 'saving' } | { status: 'failed'; error: AppError };

/**
 * Keeps a draft. Saves it when the typing stops, one save at a time, and retries every 8 s while the server
 * can't be reached. `flush` saves immediately and resolves to true if everything typed is saved.
 */
export function useApplicationDraft(application: OwnApplication | null) {
  const client = useQueryClient();
  const [typed, setTyped] = useState(() => typedOf(application));
  const [saving, setSaving] = useState<Saving>({ status: 'saved' });
  const latest = useRef(typed);
  const isUnsaved = useRef(false);
  const running = useRef<Promise<boolean> | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const savedAt = useRef(application?.updatedAt);

  const flush = useCallback(async (): Promise<boolean> => {
    clearTimeout(timer.current);
    // Also awaits a save that began while this one waited.
    while (running.current) await running.current;
    if (!isUnsaved.current) return true;
    isUnsaved.current = false;
    setSaving({ status: 'saving' });
    const save = callApi(applicationsApi.saveDraft, latest.current).then(
      (answer) => {
        savedAt.current = answer.application.updatedAt;
        setSaving({ status: isUnsaved.current ? 'waiting' : 'saved' });
        return true;
      },
      (error: AppError) => {
        isUnsaved.current = true;
        setSaving({ status: 'failed', error });
        if (error.code === 'unavailable') timer.current = setTimeout(() => void flush(), retryMs);
        // Someone has decided, or the application was submitted elsewhere: refetch so that the page shows its
        // state.
        if (error.code === 'conflict') void invalidate(client, [applicationsApi.getOwn]);
        return false;
      },
    );
    running.current = save.finally(() => {
      running.current = null;
    });
    const isSaved = await running.current;
    if (isSaved) void invalidate(client, [applicationsApi.getOwn]);
    return isSaved && !isUnsaved.current;
  }, [client]);

  const change = useCallback(
    (part: Partial<Typed>) => {
      latest.current = { ...latest.current, ...part };
      isUnsaved.current = true;
      setTyped(latest.current);
      setSaving((now) => (now.status === 'saving' ? now : { status: 'waiting' }));
      clearTimeout(timer.current);
      timer.current = setTimeout(() => void flush(), settledMs);
    },
    [flush],
  );

  // If another tab has saved a newer version and nothing is unsaved here, shows that version.
  useEffect(() => {
    if (!application || isUnsaved.current || running.current) return;
    if (savedAt.current && application.updatedAt <= savedAt.current) return;
    savedAt.current = application.updatedAt;
    latest.current = typedOf(application);
    setTyped(latest.current);
  }, [application]);

  // Going to another page of the app saves unsaved input. If the app is closed, the browser asks first.
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (!isUnsaved.current && !running.current) return;
      void flush();
      event.preventDefault();
    };
    addEventListener('beforeunload', ask);
    return () => {
      removeEventListener('beforeunload', ask);
      void flush().then(() => clearTimeout(timer.current));
    };
  }, [flush]);

  return { typed, change, flush, saving };
}
