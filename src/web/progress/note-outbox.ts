import { AppError } from '#domain/errors.ts';
import { notesApi } from '#domain/progress/notes-contract.ts';
import { callApi } from '#web/app/api/api.ts';

/** Which note a text belongs to: about one person, by booking, or about everyone, by lesson. */
export type NoteTarget = { about: 'one' | 'all'; id: string; isShared: boolean };

/**
 * A text that the server doesn't have yet. `seenAt`: when the note was last changed before the coach edited
 * it; null if there was no note.
 */
export type Draft = NoteTarget & { userId: string; body: string; seenAt: string | null };

/** Why a draft isn't saved yet; `message` is the server's refusal. */
export type DraftState = {
  status: 'waiting' | 'sending' | 'offline' | 'outdated' | 'refused';
  message?: string;
};

/**
 * Drafts are in local storage under `app.register.{ms since 1970}.note.…`, so that they are deleted like the copies of
 * registers: at sign-out, before a page opens while nobody is signed in, and once they expire.
 */
const prefix = 'app.register.';
const keptMs = 7 * 24 * 3_600_000;
const suffixOf = ({ about, id, isShared }: NoteTarget) =>
  `.note.${about}.${id}.${isShared ? 'shared' : 'private'}`;

function tryStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}

const keysOf = (storage: Storage) =>
  Object.keys(storage).filter((key) => key.startsWith(prefix) && key.includes('.note.'));

/** Pause in typing before a text is sent, and delay between retries, in ms. */
const settledMs = 800;
const retryMs = 10_000;

/**
 * Keeps what a coach types, in local storage from the first keystroke, until the server has it. Sends a text
 * when the typing stops; if that fails, tries again every 10 s and when the browser is back online. `onSaved`
 * refetches the notes on the screen. Only then is the draft removed, so that the old text never appears in
 * between.
 */
export class NoteOutbox {
  private readonly drafts = new Map<string, Draft>();
  private readonly states = new Map<string, DraftState>();
  private readonly listeners = new Set<() => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isSending = false;
  /** Counts changes, for `useSyncExternalStore`. */
  version = 0;

  private readonly userId: string;
  private readonly onSaved: () => Promise<unknown>;

  constructor(userId: string, onSaved: () => Promise<unknown>) {
    this.userId = userId;
    this.onSaved = onSaved;
    tryStorage((storage) => {
      for (const key of keysOf(storage)) {
        const draft = JSON.parse(storage.getItem(key) ?? 'null') as Draft | null;
        if (draft?.userId === userId) this.drafts.set(suffixOf(draft), draft);
      }
    });
  }

  /** Starts sending; returns a function that stops it. */
  start = (): (() => void) => {
    const flush = () => void this.flush();
    flush();
    addEventListener('online', flush);
    const retry = setInterval(flush, retryMs);
    return () => {
      removeEventListener('online', flush);
      clearInterval(retry);
      clearTimeout(this.timer);
      flush();
    };
  };

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  draftOf = (target: NoteTarget): Draft | undefined => this.drafts.get(suffixOf(target));
  stateOf = (target: NoteTarget): DraftState | undefined => this.states.get(suffixOf(target));
  isEmpty = (): boolean => this.drafts.size === 0;

  /**
   * Keeps a text and sends it when the typing stops. `seenAt` is used only for the first change to a note.
   */
  write(target: NoteTarget, body: string, seenAt: string | null): void {
    const known = this.draftOf(target);
    this.keep({ ...target, userId: this.userId, body, seenAt: known ? known.seenAt : seenAt });
    this.setState(target, { status: 'waiting' });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.flush(), settledMs);
  }

  /** Sends a text even though the note has changed since. The text replaces the version last changed at `seenAt`. */
  overwrite(target: NoteTarget, seenAt: string | null): void {
    const draft = this.draftOf(target);
    if (!draft) return;
    this.keep({ ...draft, seenAt });
    this.setState(target, { status: 'waiting' });
    void this.flush();
  }

  discard(target: NoteTarget): void {
    const suffix = suffixOf(target);
    this.drafts.delete(suffix);
    this.states.delete(suffix);
    tryStorage((storage) => {
      for (const key of keysOf(storage)) if (key.endsWith(suffix)) storage.removeItem(key);
    });
    this.changed();
  }

  private keep(draft: Draft): void {
    const suffix = suffixOf(draft);
    this.drafts.set(suffix, draft);
    tryStorage((storage) => {
      for (const key of keysOf(storage)) if (key.endsWith(suffix)) storage.removeItem(key);
      storage.setItem(`${prefix}${Date.now() + keptMs}${suffix}`, JSON.stringify(draft));
    });
  }

  private setState(target: NoteTarget, state: DraftState): void {
    this.states.set(suffixOf(target), state);
    this.changed();
  }

  private changed(): void {
    this.version += 1;
    for (const listener of this.listeners) listener();
  }

  /** Sends every draft that is neither refused nor outdated, one after the other. */
  private async flush(): Promise<void> {
    if (this.isSending) return;
    this.isSending = true;
    try {
      for (const draft of [...this.drafts.values()]) {
        const { status } = this.stateOf(draft) ?? { status: 'waiting' };
        if (status === 'outdated' || status === 'refused') continue;
        await this.send(draft);
      }
    } finally {
      this.isSending = false;
    }
  }

  private async send(draft: Draft): Promise<void> {
    this.setState(draft, { status: 'sending' });
    try {
      const seenAt = await post(draft);
      if (seenAt === undefined) {
        await this.onSaved();
        return this.setState(draft, { status: 'outdated' });
      }
      const now = this.draftOf(draft);
      if (!now) return;
      this.keep({ ...now, seenAt });
      await this.onSaved();
      if (this.draftOf(draft)?.body === draft.body) return this.discard(draft);
      // More was typed in the meantime.
      this.setState(draft, { status: 'waiting' });
      this.timer = setTimeout(() => void this.flush(), settledMs);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const isOffline = ['unavailable', 'too_many_requests', 'internal'].includes(error.code);
      this.setState(draft, isOffline ? { status: 'offline' } : { status: 'refused', message: error.message });
    }
  }
}

/**
 * Saves a text. Returns when the note was changed, null for a removed note, and undefined if nothing was saved
 * because the note has changed since `seenAt`.
 */
async function post({ about, id, isShared, body, seenAt }: Draft): Promise<string | null | undefined> {
  if (about === 'all') {
    const saved = await callApi(notesApi.saveForAll, { slotId: id, isShared, body, seenAt });
    return saved.isOutdated ? undefined : saved.updatedAt;
  }
  const { note, isOutdated } = await callApi(notesApi.save, { bookingId: id, isShared, body, seenAt });
  return isOutdated ? undefined : (note?.updatedAt ?? null);
}
