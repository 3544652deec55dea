import type { slotStatuses } from '../catalogue/slot-plan.ts';
import type { Refusal } from '../errors.ts';
import { someLines } from '../text.ts';
import { formatDay, formatTime, type Instant, toInstant } from '../time.ts';

/** The maximum length of an announcement, in characters. */
export const announcementLength = 400;
/** The maximum number of announcements about one lesson in 24 hours. */
const announcementsPerDay = 3;
/** The number of days after a lesson in which its coach can still send announcements. */
const daysAfterLesson = 7;
const dayMs = 24 * 60 * 60 * 1000;

/** The schema of an announcement's text: plain text of several lines. */
export const announcementText = someLines()
  .min(1, 'Write your announcement.')
  .max(announcementLength, `An announcement can't be longer than ${announcementLength} characters.`);

/**
 * When the coach can send the next announcement; null if now. `sent`: the lesson's announcements, newest first. `now`
 * in milliseconds.
 */
export function nextAnnouncementAt(sent: readonly { sentAt: Instant }[], now: number): Instant | null {
  const oldest = sent[announcementsPerDay - 1];
  const nextMs = oldest ? Date.parse(oldest.sentAt) + dayMs : 0;
  return nextMs > now ? toInstant(nextMs) : null;
}

/** Says that a lesson has reached its limit on announcements, and when the next one can be sent. */
export const explainAnnouncementLimit = (nextAt: Instant, now: number): string =>
  `You've sent ${announcementsPerDay} announcements about this lesson in the last 24 hours. You can send another one from ${formatDay(nextAt, now)}, ${formatTime(nextAt)}.`;

/** Refuses an announcement about a cancelled lesson, or about a lesson that ended more than a week ago. */
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
      message: `This lesson ended more than ${daysAfterLesson} days ago, so you can no longer send announcements about it.`,
    };
  }
  return null;
}

/** Refuses an announcement that nobody would get, or whose coach saw a different number of recipients. */
export function refuseRecipients(recipients: number, expected: number): Refusal {
  if (recipients === 0) {
    return {
      code: 'conflict',
      message: 'Nobody has a place in this lesson, so nobody would get your announcement.',
    };
  }
  if (recipients === expected) return null;
  const now = recipients === 1 ? '1 person' : `${recipients} people`;
  return { code: 'conflict', message: `${now} would get this announcement now. Check it and send it again.` };
}

/** Refuses the same text twice in a row within 24 hours: probably a repeated call whose first response was lost. */
export function refuseRepeated(
  text: string,
  latest: { text: string; sentAt: Instant } | undefined,
  now: number,
): Refusal {
  if (latest?.text !== text || Date.parse(latest.sentAt) + dayMs <= now) return null;
  return { code: 'conflict', message: `You already sent this announcement at ${formatTime(latest.sentAt)}.` };
}
