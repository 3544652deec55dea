import { addDays, instantOf, wallTimeOf } from '../time.ts';

/** The time of day in London at which quiet hours start and end: "21:00". */
export type QuietHours = { startsAt: string; endsAt: string };

/** The quiet hours of everyone who has neither chosen other hours nor switched quiet hours off. */
export const defaultQuietHours: QuietHours = { startsAt: '21:00', endsAt: '07:30' };

/** Urgent notifications about a lesson that starts within this many hours ignore quiet hours. */
export const urgentWithinHours = 12;

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));

/**
 * The end of the quiet hours that apply at `now`, both in milliseconds; null outside quiet hours. Quiet hours follow
 * London's clock, so on the nights when the clocks change they are an hour shorter or longer.
 */
export function quietUntil(now: number, { startsAt, endsAt }: QuietHours): number | null {
  const [start, end] = [minutesOf(startsAt), minutesOf(endsAt)];
  const { date, hour, minute } = wallTimeOf(now);
  const time = hour * 60 + minute;
  const isOvernight = start > end;
  const isQuiet = isOvernight ? time >= start || time < end : time >= start && time < end;
  if (!isQuiet) return null;
  const lastDay = isOvernight && time >= start ? addDays(date, 1) : date;
  const until = Date.parse(
    instantOf({ date: lastDay, hour: Math.floor(end / 60), minute: end % 60 }).instant,
  );
  // In October's repeated hour, quiet hours ended the first time that the clock showed their end.
  return until > now ? until : null;
}
