import type { PlainDate, WallTime } from '#domain/time.ts';

const views = ['day', 'week', 'month'] as const;
export type CalendarView = (typeof views)[number];

/**
 * The coach calendar's part of the address: a London date, the range shown and the open dialog. `create`: the London
 * time "2026-11-23T09:00" that new lessons start from.
 */
export type CalendarSearch = { date?: PlainDate; view?: CalendarView; create?: string; cancelDay?: true };

function isDate(value: unknown): value is PlainDate {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const ms = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(value);
}

/** Parses the calendar's URL and drops invalid parts. */
export function readCalendarSearch(search: Record<string, unknown>): CalendarSearch {
  const view = views.find((candidate) => candidate === search.view);
  return {
    ...(isDate(search.date) && { date: search.date }),
    ...(view && { view }),
    ...(readWallTime(search.create) && { create: search.create as string }),
    ...(search.cancelDay === true && { cancelDay: true }),
  };
}

/** The London time in `create`; null for anything else. */
export function readWallTime(value: unknown): WallTime | null {
  const [, date, hour, minute] = /^(.{10})T([01]\d|2[0-3]):([0-5]\d)$/.exec(String(value)) ?? [];
  return isDate(date) ? { date, hour: Number(hour), minute: Number(minute) } : null;
}

/** A London time as `create` names it. */
export const writeWallTime = ({ date, hour, minute }: WallTime): string =>
  `${date}T${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
