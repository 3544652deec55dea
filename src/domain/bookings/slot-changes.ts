import { z } from 'zod';
import type { LessonType } from '../catalogue/lesson-types.ts';
import {
  durationMinutes,
  groupSize,
  largestGroup,
  maxCapacity,
  minCapacity,
  priceCents,
  refuseGroupSize,
} from '../catalogue/rules.ts';
import { maxDaysAhead, type slotStatuses } from '../catalogue/slot-plan.ts';
import type { Refusal } from '../errors.ts';
import { isoDate } from '../period.ts';
import { oneLine } from '../text.ts';
import { addDays, formatLessonTime, instantOf, type LessonTime, toInstant, wallTimeOf } from '../time.ts';

type PublishedSlot = LessonTime & { status: (typeof slotStatuses)[number] };

/** The new start of a lesson, in London local time. Without `durationMinutes`, the lesson keeps its length. */
export const moveInput = z.object({
  date: isoDate.describe('The new date (London time).'),
  hour: z.number().int().min(0, 'Enter an hour from 0 to 23.').max(23, 'Enter an hour from 0 to 23.'),
  minute: z.number().int().min(0, 'Enter minutes from 0 to 59.').max(59, 'Enter minutes from 0 to 59.'),
  durationMinutes: durationMinutes.optional(),
  expectedBookedCount: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('The number of booked seats that the coach saw; refused with `conflict` if it has changed.'),
});

/**
 * The editable parts of a published lesson. The type and template can't change, because people chose the lesson by
 * its type and its template's texts.
 */
export const editInput = z.object({
  locationId: z.uuid('Choose one of your locations.').nullable(),
  priceCents,
  minCapacity: minCapacity.min(1, 'A lesson must have at least 1 place.'),
  maxCapacity: maxCapacity.min(1, 'A lesson must have at least 1 place.').max(groupSize.max, largestGroup),
});
export type SlotEdit = z.output<typeof editInput>;

/** The coach's reason for cancelling, which customers see, such as "Rain"; empty for none. */
export const cancellationReason = oneLine()
  .max(200, "The reason can't be longer than 200 characters.")
  .default('');

/** The start and end of a moved lesson. {@link instantOf} interprets skipped and repeated local times. */
export function planMove(slot: LessonTime, move: z.output<typeof moveInput>): LessonTime {
  const { instant } = instantOf(move);
  const durationMs =
    move.durationMinutes === undefined
      ? Date.parse(slot.endTime) - Date.parse(slot.startTime)
      : move.durationMinutes * 60_000;
  return { startTime: instant, endTime: toInstant(Date.parse(instant) + durationMs) };
}

/** A coach can move or edit a lesson until it starts. `now` in milliseconds. */
export function refuseChangeSlot(slot: PublishedSlot, now: number): Refusal {
  if (slot.status === 'cancelled') {
    return { code: 'conflict', message: 'This lesson is cancelled, so it can no longer be changed.' };
  }
  if (slot.status === 'completed' || Date.parse(slot.startTime) <= now) {
    return { code: 'conflict', message: 'This lesson has already started, so it can no longer be changed.' };
  }
  return null;
}

/** The minimum notice of an earlier start, in hours. */
export const earlierNoticeHours = 24;

/**
 * Why a lesson cannot be moved to a time; null if it can. Clashes in calendars and the coach's checks are checked
 * elsewhere. `bookedCount` includes held seats. `now` in milliseconds.
 */
export function refuseMoveSlot(
  slot: PublishedSlot & { bookedCount: number },
  to: LessonTime,
  now: number,
): Refusal {
  const refusal = refuseChangeSlot(slot, now);
  if (refusal) return refusal;
  if (Date.parse(to.startTime) <= now) {
    const message = `${formatLessonTime(to.startTime, to.endTime, now)} has already begun. Choose a later date or time.`;
    return { code: 'unprocessable', message, fields: { date: message } };
  }
  if (wallTimeOf(to.startTime).date > addDays(wallTimeOf(now).date, maxDaysAhead)) {
    const message = 'Lessons can be published up to two years ahead. Choose an earlier date.';
    return { code: 'unprocessable', message, fields: { date: message } };
  }
  return slot.bookedCount > 0 ? refuseMoveOfBooked(slot, to, now) : null;
}

/** Refuses a move that gives customers too little notice of an earlier start, or less than the length they paid for. */
function refuseMoveOfBooked(slot: LessonTime, to: LessonTime, now: number): Refusal {
  const start = Date.parse(to.startTime);
  const instead = 'cancel this lesson, which refunds everyone, and publish a new one.';
  if (start < Date.parse(slot.startTime) && start < now + earlierNoticeHours * 3_600_000) {
    const message = `Someone has booked this lesson and needs at least ${earlierNoticeHours} hours' notice of an earlier start. Choose a later time, or ${instead}`;
    return { code: 'conflict', message, fields: { date: message } };
  }
  if (minutesOf(to) < minutesOf(slot)) {
    const message = `Someone has booked this as a ${minutesOf(slot)}-minute lesson, so it can't be shorter. Keep its length, or ${instead}`;
    return { code: 'conflict', message, fields: { durationMinutes: message } };
  }
  return null;
}

const minutesOf = ({ startTime, endTime }: LessonTime) =>
  Math.round((Date.parse(endTime) - Date.parse(startTime)) / 60_000);

/**
 * Refuses a move if the number of booked seats differs from the number that the coach saw, because everyone who has
 * booked is notified.
 */
export function refuseUnexpectedBookings(bookedCount: number, expected: number): Refusal {
  if (bookedCount === expected) return null;
  const message =
    bookedCount > expected
      ? "Someone has just booked this lesson, so it wasn't moved. Open it to move it and notify everyone."
      : "Someone has just cancelled, so the lesson wasn't moved. Check it and try again.";
  return { code: 'conflict', message };
}

/** Refuses a move that overlaps another of the coach's lessons, and names that lesson. */
export function refuseOverlap(clash: LessonTime & { title: string }, now: number): NonNullable<Refusal> {
  const message = `This overlaps “${clash.title}” (${formatLessonTime(clash.startTime, clash.endTime, now)}) in your calendar. Choose another time.`;
  return { code: 'overlap', message, fields: { hour: message } };
}

/**
 * Refuses a move that clashes with customers' other lessons. Gives the number of customers, but no names or lessons.
 */
export function refuseBusyPeople(people: number): NonNullable<Refusal> {
  const who = people === 1 ? '1 person who booked has' : `${people} people who booked have`;
  const message = `${who} another lesson at that time. Choose another time, or cancel this lesson and publish a new one.`;
  return { code: 'conflict', message, fields: { hour: message } };
}

/** The refusal of a move to a day on which the coach's checks don't cover a participant under 18 (VERIFY-11). */
export const uncoveredDay = {
  field: 'date',
  message:
    "Someone under 18 has a place in this lesson, and your checks and documents don't cover that day. Choose another date, or cancel this lesson, which refunds everyone.",
};

/** The refusal of a location at which the coach's checks don't cover a participant under 18 (VERIFY-11). */
export const uncoveredLocation = {
  field: 'locationId',
  message:
    "Someone under 18 has a place in this lesson, and your checks and documents don't cover it at that location. Choose another location.",
};

/** Why a lesson cannot be edited as requested; null if it can. `bookedCount` includes held seats. */
export function refuseEditSlot(
  slot: PublishedSlot & { lessonType: LessonType; bookedCount: number },
  edit: Pick<SlotEdit, 'minCapacity' | 'maxCapacity'>,
  now: number,
): Refusal {
  const refuse = (field: 'minCapacity' | 'maxCapacity', message: string): Refusal => ({
    code: 'unprocessable',
    message,
    fields: { [field]: message },
  });
  const { minCapacity, maxCapacity } = edit;
  const { bookedCount } = slot;
  const refusal = refuseChangeSlot(slot, now);
  if (refusal) return refusal;
  if (slot.lessonType === 'individual') {
    return minCapacity === 1 && maxCapacity === 1
      ? null
      : refuse('maxCapacity', 'An individual lesson has one place.');
  }
  const [badSize] = refuseGroupSize(edit);
  if (badSize) return refuse(badSize.field, badSize.message);
  if (maxCapacity < bookedCount) {
    const taken = bookedCount === 1 ? '1 place is already taken' : `${bookedCount} places are already taken`;
    return refuse('maxCapacity', `${taken}, so the group can't be smaller than that.`);
  }
  return null;
}

/**
 * A coach can cancel a lesson, for example because of rain, until it ends or is marked as completed. After that the
 * coach has earned the money, which may already be in a payout.
 */
export function refuseCancelSlot(slot: PublishedSlot, now: number): Refusal {
  if (slot.status === 'cancelled') {
    return { code: 'conflict', message: 'This lesson is already cancelled.' };
  }
  if (slot.status === 'completed' || Date.parse(slot.endTime) <= now) {
    return { code: 'conflict', message: 'This lesson is over, so it can no longer be cancelled.' };
  }
  return null;
}

/** Refuses to delete a slot that has ever been booked or held, so that people keep their receipts. */
export function refuseDeleteSlot({ isEverBooked }: { isEverBooked: boolean }): Refusal {
  return isEverBooked
    ? {
        code: 'conflict',
        message:
          "Someone has booked this lesson or started to book it, so it can't be deleted. You can cancel lessons until they end.",
      }
    : null;
}

/** A coach can mark a lesson as completed once it has started; marking it again changes nothing. */
export function refuseCompleteSlot(slot: PublishedSlot, now: number): Refusal {
  if (slot.status === 'cancelled') {
    return { code: 'conflict', message: "This lesson is cancelled, so it can't be completed." };
  }
  if (now < Date.parse(slot.startTime)) {
    return { code: 'conflict', message: 'You can mark a lesson as completed once it has started.' };
  }
  return null;
}
