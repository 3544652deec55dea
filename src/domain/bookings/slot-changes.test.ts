import { expect, test } from 'vitest';
import {
  editInput,
  moveInput,
  planMove,
  refuseBusyPeople,
  refuseCancelSlot,
  refuseCompleteSlot,
  refuseEditSlot,
  refuseMoveSlot,
  refuseOverlap,
} from './slot-changes.ts';

const slot = {
  status: 'scheduled' as const,
  bookedCount: 0,
  startTime: '2027-03-27T09:00:00Z',
  endTime: '2027-03-27T10:30:00Z',
};
const start = Date.parse(slot.startTime);
const minute = 60_000;

test('keeps London local time and length when moving across a clock change [SLOT-9]', () => {
  expect(planMove(slot, { date: '2027-03-28', hour: 9, minute: 0 })).toEqual({
    startTime: '2027-03-28T08:00:00Z',
    endTime: '2027-03-28T09:30:00Z',
  });
  // 01:30 does not exist on that night, so the lesson starts at 02:30.
  expect(planMove(slot, { date: '2027-03-28', hour: 1, minute: 30, durationMinutes: 45 })).toEqual({
    startTime: '2027-03-28T01:30:00Z',
    endTime: '2027-03-28T02:15:00Z',
  });
  expect(
    moveInput.safeParse({ date: '2027-02-30', hour: 24, minute: 60, durationMinutes: 10 }).error?.issues,
  ).toHaveLength(4);
});

test('moves a lesson only until it starts and never into the past [SLOT-9]', () => {
  const to = planMove(slot, { date: '2027-04-03', hour: 9, minute: 0 });
  const refusal = (status: 'scheduled' | 'cancelled' | 'completed', now: number, target = to) =>
    refuseMoveSlot({ ...slot, status }, target, now)?.message;
  expect(refusal('scheduled', start - 1)).toBeUndefined();
  expect(refusal('scheduled', start)).toBe(
    'This lesson has already started, so it can no longer be changed.',
  );
  expect(refusal('completed', start - 1)).toContain('already started');
  expect(refusal('cancelled', start - 1)).toBe('This lesson is cancelled, so it can no longer be changed.');
  const past = planMove(slot, { date: '2027-03-20', hour: 9, minute: 0 });
  expect(refuseMoveSlot(slot, past, start - minute)).toMatchObject({
    code: 'unprocessable',
    fields: { date: 'Sat 20 Mar, 09:00–10:30 has already begun. Choose a later date or time.' },
  });
  const far = planMove(slot, { date: '2029-06-01', hour: 9, minute: 0 });
  expect(refusal('scheduled', start - minute, far)).toContain('two years ahead');
});

test("requires a day's notice of an earlier start and never shortens a booked lesson [SLOT-9]", () => {
  const booked = { ...slot, bookedCount: 1 };
  const refusal = (hour: number, now: number, from = booked, durationMinutes = 90) =>
    refuseMoveSlot(from, planMove(from, { date: '2027-03-27', hour, minute: 0, durationMinutes }), now);
  const weekBefore = start - 7 * 24 * 60 * minute;
  const hourBefore = start - 60 * minute;
  // A week ahead, the lesson may move to an earlier time; an hour ahead, only to a later time.
  expect(refusal(8, weekBefore)).toBeNull();
  expect(refusal(10, hourBefore)).toBeNull();
  expect(refusal(9, hourBefore, booked, 120)).toBeNull();
  const dayBeforeEight = start - 25 * 60 * minute;
  expect(refusal(8, dayBeforeEight)).toBeNull();
  expect(refusal(8, dayBeforeEight + 1)).toMatchObject({
    code: 'conflict',
    fields: {
      date: "Someone has booked this lesson and needs at least 24 hours' notice of an earlier start. Choose a later time, or cancel this lesson, which refunds everyone, and publish a new one.",
    },
  });
  expect(refusal(8, dayBeforeEight + 1, slot)).toBeNull();
  expect(refusal(10, weekBefore, booked, 75)?.fields).toEqual({
    durationMinutes:
      "Someone has booked this as a 90-minute lesson, so it can't be shorter. Keep its length, or cancel this lesson, which refunds everyone, and publish a new one.",
  });
  expect(refusal(10, weekBefore, slot, 75)).toBeNull();
});

test('reports a refused move at the right field, without naming other people [SLOT-9]', () => {
  expect(refuseOverlap({ ...slot, title: 'Tennis' }, start - minute)).toMatchObject({
    code: 'overlap',
    fields: {
      hour: 'This overlaps “Tennis” (Sat 27 Mar, 09:00–10:30) in your calendar. Choose another time.',
    },
  });
  expect(refuseBusyPeople(1).message).toMatch(/^1 person who booked has another lesson at that time\./);
  expect(refuseBusyPeople(3).message).toMatch(/^3 people who booked have another lesson at that time\./);
});

test('refuses a capacity that is out of range or below the booked seats [SLOT-9]', () => {
  const group = { ...slot, lessonType: 'group' as const, bookedCount: 3 };
  const refusal = (edit: { minCapacity: number; maxCapacity: number }) =>
    refuseEditSlot(group, edit, start - minute)?.fields;
  expect(refusal({ minCapacity: 2, maxCapacity: 3 })).toBeUndefined();
  expect(refusal({ minCapacity: 2, maxCapacity: 2 })).toEqual({
    maxCapacity: "3 places are already taken, so the group can't be smaller than that.",
  });
  expect(refusal({ minCapacity: 1, maxCapacity: 4 })).toEqual({
    minCapacity: 'A group must have at least 2 places.',
  });
  expect(refusal({ minCapacity: 5, maxCapacity: 4 })).toEqual({
    minCapacity: "The smallest group can't be larger than the largest.",
  });
  const individual = { ...slot, lessonType: 'individual' as const, bookedCount: 0 };
  expect(refuseEditSlot(individual, { minCapacity: 1, maxCapacity: 1 }, start - 1)).toBeNull();
  expect(refuseEditSlot(individual, { minCapacity: 1, maxCapacity: 2 }, start - 1)?.fields).toHaveProperty(
    'maxCapacity',
  );
  expect(refuseEditSlot(group, { minCapacity: 2, maxCapacity: 4 }, start)?.code).toBe('conflict');
  const whole = { locationId: null, priceCents: 20, minCapacity: 2, maxCapacity: 21 };
  expect(editInput.safeParse(whole).error?.issues.map(({ path }) => path[0])).toEqual([
    'priceCents',
    'maxCapacity',
  ]);
});

test('allows cancelling until the lesson ends and completing once it has started [SLOT-9]', () => {
  const end = Date.parse(slot.endTime);
  expect(refuseCancelSlot(slot, end - 1)).toBeNull();
  expect(refuseCancelSlot(slot, end)?.message).toBe('This lesson is over, so it can no longer be cancelled.');
  expect(refuseCancelSlot({ ...slot, status: 'completed' }, start)?.message).toContain('over');
  expect(refuseCancelSlot({ ...slot, status: 'cancelled' }, start)?.message).toBe(
    'This lesson is already cancelled.',
  );
  expect(refuseCompleteSlot(slot, start - 1)?.message).toBe(
    'You can mark a lesson as completed once it has started.',
  );
  expect(refuseCompleteSlot(slot, start)).toBeNull();
  expect(refuseCompleteSlot({ ...slot, status: 'completed' }, end)).toBeNull();
  expect(refuseCompleteSlot({ ...slot, status: 'cancelled' }, end)?.code).toBe('conflict');
});
