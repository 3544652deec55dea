import type { BookingStatus } from '../bookings/rules.ts';
import type { Refusal } from '../errors.ts';
import type { Instant } from '../time.ts';

export const noteLimits = { body: 4000, addition: 2000, pictures: 3 } as const;

/** Days for which a note can be edited. After that it can only be added to. */
export const editableDays = 7;

/** What a business requires before its coaches' lessons are paid out. */
export const payoutNeeds = ['none', 'attendance', 'note'] as const;
export type PayoutNeeds = (typeof payoutNeeds)[number];

/** What the payout of a lesson can wait for. */
export const payoutWaits = ['attendance', 'note'] as const;
export type PayoutWait = (typeof payoutWaits)[number];

export const goalStatuses = ['open', 'reached', 'dropped'] as const;
export type GoalStatus = (typeof goalStatuses)[number];

/** What each level means, the same for every skill. */
export const levelNames = {
  1: 'Just started',
  2: 'With help',
  3: 'On their own',
  4: 'Reliable',
  5: 'Mastered',
} as const;

export const maxSkillsPerSport = 20;

/** The sentence beside the checkbox of a private note. */
export const privateNoteText = 'Not shown to the family, but included if they ask for their data.';

type TaughtLesson = { status: BookingStatus; attended: boolean | null; startTime: Instant };

/** Why a coach can't write a note about this lesson of a participant; null if they can. */
export const refuseNote = (lesson: TaughtLesson, now: number): Refusal =>
  refuseEntry(lesson, now, 'You can write a note once the lesson has started.');

/** Why a coach can't assess a skill at this lesson of a participant; null if they can. */
export const refuseAssessment = (lesson: TaughtLesson, now: number): Refusal =>
  refuseEntry(lesson, now, 'You can assess skills once the lesson has started.');

function refuseEntry({ status, attended, startTime }: TaughtLesson, now: number, early: string): Refusal {
  if (status !== 'booked' && status !== 'attended') {
    return { code: 'conflict', message: 'This booking was cancelled or never paid.' };
  }
  if (Date.parse(startTime) > now) {
    return { code: 'conflict', message: early };
  }
  if (attended === false) {
    return { code: 'conflict', message: 'This person is marked as absent.' };
  }
  return null;
}

/** Why a family can't say how a lesson went; null if it can. */
export function refuseAnswer(
  { status, attended, endTime }: Omit<TaughtLesson, 'startTime'> & { endTime: Instant },
  now: number,
): Refusal {
  if (status !== 'booked' && status !== 'attended') {
    return { code: 'conflict', message: 'This lesson was cancelled.' };
  }
  if (Date.parse(endTime) > now) {
    return { code: 'conflict', message: 'You can say how it went once the lesson is over.' };
  }
  if (attended === false) {
    return { code: 'conflict', message: 'The coach marked this lesson as missed.' };
  }
  return null;
}

export const lockedNoteMessage = `A note can be edited for ${editableDays} days. After that you can only add to it.`;
