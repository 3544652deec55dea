import type { NotificationMessage } from '#domain/message.ts';
import { formatDay } from '#domain/time.ts';
import {
  type BookingMessageData,
  bookingReference,
  describeLesson,
  forWhom,
  openBooking,
  when,
} from './bookings.ts';
import { greet } from './greet.ts';

/** How the app lists a reminder: the title, the sentence below it and the page that opens. */
export const describeReminder = (
  booking: Parameters<typeof openBooking>[0] &
    Parameters<typeof when>[0] & { title: string; coachName: string },
) => ({
  subject: `Reminder: ${booking.title}, ${when(booking)}`,
  summary: `With ${booking.coachName}.`,
  action: openBooking(booking, 'View or cancel your booking'),
});

/** Reminds a customer of a lesson, its time and location, and the terms for cancelling. */
export function composeReminderMessage(data: BookingMessageData): NotificationMessage {
  const { booking, terms, fullName } = data;
  return {
    ...describeReminder(booking),
    body: [
      greet(fullName),
      'This is a reminder of your lesson.',
      describeLesson(data),
      `Can't come? ${terms}`,
      { facts: [...forWhom(data), bookingReference(booking)] },
    ],
  };
}

/** One of a coach's lessons on the next day, with its attendees. */
export type TomorrowsLesson = {
  title: string;
  startTime: string;
  endTime: string;
  location: string | null;
  maxCapacity: number;
  attendees: { name: string; isNew: boolean; isUnder18: boolean }[];
};

/** " (under 18, first lesson with you)", or an empty string. */
function describeNovelty({ isNew, isUnder18 }: TomorrowsLesson['attendees'][number]): string {
  const parts = [...(isUnder18 ? ['under 18'] : []), ...(isNew ? ['first lesson with you'] : [])];
  return parts.length > 0 ? ` (${parts.join(', ')})` : '';
}

const seatsOf = ({ attendees, maxCapacity }: TomorrowsLesson) =>
  `${attendees.length} of ${maxCapacity} booked`;
const lessonsOf = (count: number) => (count === 1 ? '1 lesson' : `${count} lessons`);

/** How the app lists tomorrow's lessons. `day` is an instant on that day. */
export const describeTomorrow = (day: string, counts: { lessons: number; booked: number }) => ({
  subject: `Tomorrow, ${formatDay(day, Date.now())}: ${lessonsOf(counts.lessons)}`,
  summary: counts.booked === 0 ? 'Nobody has booked yet.' : `${counts.booked} booked.`,
  action: { label: 'Open your calendar', path: '/coach/calendar' },
});

/** Sends a coach tomorrow's lessons: times, locations and attendees, and which attendees are new or under 18. */
export function composeTomorrowMessage({
  lessons,
  fullName,
}: {
  lessons: TomorrowsLesson[];
  fullName: string;
}): NotificationMessage {
  const booked = lessons.reduce((sum, { attendees }) => sum + attendees.length, 0);
  return {
    ...describeTomorrow(lessons[0]!.startTime, { lessons: lessons.length, booked }),
    body: [
      greet(fullName),
      'Your lessons tomorrow, in London time:',
      ...lessons.map((lesson) => ({
        lesson: `${when(lesson)}: ${lesson.title} (${seatsOf(lesson)})`,
        lines: [
          ...(lesson.location ? [lesson.location] : []),
          ...lesson.attendees.map((attendee) => `• ${attendee.name}${describeNovelty(attendee)}`),
        ],
      })),
    ],
  };
}
