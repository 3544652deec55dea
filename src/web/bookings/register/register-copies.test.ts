import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sessionStorageKey } from '#domain/auth/session-storage.ts';
import { findCopy, type Register, saveCopy } from './register-copies.ts';

/** The stored items are enumerable properties, as in a browser. */
class MemoryStorage {
  [key: string]: unknown;
  getItem(key: string) {
    return this[key] ?? null;
  }
  setItem(key: string, value: string) {
    this[key] = value;
  }
  removeItem(key: string) {
    delete this[key];
  }
}

let storage: MemoryStorage;
const signIn = (id: string) => storage.setItem(sessionStorageKey, JSON.stringify({ user: { id } }));

beforeEach(() => {
  storage = new MemoryStorage();
  vi.stubGlobal('localStorage', storage);
  signIn('coach');
});
afterEach(() => void vi.unstubAllGlobals());

const at = (time: string) => Date.parse(`2026-06-${time}:00Z`);
const lesson = { slotId: 'late-lesson', title: 'Junior tennis', startTime: '2026-06-20T19:30:00.000Z' };
const register = { lesson, visibleUntil: '2026-06-21T20:30:00.000Z', entries: [] } as unknown as Register;

test('keeps a register from the morning until 24 hours after the lesson [PART-7a]', () => {
  for (const opened of ['19T23:10', '20T06:00', '20T19:35']) {
    storage = new MemoryStorage();
    vi.stubGlobal('localStorage', storage);
    signIn('coach');
    expect(saveCopy(register, 'coach', at(opened)), opened).toBe(true);
    for (const shown of ['20T19:40', '21T20:29']) {
      const savedAt = new Date(at(opened)).toISOString();
      expect(findCopy('late-lesson', at(shown)), `${opened} ${shown}`).toEqual({
        ...{ userId: 'coach', savedAt, register },
      });
    }
    expect(findCopy('late-lesson', at('21T20:30'))).toBeNull();
  }
});

test('keeps no register of a lesson that starts in more than 24 hours', () => {
  expect(saveCopy(register, 'coach', at('19T19:29'))).toBe(false);
  expect(findCopy('late-lesson', at('19T19:29'))).toBeNull();
  expect(saveCopy(register, 'coach', at('19T19:30'))).toBe(true);
});

test('shows a register only to the account that opened it', () => {
  saveCopy(register, 'coach', at('20T06:00'));
  signIn('other');
  expect(findCopy('late-lesson', at('20T19:40'))).toBeNull();
});
