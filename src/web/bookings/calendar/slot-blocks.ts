import type { CoachSlot } from '#domain/catalogue/slots-contract.ts';
import { addDays, formatTime, type Instant, instantOf, type PlainDate, wallTimeOf } from '#domain/time.ts';
import type { GridBlock, GridNote } from '#web/ui/calendar/day-columns.tsx';

const minuteMs = 60_000;
const minutesOfDay = 24 * 60;

/** A slot, or its part on one London date, in one of the grid's columns. */
export type SlotBlock = GridBlock & { slot: CoachSlot };

/** A London date, with its start and end in ms since 1970, which are 23, 24 or 25 hours apart. */
export type LondonDay = { date: PlainDate; from: number; until: number };

export function dayOf(date: PlainDate): LondonDay {
  const midnight = (of: PlainDate) => Date.parse(instantOf({ date: of, hour: 0, minute: 0 }).instant);
  return { date, from: midnight(date), until: midnight(addDays(date, 1)) };
}

/**
 * The start and end of the part of a period that falls on a London date, in minutes since midnight, local time; null if
 * no part does. If the clocks go back within the period, the end is the latest local time that they show.
 */
export function wallMinutes(
  day: LondonDay,
  { startTime, endTime }: { startTime: Instant; endTime: Instant },
): { start: number; end: number } | null {
  const from = Math.max(Date.parse(startTime), day.from);
  const until = Math.min(Date.parse(endTime), day.until);
  if (from >= until) return null;
  const minuteAt = (ms: number) => {
    const { hour, minute } = wallTimeOf(ms);
    return hour * 60 + minute;
  };
  const start = minuteAt(from);
  let end = until === day.until ? minutesOfDay : minuteAt(until);
  if (end - start < (until - from) / minuteMs) {
    for (let ms = from; ms < until; ms += minuteMs) end = Math.max(end, minuteAt(ms) + 1);
  }
  return { start, end };
}

/** The blocks of these days, one column per day; a slot across midnight has two blocks. `now` in ms since 1970. */
export function blocksOf(slots: readonly CoachSlot[], days: readonly LondonDay[], now: number): SlotBlock[] {
  return slots.flatMap((slot) =>
    days.flatMap((day, column) => {
      const minutes = wallMinutes(day, slot);
      if (!minutes) return [];
      const isFirstPart = Date.parse(slot.startTime) >= day.from;
      return {
        ...minutes,
        key: isFirstPart ? slot.slotId : `${slot.slotId} ${day.date}`,
        column,
        title: slot.title,
        isMovable: isFirstPart && canMove(slot, now),
        isFixed: isBookedAhead(slot, now),
        isVacant: slot.status !== 'scheduled' && Date.parse(slot.endTime) > now,
        slot,
      };
    }),
  );
}

/** True for a scheduled, unbooked lesson that has not started: other lessons can't be dragged. */
export function canMove(slot: CoachSlot, now: number): boolean {
  return slot.status === 'scheduled' && slot.bookedCount === 0 && Date.parse(slot.startTime) > now;
}

/** True for an upcoming booked lesson: moving it affects customers, so it is moved on its own page instead. */
export function isBookedAhead(slot: CoachSlot, now: number): boolean {
  return slot.status === 'scheduled' && slot.bookedCount > 0 && Date.parse(slot.startTime) > now;
}

/** A note on the skipped or repeated hour for each day on which the clocks change. */
export function clockNotes(days: readonly LondonDay[]): (GridNote & { isSkipped: boolean })[] {
  return days.flatMap(({ date, from, until }, column) => {
    const hours = (until - from) / (60 * minuteMs);
    if (hours === 24) return [];
    const isSkipped = hours < 24;
    const hour = Array.from({ length: 24 }, (_, candidate) => candidate).find(
      (candidate) =>
        instantOf({ date, hour: candidate, minute: 0 }).occurrence === (isSkipped ? 'skipped' : 'repeated'),
    )!;
    const text = isSkipped ? 'Hour skipped: the clocks go forward' : 'Hour repeated: the clocks go back';
    return { column, start: hour * 60, end: hour * 60 + 60, text, isSkipped };
  });
}

/** Formats London times as "09:00–10:00"; a time that the clocks show twice that day gets its zone: "01:00 BST". */
export function formatClockTimes({ startTime, endTime }: { startTime: Instant; endTime: Instant }): string {
  return [startTime, endTime].map(formatOnce).join('–');
}

const zoneFormat = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/London', timeZoneName: 'short' });

function formatOnce(instant: Instant): string {
  if (instantOf(wallTimeOf(instant)).occurrence !== 'repeated') return formatTime(instant);
  const zone = zoneFormat.formatToParts(Date.parse(instant)).find(({ type }) => type === 'timeZoneName');
  return `${formatTime(instant)} ${zone?.value}`;
}

/** The instant of a position in the grid; `minute`: local time, in minutes since midnight of a London date. */
export function instantAt(date: PlainDate, minute: number): Instant {
  return instantOf({ date, hour: Math.floor(minute / 60), minute: minute % 60 }).instant;
}
