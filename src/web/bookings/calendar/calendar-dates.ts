import { addDays, mondayOf, type PlainDate } from '#domain/time.ts';

const datesFrom = (first: PlainDate, count: number) =>
  Array.from({ length: count }, (_, day) => addDays(first, day));

/** The seven dates, Monday first, of the week that contains a date. */
export function weekOf(date: PlainDate): PlainDate[] {
  return datesFrom(mondayOf(date), 7);
}

/** The dates of the day strip: the week that contains `date` and, if its Sunday is today, tomorrow. */
export function stripOf(date: PlainDate, today: PlainDate): PlainDate[] {
  const week = weekOf(date);
  return week.at(-1) === today ? [...week, addDays(today, 1)] : week;
}

/** The full weeks, Monday first, that cover a date's month: 28, 35 or 42 dates. */
export function monthOf(date: PlainDate): PlainDate[] {
  const first = `${date.slice(0, 7)}-01`;
  const monday = mondayOf(first);
  const dates = datesFrom(monday, 42);
  const next = addMonths(first, 1);
  return dates.slice(0, dates[28]! >= next ? 28 : dates[35]! >= next ? 35 : 42);
}

/** The same day `months` later (negative: earlier), or the last day of that month if it is shorter. */
export function addMonths(date: PlainDate, months: number): PlainDate {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, last))).toISOString().slice(0, 10);
}

const atNoon = (date: PlainDate) => new Date(`${date}T12:00:00Z`);
const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
const longDay = format({ weekday: 'long', day: 'numeric', month: 'long' });
const longDayYear = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const shortDay = format({ weekday: 'short', day: 'numeric', month: 'short' });
const shortDayYear = format({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const range = format({ day: 'numeric', month: 'short', year: 'numeric' });
const month = format({ month: 'long', year: 'numeric' });
const weekdays = { short: format({ weekday: 'short' }), long: format({ weekday: 'long' }) };

/** Formats a date as "Saturday 21 November"; adds the year if it is not the year of `today`. */
export function formatLongDay(date: PlainDate, today: PlainDate): string {
  const isThisYear = date.slice(0, 4) === today.slice(0, 4);
  return (isThisYear ? longDay : longDayYear).format(atNoon(date)).replace(',', '');
}

/** Formats a date's month as "November"; adds the year if it is not the year of `today`. */
export function formatMonthOf(date: PlainDate, today: PlainDate): string {
  return formatLongDay(date, today).split(' ').slice(2).join(' ');
}

/** Formats a date as "Sat 21 Nov"; adds the year if it is not the year of `today`. */
export function formatShortDay(date: PlainDate, today: PlainDate): string {
  const isThisYear = date.slice(0, 4) === today.slice(0, 4);
  return (isThisYear ? shortDay : shortDayYear).format(atNoon(date)).replace(',', '');
}

/** Formats the week that contains a date: "16 – 22 Nov 2026", "30 Nov – 6 Dec 2026". */
export function formatWeek(date: PlainDate): string {
  const monday = mondayOf(date);
  return range.formatRange(atNoon(monday), atNoon(addDays(monday, 6)));
}

/** Formats a date's month and year: "November 2026". */
export function formatMonth(date: PlainDate): string {
  return month.format(atNoon(date));
}

/** Formats a date's day of the week: "Sat" or "Saturday". */
export function formatWeekday(date: PlainDate, length: 'short' | 'long'): string {
  return weekdays[length].format(atNoon(date));
}
