import { describeCard, refundArrival } from '#domain/card-labels.ts';
import { formatLocation } from '#domain/location-text.ts';
import type { NotificationMessage } from '#domain/message.ts';
import { formatPounds } from '#domain/money.ts';
import { shortReference } from '#domain/reference.ts';
import { type Sport, sports } from '#domain/sports.ts';
import { formatLessonTime } from '#domain/time.ts';

/** A lesson's content, as its coach describes it. */
export type LessonContent = { title: string; description: string; sport: Sport };

type BookedLesson = LessonContent & {
  bookingId: string;
  /** The content after the coach's changes since the booking; null if there were none. */
  changedTo: LessonContent | null;
  coachName: string;
  startTime: string;
  endTime: string;
  location: { name: string; address: string; city: string; postcode: string } | null;
  amountCents: number;
  card: { brand: string; lastFour: string } | null;
  refund: { amountCents: number } | null;
  cancelledBy: 'customer' | 'coach' | 'platform' | null;
  cancellationReason: string | null;
  slotStatus: string;
};

/**
 * The data for messages about a booking. `terms` is the cancellation policy in a sentence, `bookingsUrl` the page of
 * the customer's bookings.
 */
export type BookingMessageData = {
  booking: BookedLesson;
  terms: string;
  fullName: string;
  brand: string;
  bookingsUrl: string;
};

/** What a new booking is called in the app: its title and the sentence below it. */
export const describeReceipt = (
  booking: Pick<BookedLesson, 'bookingId' | 'title' | 'coachName' | 'startTime' | 'endTime' | 'location'>,
) => ({
  subject: `Booked: ${booking.title}, ${when(booking)}`,
  summary: [
    `With ${booking.coachName}`,
    ...(booking.location ? [formatLocation(booking.location)] : []),
  ].join(', '),
  path: receiptPath(booking),
});

/** Sends a customer the receipt: the lesson, its location, the payment and card, and the cancellation terms. */
export function composeBookedMessage({
  booking,
  terms,
  fullName,
  brand,
  bookingsUrl,
}: BookingMessageData): NotificationMessage {
  const paid = booking.card
    ? `Paid: ${formatPounds(booking.amountCents)} with ${describeCard(booking.card)}`
    : 'This lesson is free.';
  return {
    ...describeReceipt(booking),
    text: `Hello ${fullName},

You're booked.

${describeLesson(booking)}

${paid}
${booking.card ? `Cancelling: ${terms}\n` : ''}Booking reference: ${shortReference(booking.bookingId)}

View or cancel your booking here:

${bookingsUrl}

${brand}
`,
  };
}

/** Notifies a customer that a booking is cancelled, and of the refund and its card, if any. */
export function composeCancelledMessage({
  booking,
  fullName,
  brand,
  bookingsUrl,
}: BookingMessageData): NotificationMessage {
  const money =
    booking.refund && booking.card
      ? `We're refunding ${formatPounds(booking.refund.amountCents)} to ${describeCard(booking.card)}. It arrives in ${refundArrival}.`
      : booking.amountCents > 0
        ? 'Under the terms of this booking, there is no refund.'
        : "You weren't charged for this lesson.";
  const reason = booking.cancellationReason ? `\n\n“${booking.cancellationReason}”` : '';
  const what =
    booking.cancelledBy === 'coach'
      ? `${booking.coachName} has cancelled this lesson. We're sorry.${reason}`
      : 'Your booking is cancelled, and your place is available to others.';
  return {
    subject: `Cancelled: ${booking.title}, ${when(booking)}`,
    summary: `${booking.cancelledBy === 'coach' ? `${booking.coachName} has cancelled this lesson. ` : ''}${money}`,
    path: receiptPath(booking),
    text: `Hello ${fullName},

${what}

${describeLesson(booking)}

${money}
Booking reference: ${shortReference(booking.bookingId)}

Your bookings:

${bookingsUrl}

${brand}
`,
  };
}

/**
 * Notifies a customer who cancelled late that the coach has since cancelled the lesson, and that the rest of the
 * money, `refundCents`, is refunded too.
 */
export function composeRefundedMessage(
  { booking, fullName, brand, bookingsUrl }: BookingMessageData,
  refundCents: number,
): NotificationMessage {
  const reason = booking.cancellationReason ? `\n\n“${booking.cancellationReason}”` : '';
  const card = booking.card ? ` to ${describeCard(booking.card)}` : '';
  return {
    subject: `Refunded in full: ${booking.title}, ${when(booking)}`,
    summary: `${booking.coachName} has cancelled this lesson, so we're refunding the remaining ${formatPounds(refundCents)}.`,
    path: receiptPath(booking),
    text: `Hello ${fullName},

${booking.coachName} has cancelled a lesson that you had already cancelled.${reason}

${describeLesson(booking)}

The lesson won't take place, so we're also refunding the rest of what you paid: ${formatPounds(refundCents)}${card}. It arrives in ${refundArrival}.
Booking reference: ${shortReference(booking.bookingId)}

Your bookings:

${bookingsUrl}

${brand}
`,
  };
}

/** Notifies a customer that a payment arrived too late to keep the seat and is refunded in full. */
export function composeReturnedMessage({
  booking,
  fullName,
  brand,
  bookingsUrl,
}: BookingMessageData): NotificationMessage {
  const card = booking.card ? ` to ${describeCard(booking.card)}` : '';
  return {
    subject: `Not booked, refunded in full: ${booking.title}, ${when(booking)}`,
    summary: `Your payment arrived after we had released your place. We're refunding ${formatPounds(booking.amountCents)}.`,
    path: receiptPath(booking),
    text: `Hello ${fullName},

Your payment for this lesson arrived after we had released your place, so you don't have a booking:

${describeLesson(booking)}

We're refunding your payment in full: ${formatPounds(booking.amountCents)}${card}. It arrives in ${refundArrival}.
We're sorry for the trouble. ${booking.slotStatus === 'cancelled' ? 'The coach has cancelled this lesson.' : "If there's still a place, you can book again."}
Booking reference: ${shortReference(booking.bookingId)}

Your bookings:

${bookingsUrl}

${brand}
`,
  };
}

/** The page of a booking: its receipt and what the customer can do. */
export const receiptPath = ({ bookingId }: Pick<BookedLesson, 'bookingId'>) =>
  `/customer/bookings/${bookingId}`;

/** "Sat 21 Nov, 09:00–10:00", as used in subjects and texts. */
export const when = ({ startTime, endTime }: Pick<BookedLesson, 'startTime' | 'endTime'>) =>
  formatLessonTime(startTime, endTime, Date.now());

/** The booked lesson, coach, time and location, one per line, and the coach's later changes. */
export function describeLesson(booking: BookedLesson): string {
  const { changedTo } = booking;
  return [
    `${booking.title} with ${booking.coachName}`,
    ...(changedTo ? [`Changed by the coach to: ${changedTo.title} (${sports[changedTo.sport]})`] : []),
    `${when(booking)} (London time)`,
    ...(booking.location ? [formatLocation(booking.location)] : []),
  ].join('\n');
}
