import { kindOf, type NotificationKind } from '#domain/notifications/kinds.ts';
import { formatLessonTime } from '#domain/time.ts';
import type { LessonFacts } from '../channel.ts';

/** The longest lesson title, in characters: more than a phone shows, and few enough for a message of at most 3 KB. */
const titleLength = 100;

/** The message that the service worker (src/web/public/push-worker.js) shows, and the page that the message opens. */
type PushMessage = { title: string; body: string; path: string; tag: string };

/**
 * The push message of a notification: what happened, and the lesson's title and time. The message names nobody, because
 * it passes through the browser maker's push service and appears on locked screens.
 */
export function composePush(
  { notificationId, kind, path }: { notificationId: string; kind: NotificationKind; path: string },
  lesson: LessonFacts | null,
  now = Date.now(),
): PushMessage {
  const body = lesson
    ? `${[...lesson.title].slice(0, titleLength).join('')}, ${formatLessonTime(lesson.startTime, lesson.endTime, now)}`
    : '';
  return { title: kindOf(kind).pushTitle, body, path, tag: notificationId };
}

/**
 * How long a push service keeps a message for a device that is offline, in seconds: until the lesson starts if that is
 * within a day, otherwise a day.
 */
export function keepForSeconds(lesson: LessonFacts | null, now = Date.now()): number {
  const daySeconds = 24 * 60 * 60;
  const left = lesson ? Math.floor((Date.parse(lesson.startTime) - now) / 1000) : daySeconds;
  return left > 0 ? Math.min(left, daySeconds) : daySeconds;
}
