import type { slotStatuses } from '../catalogue/slot-plan.ts';
import type { Refusal } from '../errors.ts';
import { someLines } from '../text.ts';
import { formatDay, formatTime, type Instant, toInstant } from '../time.ts';

/** The most characters of an announcement. */
export const announcementLength = 400;
/** The most announcements about one lesson in 24 hours. */
const announcementsPerDay = 3;
/** How long after a lesson its coach can still write to those who booked it, in days. */
const daysAfterLesson = 7;
const dayMs = 24 * 60 * 60 * 1000;

/** What a coach writes to everyone who booked a lesson: plain text of several lines. */
export const announcementText = someLines()
  .min(1, 'Write your announcement.')
  .max(announcementLength, `An announcement can't be longer than ${announcementLength} characters.`);

/**
 * When the coach can next write, if not now. `sent`: the lesson's announcements, newest first. `now` in milliseconds.
 */
export function nextAnnouncementAt(sent: readonly { sentAt: Instant }[], now: number): Instant | null {
  const oldest = sent[announcementsPerDay - 1];
  const nextMs = oldest ? Date.parse(oldest.sentAt) + dayMs : 0;
  return nextMs > now ? toInstant(nextMs) : null;
}

/** Says that a lesson has reached its limit of announcements, and when the next can be sent. */
export const explainAnnouncementLimit = (nextAt: Instant, now: number): string =>
  `You've sent ${announcementsPerDay} announcements about this lesson in the last 24 hours. You can send another one from ${formatDay(nextAt, now)}, ${formatTime(nextAt)}.`;

/** Refuses an announcement about a cancelled lesson, or about one that ended more than a week ago. */
export function refuseAnnouncement(
  slot: { status: (typeof slotStatuses)[number]; endTime: Instant },
  now: number,
): Refusal {
  if (slot.status === 'cancelled') {
    return {
      code: 'conflict',
      message:
        'This lesson is cancelled and everyone has been emailed, so nobody would get your announcement.',
    };
  }
  if (Date.parse(slot.endTime) + daysAfterLesson * dayMs <= now) {
    return {
      code: 'conflict',
      message: `This lesson ended more than ${daysAfterLesson} days ago, so you can no longer write about it.`,
    };
  }
  return null;
}

/** Refuses an announcement that nobody would get, or if the coach was shown another number of recipients. */
export function refuseRecipients(recipients: number, expected: number): Refusal {
  if (recipients === 0) {
    return { code: 'conflict', message: 'Nobody has a place in this lesson, so nobody would get this.' };
  }
  if (recipients === expected) return null;
  const now = recipients === 1 ? '1 person has' : `${recipients} people have`;
  return { code: 'conflict', message: `${now} a place now. Check your announcement and send it again.` };
}

/** Refuses the same text twice in a row within 24 hours: a repeated call whose first response was lost. */
export function refuseRepeated(
  text: string,
  latest: { text: string; sentAt: Instant } | undefined,
  now: number,
): Refusal {
  if (latest?.text !== text || Date.parse(latest.sentAt) + dayMs <= now) return null;
  return { code: 'conflict', message: `You already sent this at ${formatTime(latest.sentAt)}.` };
}
