import { addDays, mondayOf, type PlainDate, wallTimeOf } from '#domain/time.ts';

/** The seven dates, Monday first, of the week a calendar date is in. */
export function weekOf(date: PlainDate): PlainDate[] {
  const monday = mondayOf(date);
  return Array.from({ length: 7 }, (_, day) => addDays(monday, day));
}

/** Today's calendar date in London, whatever the device's zone. */
export function londonToday(): PlainDate {
  return wallTimeOf(Date.now()).date;
}

const atNoon = (date: PlainDate) => new Date(`${date}T12:00:00Z`);
const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
const longDay = format({ weekday: 'long', day: 'numeric', month: 'long' });
const longDayYear = format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
const range = format({ day: 'numeric', month: 'short', year: 'numeric' });
const dayMonth = format({ day: 'numeric', month: 'long' });
const weekdays = { short: format({ weekday: 'short' }), long: format({ weekday: 'long' }) };

/** "Saturday 21 November"; with the year where it is not the year of `today`. */
export function formatLongDay(date: PlainDate, today: PlainDate): string {
  const isThisYear = date.slice(0, 4) === today.slice(0, 4);
  return (isThisYear ? longDay : longDayYear).format(atNoon(date)).replace(',', '');
}

/** "16 – 22 Nov 2026", "30 Nov – 6 Dec 2026": the week a date is in. */
export function formatWeek(date: PlainDate): string {
  const monday = mondayOf(date);
  return range.formatRange(atNoon(monday), atNoon(addDays(monday, 6)));
}

/** "21 November". */
export function formatDate(date: PlainDate): string {
  return dayMonth.format(atNoon(date));
}

/** "Sat" or "Saturday". */
export function formatWeekday(date: PlainDate, length: 'short' | 'long'): string {
  return weekdays[length].format(atNoon(date));
}
