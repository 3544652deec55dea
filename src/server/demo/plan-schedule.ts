import { addDays, instantOf, mondayOf, type PlainDate } from '#domain/time.ts';

/**
 * A lesson in the first coach's schedule. `template` and `venue` are indexes into the lists in demo-coaches.ts; `share`
 * is the share of seats booked (0 to 1).
 */
export type ScheduleEntry = { startMs: number; template: number; venue: number; share: number };

const minute = 60_000;
const noon = 720;
const noonOf = new Map<PlainDate, number>();

/**
 * The instant `minutes` after midnight on a London date, in milliseconds. The instant is counted from noon, so it is
 * correct for daytime lessons even if the clocks change at night.
 */
export function instantAt(date: PlainDate, minutes: number): number {
  const known = noonOf.get(date) ?? Date.parse(instantOf({ date, hour: 12, minute: 0 }).instant);
  noonOf.set(date, known);
  return known + (minutes - noon) * minute;
}

type Lesson = [hour: number, minute: number, template: number, venue: number];

// Lessons by weekday, Monday first. None starts at 9 am, so that the default time in the dialog for new slots is free.
const workingWeek: Lesson[][] = [
  [
    [10, 30, 0, 0],
    [16, 30, 2, 0],
  ],
  [
    [8, 0, 0, 1],
    [12, 0, 1, 1],
    [18, 30, 3, 1],
  ],
  [
    [10, 0, 1, 0],
    [16, 30, 2, 0],
    [18, 0, 0, 0],
  ],
  [
    [8, 0, 1, 1],
    [12, 30, 0, 1],
    [17, 0, 0, 1],
    [18, 30, 3, 1],
  ],
  [
    [10, 0, 0, 0],
    [15, 0, 1, 0],
    [16, 30, 2, 0],
  ],
  [
    [10, 0, 2, 0],
    [11, 30, 0, 0],
    [14, 0, 1, 0],
  ],
  [
    [10, 30, 2, 1],
    [13, 0, 4, 1],
  ],
];
// Shares of seats booked, used in turn: full, partly booked and empty lessons.
const shares = [0.7, 0.4, 1, 0.25, 0.5, 0.6, 0, 0.4];
const laterShares = [0.3, 0, 0, 0, 0, 0, 0];
const bookedAheadDays = 8;
const scheduleWeeks = 8;

/** Plans eight weeks of lessons, starting last week. The lessons of the first weeks have more bookings. */
export function planSchedule(today: PlainDate): ScheduleEntry[] {
  const monday = addDays(mondayOf(today), -7);
  const lastBooked = addDays(today, bookedAheadDays);
  return Array.from({ length: scheduleWeeks * 7 }, (_, offset) => addDays(monday, offset)).flatMap(
    (date, offset) =>
      workingWeek[offset % 7]!.map(([hour, minutes, template, venue], index) => {
        const turns = date > lastBooked ? laterShares : shares;
        const turn = turns[(offset * 3 + index) % turns.length]!;
        // Every lesson up to today has at least one customer.
        const share = date <= today ? Math.max(turn, 0.25) : turn;
        return { startMs: instantAt(date, hour * 60 + minutes), template, venue, share };
      }),
  );
}

// The number of matches in each month, January first: there are more in summer.
const matchDays = [2, 2, 3, 4, 5, 6, 6, 5, 4, 4, 3, 2];
const oneToOnes = 2;

/** A few lessons in each of the last twelve months, up to the week before last, so that earnings vary over the year. */
export function planHistory(today: PlainDate): ScheduleEntry[] {
  const end = addDays(mondayOf(today), -7);
  const entries: ScheduleEntry[] = [];
  for (let back = 11; back >= 0; back -= 1) {
    const month = new Date(Date.UTC(Number(today.slice(0, 4)), Number(today.slice(5, 7)) - 1 - back, 1));
    const matches = matchDays[month.getUTCMonth()]!;
    for (let index = 0; index < matches + oneToOnes; index += 1) {
      const date = addDays(month.toISOString().slice(0, 10), 1 + index * 3);
      if (date >= end) continue;
      const template = index < matches ? 4 : index % 2;
      entries.push({
        startMs: instantAt(date, (10 + (index % 4)) * 60),
        template,
        venue: index % 2,
        share: 1,
      });
    }
  }
  return entries;
}
