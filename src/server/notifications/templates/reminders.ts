import type { NotificationMessage } from '#domain/message.ts';
import { shortReference } from '#domain/reference.ts';
import { formatDay } from '#domain/time.ts';
import { type BookingMessageData, describeLesson, receiptPath, when } from './bookings.ts';

/** What a reminder is called in the app: its title and the sentence below it. */
export const describeReminder = (
  booking: Parameters<typeof receiptPath>[0] &
    Parameters<typeof when>[0] & { title: string; coachName: string },
) => ({
  subject: `Reminder: ${booking.title}, ${when(booking)}`,
  summary: `With ${booking.coachName}.`,
  path: receiptPath(booking),
});

/** Reminds a customer of a lesson: when and where it is and how long they can cancel. */
export function composeReminderMessage({
  booking,
  terms,
  fullName,
  brand,
  bookingsUrl,
}: BookingMessageData): NotificationMessage {
  return {
    ...describeReminder(booking),
    text: `Hello ${fullName},

This is a reminder of your lesson.

${describeLesson(booking)}

Can't come? ${terms}
Booking reference: ${shortReference(booking.bookingId)}

View or cancel your booking here:

${bookingsUrl}

${brand}
`,
  };
}

/** A lesson of the coach's next day, with the people who come. */
export type TomorrowsLesson = {
  title: string;
  startTime: string;
  endTime: string;
  location: string | null;
  maxCapacity: number;
  attendees: { name: string; isNew: boolean }[];
};

const seatsOf = ({ attendees, maxCapacity }: TomorrowsLesson) =>
  `${attendees.length} of ${maxCapacity} booked`;
const lessonsOf = (count: number) => (count === 1 ? '1 lesson' : `${count} lessons`);

/** What the list of tomorrow's lessons is called in the app. `day` is an instant of that day. */
export const describeTomorrow = (day: string, counts: { lessons: number; booked: number }) => ({
  subject: `Tomorrow, ${formatDay(day, Date.now())}: ${lessonsOf(counts.lessons)}`,
  summary: counts.booked === 0 ? 'Nobody has booked yet.' : `${counts.booked} booked.`,
  path: '/coach/calendar',
});

/** Sends a coach the list of tomorrow's lessons: times, names, and who comes for the first time. */
export function composeTomorrowMessage({
  lessons,
  fullName,
  brand,
  calendarUrl,
}: {
  lessons: TomorrowsLesson[];
  fullName: string;
  brand: string;
  calendarUrl: string;
}): NotificationMessage {
  const booked = lessons.reduce((sum, { attendees }) => sum + attendees.length, 0);
  const list = lessons.map((lesson) =>
    [
      `${when(lesson)}: ${lesson.title} (${seatsOf(lesson)})`,
      ...(lesson.location ? [lesson.location] : []),
      ...lesson.attendees.map(({ name, isNew }) => `• ${name}${isNew ? ' (first lesson with you)' : ''}`),
    ].join('\n'),
  );
  return {
    ...describeTomorrow(lessons[0]!.startTime, { lessons: lessons.length, booked }),
    text: `Hello ${fullName},

Your lessons tomorrow, in London time:

${list.join('\n\n')}

Your calendar:

${calendarUrl}

${brand}
`,
  };
}
