import { formatLocation } from '#domain/location-text.ts';
import type { NotificationMessage } from '#domain/message.ts';
import { formatPounds } from '#domain/money.ts';
import { shortReference } from '#domain/reference.ts';
import { sports } from '#domain/sports.ts';
import {
  type BookingMessageData,
  describeLesson,
  type LessonContent,
  receiptPath,
  when,
} from './bookings.ts';

const describeWayOut = ({ amountCents }: BookingMessageData['booking']) =>
  amountCents > 0
    ? `you can cancel until it starts and get your ${formatPounds(amountCents)} back`
    : 'you can cancel until it starts';

/** Notifies a customer that a booked lesson has moved from the time `from` and that cancelling is now free. */
export function composeMovedMessage(
  data: BookingMessageData,
  from: { startTime: string; endTime: string },
): NotificationMessage {
  const { booking, fullName, brand, bookingsUrl } = data;
  return {
    subject: `New time: ${booking.title}, ${when(booking)}`,
    summary: `${booking.coachName} has moved this lesson. It was ${when(from)}.`,
    path: receiptPath(booking),
    text: `Hello ${fullName},

${booking.coachName} has moved a lesson you booked.

New time: ${when(booking)} (London time)
Old time: ${when(from)}

${describeLesson(booking)}

If the new time suits you, you don't need to do anything. If it doesn't, ${describeWayOut(booking)}.
If you saved this lesson in a calendar yourself, please check its time there.
Booking reference: ${shortReference(booking.bookingId)}

View or cancel your booking here:

${bookingsUrl}

${brand}
`,
  };
}

/**
 * Notifies a customer that a booked lesson has moved from the location `from` (null if none was given) and that
 * cancelling is now free.
 */
export function composeRelocatedMessage(
  data: BookingMessageData,
  from: Parameters<typeof formatLocation>[0],
): NotificationMessage {
  const { booking, fullName, brand, bookingsUrl } = data;
  return {
    subject: `New location: ${booking.title}, ${when(booking)}`,
    summary: `${formatLocation(booking.location)}. It was ${formatLocation(from)}.`,
    path: receiptPath(booking),
    text: `Hello ${fullName},

${booking.coachName} has changed the location of a lesson you booked.

New location: ${formatLocation(booking.location)}
Old location: ${formatLocation(from)}

${booking.title} with ${booking.coachName}
${when(booking)} (London time)

If the new location suits you, you don't need to do anything. If it doesn't, ${describeWayOut(booking)}.
Booking reference: ${shortReference(booking.bookingId)}

View or cancel your booking here:

${bookingsUrl}

${brand}
`,
  };
}

/**
 * Notifies a customer that the title, sport or description of a booked lesson has changed from `from` and that
 * cancelling is now free.
 */
export function composeChangedMessage(data: BookingMessageData, from: LessonContent): NotificationMessage {
  const { booking, fullName, brand, bookingsUrl } = data;
  const after = booking.changedTo ?? booking;
  const changes = [
    ...(after.title === from.title ? [] : [`New title: ${after.title}\nOld title: ${from.title}`]),
    ...(after.sport === from.sport
      ? []
      : [`New sport: ${sports[after.sport]}\nOld sport: ${sports[from.sport]}`]),
    ...(after.description === from.description
      ? []
      : [
          `New description:\n${after.description || 'None'}`,
          `Old description:\n${from.description || 'None'}`,
        ]),
  ];
  return {
    subject: `Changed: ${booking.title}, ${when(booking)}`,
    summary: `${booking.coachName} has changed this lesson${after.title === from.title ? '' : `: ${after.title}`}.`,
    path: receiptPath(booking),
    text: `Hello ${fullName},

${booking.coachName} has changed a lesson you booked.

${changes.join('\n\n')}

${describeLesson(booking)}

If the change suits you, you don't need to do anything. If it doesn't, ${describeWayOut(booking)}.
Booking reference: ${shortReference(booking.bookingId)}

View or cancel your booking here:

${bookingsUrl}

${brand}
`,
  };
}
