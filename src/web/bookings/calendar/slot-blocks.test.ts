import { describe, expect, it } from 'vitest';
import type { CoachSlot } from '#domain/catalogue/slots-contract.ts';
import { layOutDay } from '#web/ui/calendar/day-layout.ts';
import { blocksOf, clockNotes, dayOf, formatClockTimes, instantAt, wallMinutes } from './slot-blocks.ts';

const time = (startTime: string, minutes: number) => ({
  startTime,
  endTime: new Date(Date.parse(startTime) + minutes * 60_000).toISOString(),
});

const slot = (
  slotId: string,
  startTime: string,
  minutes: number,
  more: Partial<CoachSlot> = {},
): CoachSlot => ({
  slotId,
  templateId: 'template',
  title: 'Junior tennis',
  customerName: null,
  sport: 'tennis',
  lessonType: 'group',
  minCapacity: 2,
  maxCapacity: 4,
  minAge: null,
  maxAge: null,
  ageDate: 'day',
  priceCents: 1000,
  status: 'scheduled',
  bookedCount: 0,
  location: null,
  ...time(startTime, minutes),
  ...more,
});

const hm = (hour: number, minute = 0) => hour * 60 + minute;

describe('A lesson in the calendar grid', () => {
  it('is shown in London time in summer and in winter', () => {
    expect(wallMinutes(dayOf('2027-01-15'), time('2027-01-15T09:00:00Z', 60))).toEqual({
      start: hm(9),
      end: hm(10),
    });
    expect(wallMinutes(dayOf('2027-07-15'), time('2027-07-15T08:00:00Z', 60))).toEqual({
      start: hm(9),
      end: hm(10),
    });
    expect(wallMinutes(dayOf('2027-07-16'), time('2027-07-15T08:00:00Z', 60))).toBeNull();
  });

  it('is split at midnight into two blocks, of which only the first can be dragged', () => {
    const late = slot('late', '2027-01-15T23:00:00Z', 120);
    const parts = blocksOf([late], ['2027-01-15', '2027-01-16'].map(dayOf), 0);
    expect(parts).toMatchObject([
      { column: 0, start: hm(23), end: hm(24), isMovable: true },
      { column: 1, start: 0, end: hm(1), isMovable: false },
    ]);
    expect(new Set(parts.map(({ key }) => key)).size).toBe(2);
    expect(blocksOf([slot('to midnight', '2027-01-15T23:00:00Z', 60)], ['2027-01-16'].map(dayOf), 0)).toEqual(
      [],
    );
  });

  it('extends across the hour skipped on 28 March 2027', () => {
    // One hour from 00:30 GMT: the clocks show 02:30 when it ends.
    expect(wallMinutes(dayOf('2027-03-28'), time('2027-03-28T00:30:00Z', 60))).toEqual({
      start: hm(0, 30),
      end: hm(2, 30),
    });
    expect(wallMinutes(dayOf('2027-03-28'), time('2027-03-28T01:00:00Z', 30))).toEqual({
      start: hm(2),
      end: hm(2, 30),
    });
    expect(clockNotes(['2027-03-27', '2027-03-28'].map(dayOf))).toMatchObject([
      { column: 1, start: hm(1), end: hm(2), text: 'Hour skipped: the clocks go forward' },
    ]);
  });

  it('stays visible in the hour repeated on 31 October 2027', () => {
    const day = '2027-10-31';
    // Half an hour from 01:45 BST: the clocks show 01:15 when it ends.
    expect(wallMinutes(dayOf(day), time('2027-10-31T00:45:00Z', 30))).toEqual({
      start: hm(1, 45),
      end: hm(2),
    });
    // An hour and a half from 00:30 BST: the clocks show 01:00 for the second time when it ends.
    expect(wallMinutes(dayOf(day), time('2027-10-30T23:30:00Z', 90))).toEqual({
      start: hm(0, 30),
      end: hm(2),
    });
    expect(wallMinutes(dayOf(day), time('2027-10-31T00:45:00Z', 105))).toEqual({
      start: hm(1, 45),
      end: hm(2, 30),
    });
    expect(clockNotes([day].map(dayOf))).toMatchObject([
      { start: hm(1), end: hm(2), text: 'Hour repeated: the clocks go back' },
    ]);

    const first = slot('first', '2027-10-31T00:00:00Z', 60);
    const second = slot('second', '2027-10-31T01:00:00Z', 60);
    const laidOut = layOutDay(blocksOf([first, second], [day].map(dayOf), 0), 30);
    expect(laidOut.map(({ column, columns }) => [column, columns])).toEqual([
      [0, 2],
      [1, 2],
    ]);
    expect(formatClockTimes(first)).toBe('01:00 BST–01:00 GMT');
    expect(formatClockTimes(second)).toBe('01:00 GMT–02:00');
  });

  it('can be dragged only if it is scheduled, unbooked and not started', () => {
    const now = Date.parse('2027-01-15T12:00:00Z');
    const movable = (more: Partial<CoachSlot>, start = '2027-01-15T13:00:00Z') =>
      blocksOf([slot('a', start, 60, more)], ['2027-01-15'].map(dayOf), now)[0]!.isMovable;
    expect(movable({})).toBe(true);
    expect(movable({ bookedCount: 1 })).toBe(false);
    expect(movable({ status: 'cancelled' })).toBe(false);
    expect(movable({}, '2027-01-15T11:00:00Z')).toBe(false);
  });

  it('starts at the London time of the position to which it is dragged', () => {
    expect(instantAt('2027-07-15', hm(14, 15))).toBe('2027-07-15T13:15:00Z');
    expect(instantAt('2027-01-15', hm(14, 15))).toBe('2027-01-15T14:15:00Z');
  });
});
