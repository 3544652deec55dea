import { type AddressParams, isPlainDate, readSearchParams, type ValuesOf } from '#domain/search-params.ts';
import type { WallTime } from '#domain/time.ts';

const views = ['day', 'week', 'month'] as const;
export type CalendarView = (typeof views)[number];

/**
 * The coach calendar's URL parameters: a London date, the view and the open dialog. Small dialogs keep
 * local state instead (decision 50).
 */
const params = {
  date: { is: 'date' },
  view: { of: views },
  /** The London time at which new lessons start, such as "2026-11-23T09:00". */
  create: (raw: unknown) => (readWallTime(raw) ? String(raw) : undefined),
  cancelDay: { is: 'flag' },
} as const satisfies AddressParams;
export type CalendarSearch = ValuesOf<typeof params>;

/** Parses the calendar's URL parameters and leaves out invalid values. */
export const readCalendarSearch = (raw: Record<string, unknown>): CalendarSearch =>
  readSearchParams(params, raw);

/** Parses the London time in `create`; null if it is malformed. */
export function readWallTime(value: unknown): WallTime | null {
  const [, date, hour, minute] = /^(.{10})T([01]\d|2[0-3]):([0-5]\d)$/.exec(String(value)) ?? [];
  return date && isPlainDate(date) ? { date, hour: Number(hour), minute: Number(minute) } : null;
}

/** Formats a London time for `create`. */
export const writeWallTime = ({ date, hour, minute }: WallTime): string =>
  `${date}T${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`;
