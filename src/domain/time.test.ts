import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addDays,
  formatDay,
  formatLessonTime,
  instantOf,
  isInstant,
  mondayOf,
  toInstant,
  wallTimeOf,
  weekdayOf,
} from './time.ts';

const dates = fc
  .integer({ min: Date.parse('2000-01-01'), max: Date.parse('2060-12-31') })
  .map((ms) => new Date(ms).toISOString().slice(0, 10));
const wallTimes = fc.record({
  date: dates,
  hour: fc.integer({ min: 0, max: 23 }),
  minute: fc.integer({ min: 0, max: 59 }),
});

describe('London local time', () => {
  it('reads back as it was written, unless the clocks skip it', () => {
    fc.assert(
      fc.property(wallTimes, (wall) => {
        const { instant, occurrence } = instantOf(wall);
        if (occurrence === 'skipped') expect(wallTimeOf(instant).hour).toBe(wall.hour + 1);
        else expect(wallTimeOf(instant)).toEqual(wall);
      }),
    );
  });

  it('means the first of the two instants when the clocks repeat it', () => {
    fc.assert(
      fc.property(wallTimes, (wall) => {
        const { instant, occurrence } = instantOf(wall);
        const hourLater = wallTimeOf(Date.parse(instant) + 3_600_000);
        expect(occurrence === 'repeated').toBe(hourLater.hour === wall.hour && hourLater.date === wall.date);
      }),
    );
  });

  it('skips an hour on 28 March 2027 and repeats an hour on 31 October 2027', () => {
    expect(instantOf({ date: '2027-03-28', hour: 0, minute: 59 })).toEqual({
      instant: '2027-03-28T00:59:00Z',
      occurrence: 'exact',
    });
    expect(instantOf({ date: '2027-03-28', hour: 1, minute: 30 })).toEqual({
      instant: '2027-03-28T01:30:00Z',
      occurrence: 'skipped',
    });
    expect(instantOf({ date: '2027-03-28', hour: 2, minute: 0 })).toEqual({
      instant: '2027-03-28T01:00:00Z',
      occurrence: 'exact',
    });
    expect(instantOf({ date: '2027-10-31', hour: 1, minute: 30 })).toEqual({
      instant: '2027-10-31T00:30:00Z',
      occurrence: 'repeated',
    });
    expect(instantOf({ date: '2027-10-31', hour: 2, minute: 0 })).toEqual({
      instant: '2027-10-31T02:00:00Z',
      occurrence: 'exact',
    });
  });

  it('is shown with its day, and with the year if it is not this year', () => {
    const now = Date.parse('2027-03-01T12:00:00Z');
    expect(formatLessonTime('2027-07-03T08:00:00Z', '2027-07-03T09:00:00Z', now)).toBe(
      'Sat 3 Jul, 09:00–10:00',
    );
    expect(formatDay('2028-01-01T00:00:00Z', now)).toBe('Sat 1 Jan 2028');
  });
});

describe('Calendar dates', () => {
  it('move forward and back by the same number of days', () => {
    fc.assert(
      fc.property(dates, fc.integer({ min: -1000, max: 1000 }), (date, days) => {
        expect(addDays(addDays(date, days), -days)).toBe(date);
      }),
    );
  });

  it('belong to the week of the Monday on or before them', () => {
    fc.assert(
      fc.property(dates, (date) => {
        const monday = mondayOf(date);
        expect(weekdayOf(monday)).toBe(1);
        expect(addDays(monday, weekdayOf(date) - 1)).toBe(date);
      }),
    );
  });
});

it('writes an instant without unnecessary fractions', () => {
  expect(toInstant(Date.UTC(2027, 0, 2, 3, 4, 5))).toBe('2027-01-02T03:04:05Z');
  expect(toInstant(Date.UTC(2027, 0, 2, 3, 4, 5, 6))).toBe('2027-01-02T03:04:05.006Z');
});

it('accepts only instants that exist', () => {
  for (const text of ['2028-02-29T00:00:00Z', '2027-02-28T10:00:00.123456Z', '0001-01-01T00:00:00Z']) {
    expect(isInstant(text), text).toBe(true);
  }
  for (const text of [
    '2027-02-29T00:00:00Z',
    '2027-13-01T00:00:00Z',
    '2027-01-01T24:00:00Z',
    '0000-01-01T00:00:00Z',
    '',
  ]) {
    expect(isInstant(text), text).toBe(false);
  }
});
