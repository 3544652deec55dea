import { sessionStorageKey } from '#domain/auth/session-storage.ts';
import type { registerApi } from '#domain/bookings/register-contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import type { Instant } from '#domain/time.ts';

export type Register = OutputOf<typeof registerApi.open>;

/** A register as stored on this device, with the account that opened it and the time of opening. */
export type RegisterCopy = { userId: string; savedAt: Instant; register: Register };

/**
 * Copies are in local storage under `app.register.{ms since 1970}.{slotId}`. The time in the key is the
 * deadline for deleting the copy. public/early.js deletes overdue copies before any page opens, and all
 * copies while nobody is signed in; app/auth/session.ts deletes them at sign-out.
 */
const prefix = 'app.register.';

/** A register is copied only if its lesson has started or starts within this time, in milliseconds. */
const keptBeforeMs = 24 * 3_600_000;

/** Uses the browser's storage; returns undefined if storage is blocked or full. */
export function tryStorage<Result>(use: (storage: Storage) => Result): Result | undefined {
  try {
    return use(localStorage);
  } catch {
    return undefined;
  }
}

/** Unsent notes (progress/note-outbox.ts) and copies of notes (progress/note-copies.ts) have the same prefix. */
const keysOf = (storage: Storage) =>
  Object.keys(storage).filter((key) => key.startsWith(prefix) && !/\.notes?\./.test(key));

/** The account of the stored session. It is known even if the session can't be renewed without a connection. */
export const storedUserId = (storage: Storage): string | undefined =>
  JSON.parse(storage.getItem(sessionStorageKey) ?? 'null')?.user?.id;

/** The copies that this account opened and that may still be shown, sorted by the start of the lesson. */
export function listCopies(now: number): RegisterCopy[] {
  const copies = tryStorage((storage) => {
    const userId = storedUserId(storage);
    return keysOf(storage)
      .map((key) => JSON.parse(storage.getItem(key) ?? 'null') as RegisterCopy | null)
      .filter((copy) => copy !== null && copy.userId === userId && isShown(copy, now)) as RegisterCopy[];
  });
  return (copies ?? []).sort((a, b) => startOf(a) - startOf(b));
}

const isShown = ({ register }: RegisterCopy, now: number) => Date.parse(register.visibleUntil) > now;
const startOf = ({ register }: RegisterCopy) => Date.parse(register.lesson.startTime);

/** The copy of a lesson's register; null if there is none that may be shown. */
export const findCopy = (slotId: string, now: number): RegisterCopy | null =>
  listCopies(now).find(({ register }) => register.lesson.slotId === slotId) ?? null;

export const deleteCopy = (slotId: string) =>
  tryStorage((storage) => {
    for (const key of keysOf(storage)) if (key.endsWith(`.${slotId}`)) storage.removeItem(key);
  });

/** Replaces the copy of a lesson's register. Returns false if the lesson is too far ahead or storage can't be used. */
export function saveCopy(register: Register, userId: string, now: number): boolean {
  const { slotId, startTime } = register.lesson;
  deleteCopy(slotId);
  if (Date.parse(startTime) - keptBeforeMs > now) return false;
  const copy: RegisterCopy = { userId, savedAt: new Date(now).toISOString(), register };
  const key = `${prefix}${Date.parse(register.visibleUntil)}.${slotId}`;
  return (
    tryStorage((storage) => {
      storage.setItem(key, JSON.stringify(copy));
      return true;
    }) ?? false
  );
}
