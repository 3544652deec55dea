import type { PlainDate } from '#domain/time.ts';

const views = ['day', 'week', 'month'] as const;
export type CalendarView = (typeof views)[number];

/** What of the coach's calendar stands in the address: a London date and how much around it is shown. */
export type CalendarSearch = { date?: PlainDate; view?: CalendarView };

function isDate(value: unknown): value is PlainDate {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const ms = Date.parse(`${value}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(value);
}

/** Reads the address of the calendar and drops what makes no sense. */
export function readCalendarSearch(search: Record<string, unknown>): CalendarSearch {
  const view = views.find((candidate) => candidate === search.view);
  return {
    ...(isDate(search.date) && { date: search.date }),
    ...(view && { view }),
  };
}
