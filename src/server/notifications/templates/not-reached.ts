import type { NotificationMessage } from '#domain/message.ts';
import { type BookingMessageData, describeLesson, when } from './bookings.ts';

/** Notifies a coach or an admin that an email about a changed or cancelled lesson did not reach a customer. */
export function composeNotReachedMessage({
  booking,
  customerName,
  about,
  action,
}: {
  booking: BookingMessageData['booking'];
  customerName: string;
  /** The title of the notification that was not delivered. */
  about: string;
  action: NotificationMessage['action'];
}): NotificationMessage {
  return {
    subject: `We couldn't reach ${customerName} about ${booking.title}, ${when(booking)}`,
    summary: `We couldn't deliver our email “${about}”. Please contact the customer another way.`,
    body: [
      `We couldn't reach ${customerName} by email about this lesson.`,
      describeLesson({ booking }),
      "The email that we couldn't deliver:",
      { quote: about },
      'The customer may not know about this, so please contact them another way.',
    ],
    action,
  };
}
