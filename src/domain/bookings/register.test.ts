import { expect, test } from 'vitest';
import { refuseOpenRegister, registerWindowOf } from './register.ts';

const lesson = { status: 'scheduled', startTime: '2027-03-20T09:00:00Z', endTime: '2027-03-20T10:00:00Z' };
const at = (instant: string) => refuseOpenRegister(lesson, Date.parse(instant));

test('opens a register from 7 days before the lesson until 24 hours after it', () => {
  expect(registerWindowOf(lesson)).toEqual({ from: '2027-03-13T09:00:00Z', until: '2027-03-21T10:00:00Z' });
  expect(at('2027-03-13T08:59:59Z')?.message).toContain('from Sat 13 Mar, 09:00 (London time)');
  expect(at('2027-03-13T09:00:00Z')).toBeNull();
  expect(at('2027-03-21T10:00:00Z')).toBeNull();
  expect(at('2027-03-21T10:00:01Z')?.code).toBe('conflict');
});

test('keeps the register of a cancelled lesson closed', () => {
  const now = Date.parse('2027-03-20T08:00:00Z');
  expect(refuseOpenRegister({ ...lesson, status: 'cancelled' }, now)?.message).toBe(
    'This lesson is cancelled.',
  );
});
