import { expect, it } from 'vitest';
import { addDays, weekdayOf } from '#domain/time.ts';
import { addMonths, formatMonth, monthOf, stripOf, weekOf } from './calendar-dates.ts';

it('extends a month to whole weeks, Monday to Sunday [CAL-1]', () => {
  for (const [date, first, last, count] of [
    ['2026-11-21', '2026-10-26', '2026-12-06', 42],
    ['2027-02-01', '2027-02-01', '2027-02-28', 28],
    ['2027-03-28', '2027-03-01', '2027-04-04', 35],
    ['2027-10-31', '2027-09-27', '2027-10-31', 35],
  ] as const) {
    const days = monthOf(date);
    expect(days).toHaveLength(count);
    expect([days[0], days.at(-1)]).toEqual([first, last]);
    expect(weekdayOf(days[0]!)).toBe(1);
  }
  expect(weekOf('2027-03-28').at(-1)).toBe('2027-03-28');
});

it('includes tomorrow in the day strip on every day of the week', () => {
  for (const today of weekOf('2026-12-28')) {
    expect(stripOf(today, today)).toContain(addDays(today, 1));
    // Tomorrow stays in the strip after it is chosen.
    expect(stripOf(addDays(today, 1), today)).toContain(addDays(today, 1));
  }
  expect(stripOf('2026-11-22', '2026-11-22')).toEqual([...weekOf('2026-11-22'), '2026-11-23']);
  expect(stripOf('2026-11-22', '2026-11-25')).toEqual(weekOf('2026-11-22'));
});

it('moves by months to the same day, or to the last day of a shorter month [CAL-1]', () => {
  expect(addMonths('2027-01-31', 1)).toBe('2027-02-28');
  expect(addMonths('2027-03-31', -1)).toBe('2027-02-28');
  expect(addMonths('2026-12-15', 1)).toBe('2027-01-15');
  expect(addMonths('2027-01-15', -1)).toBe('2026-12-15');
  expect(formatMonth('2027-01-15')).toBe('January 2027');
});
