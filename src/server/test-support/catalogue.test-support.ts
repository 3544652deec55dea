import { addDays, type PlainDate, wallTimeOf } from '#domain/time.ts';

/** The London dates of the next `count` days, tomorrow first. */
export function nextDays(count: number): PlainDate[] {
  const today = wallTimeOf(Date.now()).date;
  return Array.from({ length: count }, (_, day) => addDays(today, day + 1));
}
