import { formatPounds } from '#domain/money.ts';
import { sports } from '#domain/sports.ts';
import type { Email } from '#server/platform/email.ts';
import {
  type BookingEmailData,
  describeLesson,
  formatLocation,
  type LessonContent,
  when,
} from './booking-emails.ts';

const describeWayOut = ({ amountCents }: BookingEmailData['booking']) =>
  amountCents > 0
    ? `you can cancel until it starts and get all of your ${formatPounds(amountCents)} back`
    : 'you can cancel until it starts';

/** Says that a booked lesson is at another time, which it was, and that cancelling costs nothing now. */
export function composeMovedEmail(
  data: BookingEmailData,
  from: { startTime: string; endTime: string },
): Email {
  const { booking, to, fullName, brand, bookingsUrl } = data;
  return {
    to,
    subject: `New time: ${booking.title}, ${when(booking)}`,
    text: `Hello ${fullName},

${booking.coachName} has moved a lesson that you booked.

New time: ${when(booking)} (London time)
Old time: ${when(from)}

${describeLesson(booking)}

You need do nothing if the new time suits you; your place is kept. If it does not, ${describeWayOut(booking)}.
Please put the new time into your calendar; the old entry does not move by itself.
Booking reference: ${booking.bookingId.slice(0, 8)}

See it or cancel it here:

${bookingsUrl}

${brand}
`,
  };
}

/** Says that a booked lesson is at another place, at which it was (null for none given), and that cancelling costs nothing now. */
export function composeRelocatedEmail(
  data: BookingEmailData,
  from: Parameters<typeof formatLocation>[0] | null,
): Email {
  const { booking, to, fullName, brand, bookingsUrl } = data;
  const formatted = (location: typeof from) =>
    location ? formatLocation(location) : 'to be agreed with the coach';
  return {
    to,
    subject: `New location: ${booking.title}, ${when(booking)}`,
    text: `Hello ${fullName},

${booking.coachName} has changed where a lesson that you booked takes place.

New location: ${formatted(booking.location)}
Old location: ${formatted(from)}

${booking.title} with ${booking.coachName}
${when(booking)} (London time)

You need do nothing if the new place suits you. If it does not, ${describeWayOut(booking)}.
Booking reference: ${booking.bookingId.slice(0, 8)}

See it or cancel it here:

${bookingsUrl}

${brand}
`,
  };
}

/** Says that a booked lesson has another title, sport or description, each with what it was, and that cancelling is free. */
export function composeChangedEmail(data: BookingEmailData, from: LessonContent): Email {
  const { booking, to, fullName, brand, bookingsUrl } = data;
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
    to,
    subject: `Changed: ${booking.title}, ${when(booking)}`,
    text: `Hello ${fullName},

${booking.coachName} has changed a lesson that you booked.

${changes.join('\n\n')}

${describeLesson(booking)}

You don't need to do anything if the change suits you. If it doesn't, ${describeWayOut(booking)}.
Booking reference: ${booking.bookingId.slice(0, 8)}

See it or cancel it here:

${bookingsUrl}

${brand}
`,
  };
}
