import type { NotificationMessage } from '#domain/message.ts';
import { type BookingMessageData, describeLesson, when } from './bookings.ts';

type CoachBooking = {
  booking: BookingMessageData['booking'] & { slotId: string };
  /** The customer's name; "Deleted account" after the account is deleted. */
  customerName: string;
  /** The dependant who takes part; null if the customer does. Only the email names them. */
  participantName?: string | null | undefined;
};

/** How the app lists a new booking for the coach: the title, the sentence below it and the page that opens. */
export const describeNewBooking = ({
  booking,
  customerName,
}: {
  booking: { title: string; startTime: string; endTime: string; slotId: string };
  customerName: string;
}) => ({
  subject: `${customerName} booked ${booking.title}, ${when(booking)}`,
  summary: 'The attendee list shows everyone who has booked.',
  action: openLesson(booking, 'See everyone who booked'),
});

const forName = (name: string | null | undefined) => (name ? ` for ${name}` : '');

/** Notifies a coach that a customer booked a lesson. */
export function composeNewBookingMessage({
  booking,
  customerName,
  participantName,
}: CoachBooking): NotificationMessage {
  return {
    ...describeNewBooking({ booking, customerName }),
    body: [`${customerName} has booked your lesson${forName(participantName)}.`, describeLesson({ booking })],
  };
}

/** Notifies a coach that a customer cancelled and that the seat is free again. */
export function composeCustomerCancelledMessage({
  booking,
  customerName,
  participantName,
}: CoachBooking): NotificationMessage {
  return {
    subject: `${customerName} cancelled ${booking.title}, ${when(booking)}`,
    summary: 'The place is available to others again.',
    body: [
      `${customerName} has cancelled a booking of your lesson${forName(participantName)}. The place is available to others again.`,
      describeLesson({ booking }),
    ],
    action: openLesson(booking),
  };
}

/** The button that opens the page of a coach's own lesson. */
export const openLesson = ({ slotId }: { slotId: string }, label = 'Open the lesson') => ({
  label,
  path: `/coach/lesson/${slotId}`,
});
