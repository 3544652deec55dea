/** An instant as ISO 8601 in UTC, as in the database and the API: "2027-03-28T08:00:00Z". */
export type Instant = string;

/** The time zone in which lessons take place. */
export const lessonTimeZone = 'Europe/London';

/** A calendar date without a time, "2027-03-28". */
export type PlainDate = string;

/** A local time in London. `hour` 0–23, `minute` 0–59. */
export type WallTime = { date: PlainDate; hour: number; minute: number };

const parts = new Intl.DateTimeFormat('en-GB', {
  timeZone: lessonTimeZone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** The local time in London at an instant (milliseconds since 1970, or ISO). */
export function wallTimeOf(instant: number | Instant): WallTime {
  const ms = typeof instant === 'number' ? instant : Date.parse(instant);
  const read: Record<string, string> = {};
  for (const { type, value } of parts.formatToParts(ms)) read[type] = value;
  return {
    date: `${read.year}-${read.month}-${read.day}`,
    hour: Number(read.hour),
    minute: Number(read.minute),
  };
}

const asUtc = ({ date, hour, minute }: WallTime) =>
  Date.parse(`${date}T00:00:00Z`) + (hour * 60 + minute) * 60_000;

/** `exact`, or a local time that the clocks skip in March or repeat in October. */
export type WallTimeOccurrence = 'exact' | 'skipped' | 'repeated';

/**
 * The instant at which a clock in London shows `wall`. A time that the clocks skip (last Sunday of March,
 * 01:00–02:00) moves forward by the skipped hour. A repeated time (last Sunday of October, 01:00–02:00) means the
 * first of the two instants. Both rules follow RFC 5545, section 3.3.5.
 */
export function instantOf(wall: WallTime): { instant: Instant; occurrence: WallTimeOccurrence } {
  const asUtcMs = asUtc(wall);
  const hourMs = 3_600_000;
  // London is at UTC+1 (summer) or UTC+0: the candidate that reads back as the given local time is right.
  const matches = [asUtcMs - hourMs, asUtcMs].filter((ms) => asUtc(wallTimeOf(ms)) === asUtcMs);
  const first = matches[0];
  if (first === undefined) return { instant: toInstant(asUtcMs), occurrence: 'skipped' };
  return { instant: toInstant(first), occurrence: matches.length === 2 ? 'repeated' : 'exact' };
}

/** Milliseconds since 1970 as an ISO instant without unnecessary fractions. */
export function toInstant(ms: number): Instant {
  return new Date(ms).toISOString().replace('.000Z', 'Z');
}

/** The calendar date `days` later (negative: earlier). Pure calendar arithmetic, without a time zone. */
export function addDays(date: PlainDate, days: number): PlainDate {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

/** The calendar date `months` later; 31 August plus 6 months is the last day of February. */
export function addMonths(date: PlainDate, months: number): PlainDate {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return new Date(Date.UTC(year, month - 1 + months, Math.min(day, lastDay))).toISOString().slice(0, 10);
}

/** Day of the week of a calendar date, 1 = Monday … 7 = Sunday (ISO 8601). */
export function weekdayOf(date: PlainDate): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay() || 7;
}

/** The Monday on or before a calendar date. */
export function mondayOf(date: PlainDate): PlainDate {
  return addDays(date, 1 - weekdayOf(date));
}

const inLondon = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: lessonTimeZone, ...options });
const dayFormat = inLondon({ weekday: 'short', day: 'numeric', month: 'short' });
const dayYearFormat = inLondon({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const timeFormat = inLondon({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });

/** "Sat 21 Nov" in London; with the year if it is not the year of `now` (milliseconds). */
export function formatDay(instant: Instant, now: number): string {
  const isThisYear = wallTimeOf(instant).date.slice(0, 4) === wallTimeOf(now).date.slice(0, 4);
  return (isThisYear ? dayFormat : dayYearFormat).format(Date.parse(instant)).replace(/,/g, '');
}

const monthFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', month: 'long', year: 'numeric' });

/** "November 2026" for the month "2026-11". */
export const formatMonth = (month: string): string => monthFormat.format(Date.parse(`${month}-01T00:00:00Z`));

/** "09:00" in London. */
export function formatTime(instant: Instant): string {
  return timeFormat.format(Date.parse(instant));
}

/** When a lesson begins and ends. */
export type LessonTime = { startTime: Instant; endTime: Instant };

/** True if two lessons start and end at the same instants, even if the instants are written differently. */
export const isSameTime = (a: LessonTime, b: LessonTime) =>
  Date.parse(a.startTime) === Date.parse(b.startTime) && Date.parse(a.endTime) === Date.parse(b.endTime);

/** "09:00–10:00" in London. */
export const formatTimes = (start: Instant, end: Instant): string =>
  `${formatTime(start)}–${formatTime(end)}`;

/** "Sat 21 Nov, 09:00–10:00" in London, regardless of the device's time zone. */
export function formatLessonTime(start: Instant, end: Instant, now: number): string {
  return `${formatDay(start, now)}, ${formatTimes(start, end)}`;
}

/** True if the text is an existing instant in the years 1 to 9999; false for 30 February or 24:30. */
export function isInstant(text: string): boolean {
  const ms = Date.parse(text);
  if (Number.isNaN(ms) || text.startsWith('0000')) return false;
  // Date.parse accepts 30 February as 2 March, so the result must format back to the input.
  return new Date(ms).toISOString().slice(0, 19) === text.slice(0, 19);
}
