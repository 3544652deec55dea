import { expect, test } from 'vitest';
import { refuseBecomeGuardian, refuseGuardianAnswer } from './guardians.ts';

const open = { status: 'pending' as const, isExpired: false, email: 'sam@club.example' };
const sam = { email: 'sam@club.example' };

test('lets only the invited person respond, once and before the invitation expires', () => {
  expect(refuseGuardianAnswer(open, sam)).toBeNull();
  expect(refuseGuardianAnswer(open, null)?.code).toBe('unauthenticated');
  expect(refuseGuardianAnswer(open, { email: 'jo@club.example' })?.code).toBe('forbidden');
  expect(refuseGuardianAnswer({ ...open, isExpired: true }, sam)?.message).toContain('expired');
  for (const status of ['accepted', 'declined', 'withdrawn'] as const) {
    expect(refuseGuardianAnswer({ ...open, status }, sam)?.message).toContain(status);
  }
});

test('allows at most four guardians, each once', () => {
  expect(refuseBecomeGuardian({ isGuardian: false, guardians: 3 })).toBeNull();
  expect(refuseBecomeGuardian({ isGuardian: false, guardians: 4 })?.code).toBe('conflict');
  expect(refuseBecomeGuardian({ isGuardian: true, guardians: 1 })?.code).toBe('conflict');
});
