import { z } from 'zod';
import {
  addDays,
  type Instant,
  instantOf,
  mondayOf,
  type PlainDate,
  toInstant,
  type WallTimeFit,
  weekdayOf,
} from '../time.ts';

export const slotStatuses = ['scheduled', 'cancelled', 'completed'] as const;

/** A calendar date "2027-03-28" that exists. */
export const isoDate = z.iso.date('Write the date like 2027-03-28.');

/** The largest number of weeks a weekly repeat covers. */
export const maxWeeks = 12;
const maxDates = 120;

/** Which slots a coach wants to publish, in London wall time. */
export const planInput = z.object({
  templateId: z.uuid('Choose a template.'),
  locationId: z.uuid('Choose one of your locations.').nullable().default(null),
  mode: z.enum(['dates', 'weekly'], 'Choose specific dates or a weekly repeat.'),
  startDate: isoDate,
  hour: z.number().int().min(0, 'Hours go from 0 to 23.').max(23, 'Hours go from 0 to 23.').default(9),
  minute: z.number().int().min(0, 'Minutes go from 0 to 59.').max(59, 'Minutes go from 0 to 59.').default(0),
  /** Mode `dates`: further dates besides the first. */
  additionalDates: z.array(isoDate).max(maxDates, `Choose at most ${maxDates} dates at once.`).default([]),
  /** Mode `weekly`: ISO weekdays, 1 = Monday … 7 = Sunday. */
  weekdays: z.array(z.number().int().min(1).max(7)).max(7).default([]),
  /** Mode `weekly`: weeks counted from the Monday of the start date's week; blank means 1. */
  weeks: z
    .number('Repeat for 1 to 12 weeks.')
    .int('Repeat for 1 to 12 weeks.')
    .min(1, 'Repeat for 1 to 12 weeks.')
    .max(maxWeeks, 'Repeat for 1 to 12 weeks.')
    .nullable()
    .default(null),
  /** Dates of the plan that the coach chose to leave out, because something else is on then. */
  excludedDates: z.array(isoDate).max(maxDates).default([]),
});
export type SlotPlan = z.output<typeof planInput>;

export type PlannedSlot = { date: PlainDate; startTime: Instant; endTime: Instant; fit: WallTimeFit };

/** The London dates a plan names, in order, each once: none before `startDate` in a weekly repeat. */
export function planDates(
  plan: Pick<SlotPlan, 'mode' | 'startDate' | 'additionalDates' | 'weekdays' | 'weeks' | 'excludedDates'>,
): PlainDate[] {
  let dates: PlainDate[];
  if (plan.mode === 'dates') {
    dates = [plan.startDate, ...plan.additionalDates];
  } else {
    const monday = mondayOf(plan.startDate);
    const weeks = Array.from({ length: plan.weeks ?? 1 }, (_, week) => week);
    dates = weeks
      .flatMap((week) => plan.weekdays.map((weekday) => addDays(monday, week * 7 + weekday - 1)))
      .filter((date) => date >= plan.startDate);
  }
  return [...new Set(dates)].filter((date) => !plan.excludedDates.includes(date)).sort();
}

/**
 * The slots of a plan in order of time. Every date gets the same London wall time, so a weekly lesson stays
 * at 09:00 when the clocks change; `fit` says where that reading is skipped or repeated on that day.
 */
export function planSlots(plan: SlotPlan, durationMinutes: number): PlannedSlot[] {
  return planDates(plan).map((date) => {
    const { instant, fit } = instantOf({ date, hour: plan.hour, minute: plan.minute });
    return {
      date,
      startTime: instant,
      endTime: toInstant(Date.parse(instant) + durationMinutes * 60_000),
      fit,
    };
  });
}

/** "Every Tuesday" as a person counts it: the ISO weekday of the start date. */
export const defaultWeekdays = (startDate: PlainDate): number[] => [weekdayOf(startDate)];
