import { expect, test } from 'vitest';
import { defaultQuietHours, quietUntil } from './quiet-hours.ts';

const until = (now: string, hours = defaultQuietHours) => {
  const end = quietUntil(Date.parse(now), hours);
  return end === null ? null : new Date(end).toISOString();
};

test('holds push back from the evening until the morning, across midnight [NOTE-6b]', () => {
  expect(until('2027-01-10T20:59:59Z')).toBeNull();
  expect(until('2027-01-10T21:00:00Z')).toBe('2027-01-11T07:30:00.000Z');
  expect(until('2027-01-10T23:59:59Z')).toBe('2027-01-11T07:30:00.000Z');
  expect(until('2027-01-11T00:00:00Z')).toBe('2027-01-11T07:30:00.000Z');
  expect(until('2027-01-11T07:29:59Z')).toBe('2027-01-11T07:30:00.000Z');
  expect(until('2027-01-11T07:30:00Z')).toBeNull();
});

test("follows London's clock on the nights when the clocks change [NOTE-6b]", () => {
  // 27 March 2027, 21:00 GMT; the clocks go forward at 01:00 on the 28th.
  expect(until('2027-03-27T21:00:00Z')).toBe('2027-03-28T06:30:00.000Z');
  expect(until('2027-03-28T06:29:00Z')).toBe('2027-03-28T06:30:00.000Z');
  expect(until('2027-03-28T06:30:00Z')).toBeNull();
  expect(until('2027-03-28T20:00:00Z')).toBe('2027-03-29T06:30:00.000Z');
  // 30 October 2027, 21:00 BST; the clocks go back at 02:00 on the 31st.
  expect(until('2027-10-30T20:00:00Z')).toBe('2027-10-31T07:30:00.000Z');
  expect(until('2027-10-31T07:29:00Z')).toBe('2027-10-31T07:30:00.000Z');
  expect(until('2027-10-31T07:30:00Z')).toBeNull();
});

test('holds push back by day, and until a time that the clocks skip or repeat [NOTE-6b]', () => {
  const siesta = { startsAt: '13:00', endsAt: '15:00' };
  expect(until('2027-01-10T12:59:00Z', siesta)).toBeNull();
  expect(until('2027-01-10T13:00:00Z', siesta)).toBe('2027-01-10T15:00:00.000Z');
  expect(until('2027-01-10T15:00:00Z', siesta)).toBeNull();
  const early = { startsAt: '22:00', endsAt: '01:30' };
  // 01:30 does not exist on 28 March, so quiet hours end when the clock shows 02:30.
  expect(until('2027-03-28T00:59:00Z', early)).toBe('2027-03-28T01:30:00.000Z');
  // 01:30 occurs twice on 31 October; quiet hours end the first time.
  expect(until('2027-10-31T00:29:00Z', early)).toBe('2027-10-31T00:30:00.000Z');
  expect(until('2027-10-31T01:10:00Z', early)).toBeNull();
});
