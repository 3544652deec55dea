import { z } from 'zod';
import type { Refusal } from '../errors.ts';
import { isoDate } from '../period.ts';
import {
  addDays,
  formatLessonTime,
  type Instant,
  instantOf,
  mondayOf,
  type PlainDate,
  toInstant,
  type WallTimeOccurrence,
  wallTimeOf,
  weekdayOf,
} from '../time.ts';

export const slotStatuses = ['scheduled', 'cancelled', 'completed'] as const;

/** The maximum number of weeks in a weekly repeat. */
export const maxWeeks = 12;
const maxDates = 120;

/** The slots that a coach wants to publish, in London local time. */
export const planInput = z.object({
  templateId: z.uuid('Choose a template.'),
  locationId: z.uuid('Choose one of your locations.').nullable().default(null),
  mode: z.enum(['dates', 'weekly'], 'Choose specific dates or a weekly repeat.'),
  startDate: isoDate.describe('The first date (London time).'),
  hour: z
    .number()
    .int()
    .min(0, 'Enter an hour from 0 to 23.')
    .max(23, 'Enter an hour from 0 to 23.')
    .default(9),
  minute: z
    .number()
    .int()
    .min(0, 'Enter minutes from 0 to 59.')
    .max(59, 'Enter minutes from 0 to 59.')
    .default(0),
  additionalDates: z
    .array(isoDate)
    .max(maxDates, `Choose at most ${maxDates} dates.`)
    .default([])
    .describe('Mode `dates`: the dates besides `startDate`.'),
  weekdays: z
    .array(z.number().int().min(1).max(7))
    .max(7)
    .default([])
    .describe('Mode `weekly`: ISO weekdays, 1 = Monday … 7 = Sunday.'),
  weeks: z
    .number('Repeat for 1 to 12 weeks.')
    .int('Repeat for 1 to 12 weeks.')
    .min(1, 'Repeat for 1 to 12 weeks.')
    .max(maxWeeks, 'Repeat for 1 to 12 weeks.')
    .nullable()
    .default(null)
    .describe("Mode `weekly`: weeks counted from the Monday of the start date's week; null means 1."),
  excludedDates: z
    .array(isoDate)
    .max(maxDates)
    .default([])
    .describe('Dates of the plan that the coach excluded.'),
});
export type SlotPlan = z.output<typeof planInput>;

export type PlannedSlot = {
  date: PlainDate;
  startTime: Instant;
  endTime: Instant;
  occurrence: WallTimeOccurrence;
};

/** The London dates of a plan that are not excluded, in order, each once; none before a weekly repeat's `startDate`. */
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
 * The slots of a plan in order of time. Every date has the same London local time, so a weekly lesson stays at 09:00
 * when the clocks change. `occurrence` says whether the clocks skip or repeat that time on that day.
 */
export function planSlots(plan: SlotPlan, durationMinutes: number): PlannedSlot[] {
  return planDates(plan).map((date) => {
    const { instant, occurrence } = instantOf({ date, hour: plan.hour, minute: plan.minute });
    return {
      date,
      startTime: instant,
      endTime: toInstant(Date.parse(instant) + durationMinutes * 60_000),
      occurrence,
    };
  });
}

/** The weekdays of a weekly repeat until the coach chooses others: the start date's ISO weekday. */
export const defaultWeekdays = (startDate: PlainDate): number[] => [weekdayOf(startDate)];

/** How far ahead lessons can be published, in days: two years. */
export const maxDaysAhead = 731;

/** Refuses dates so far ahead that they are probably mistakes. `now` in milliseconds. */
export function refusePlan(plan: Pick<SlotPlan, 'startDate' | 'additionalDates'>, now: number): Refusal {
  const latest = addDays(wallTimeOf(now).date, maxDaysAhead);
  const message = 'Lessons can be published up to two years ahead. Choose an earlier date.';
  if (plan.startDate > latest) return { code: 'unprocessable', message, fields: { startDate: message } };
  if (plan.additionalDates.some((date) => date > latest)) {
    return { code: 'unprocessable', message, fields: { additionalDates: message } };
  }
  return null;
}

type Checked = Pick<PlannedSlot, 'startTime' | 'endTime'> & {
  obstacle: 'past' | 'duplicate' | 'overlap' | null;
  clash: { title: string; startTime: Instant; endTime: Instant } | null;
};

/** Why a valid plan cannot be published; null if it can. Duplicates do not matter if at least one slot is new. */
export function refuseCreateSlots(slots: Checked[], now: number): Refusal {
  if (slots.length === 0) {
    return {
      code: 'unprocessable',
      message: 'No slots to create. Please select dates or repeat days.',
    };
  }
  const past = slots.find((slot) => slot.obstacle === 'past');
  if (past) {
    const message = `${formatLessonTime(past.startTime, past.endTime, now)} has already begun. Choose a later date or time.`;
    return { code: 'unprocessable', message, fields: { startDate: message } };
  }
  const clashes = [
    ...new Set(
      slots.flatMap(({ clash }) =>
        clash ? [`“${clash.title}” (${formatLessonTime(clash.startTime, clash.endTime, now)})`] : [],
      ),
    ),
  ];
  if (clashes.length > 0) {
    const named = clashes.slice(0, 3).join(', ');
    const more = clashes.length > 3 ? ` and ${clashes.length - 3} more` : '';
    return {
      code: 'overlap',
      message: `Nothing was created, because the new lessons would overlap lessons in your calendar: ${named}${more}. Choose another time or leave those dates out.`,
    };
  }
  if (slots.every((slot) => slot.obstacle === 'duplicate')) {
    return {
      code: 'conflict',
      message: 'All of these lessons are already in your calendar. Nothing was created.',
    };
  }
  return null;
}
