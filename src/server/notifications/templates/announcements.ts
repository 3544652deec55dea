import type { NotificationMessage } from '#domain/message.ts';
import { describeCoachesLesson, openBooking, when } from './bookings.ts';
import { greet } from './greet.ts';

/** How the app lists an announcement: the title, the sentence below it and the page that opens. */
export const describeAnnouncement = (
  booking: Parameters<typeof openBooking>[0] &
    Parameters<typeof when>[0] & { title: string; coachName: string },
  text: string,
) => ({
  subject: `Announcement: ${booking.title}, ${when(booking)}`,
  summary: `${booking.coachName}: “${text}”`,
  action: openBooking(booking),
});

/**
 * Sends a customer the announcement that a coach wrote to everyone who booked a lesson. The quotation has no blank
 * lines, because in the email's text part a separate paragraph would look like one of ours.
 */
export function composeAnnouncementMessage({
  text,
  fullName,
  ...booking
}: {
  text: string;
  fullName: string;
  bookingId: string;
  title: string;
  coachName: string;
  /** As in `BookingMessageData`. */
  coachPicture: string | null;
  startTime: string;
  endTime: string;
}): NotificationMessage {
  const { coachName } = booking;
  return {
    ...describeAnnouncement(booking, text),
    body: [
      greet(fullName),
      `${coachName} has written to everyone who booked this lesson:`,
      { quote: text.replace(/\s*\n\s*/g, '\n') },
      describeCoachesLesson(booking, [`${when(booking)} (London time)`]),
      `This announcement is also on the page of your booking. Replies to this email don't reach ${coachName}.`,
    ],
  };
}
