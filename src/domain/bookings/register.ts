import type { Refusal } from '../errors.ts';
import { formatDay, formatTime, type Instant, type LessonTime, toInstant } from '../time.ts';

const hourMs = 3_600_000;

/** Hours before and after a lesson between which the register, with care details, can be opened. */
export const registerHours = { before: 7 * 24, after: 24 } as const;

/** The times between which the register of a lesson can be opened. */
export const registerWindowOf = ({ startTime, endTime }: LessonTime): { from: Instant; until: Instant } => ({
  from: toInstant(Date.parse(startTime) - registerHours.before * hourMs),
  until: toInstant(Date.parse(endTime) + registerHours.after * hourMs),
});

/** Refuses to open the register of a cancelled lesson, or outside its window. `now` in milliseconds. */
export function refuseOpenRegister(lesson: LessonTime & { status: string }, now: number): Refusal {
  if (lesson.status === 'cancelled') return { code: 'conflict', message: 'This lesson is cancelled.' };
  const { from, until } = registerWindowOf(lesson);
  if (now < Date.parse(from)) {
    const when = `${formatDay(from, now)}, ${formatTime(from)}`;
    return {
      code: 'conflict',
      message: `You can open this register from ${when} (London time), 7 days before the lesson.`,
    };
  }
  if (now <= Date.parse(until)) return null;
  return { code: 'conflict', message: 'You could open this register until 24 hours after the lesson.' };
}
