import { describeCard, refundArrival } from '#domain/card-labels.ts';
import type { NotificationMessage } from '#domain/message.ts';
import { formatPounds } from '#domain/money.ts';
import {
  type BookingMessageData,
  bookingReference,
  describeLesson,
  forWhom,
  openBooking,
  when,
} from './bookings.ts';
import { openLesson } from './coach-bookings.ts';
import { greet } from './greet.ts';

type CoachData = BookingMessageData & { booking: { slotId: string } };

/** Notifies a customer of a refund that an admin made for a booking. `reason` is the admin's, if they gave one. */
export function composeDeskRefundMessage(
  data: BookingMessageData,
  { refundCents, reason }: { refundCents: number; reason: string | null },
): NotificationMessage {
  const { booking, fullName } = data;
  const card = booking.card ? ` to ${describeCard(booking.card)}` : '';
  const amount = formatPounds(refundCents);
  return {
    subject: `Refund of ${amount}: ${booking.title}, ${when(booking)}`,
    summary: `We're refunding ${amount} for this lesson.`,
    body: [
      greet(fullName),
      `We're refunding ${amount}${card} for this lesson. The money arrives in ${refundArrival}.`,
      ...(reason ? [{ quote: reason }] : []),
      describeLesson(data),
      ...(booking.cancelledBy === null ? ['Your booking stays as it is.'] : []),
      { facts: [...forWhom(data), bookingReference(booking)] },
    ],
    action: openBooking(booking),
  };
}

/** Notifies a coach of a refund and of the coach's share of it, `coachCents`. */
export function composeBorneRefundMessage(
  data: BookingMessageData,
  { refundCents, coachCents, reason }: { refundCents: number; coachCents: number; reason: string | null },
): NotificationMessage {
  const { booking } = data;
  return {
    subject: `Refund of ${formatPounds(refundCents)}: ${booking.title}, ${when(booking)}`,
    summary: `Your earnings are ${formatPounds(coachCents)} lower.`,
    body: [
      `We've refunded ${formatPounds(refundCents)} for a booking of your lesson.`,
      ...(reason ? [{ quote: reason }] : []),
      describeLesson({ booking }),
      `Your earnings from this lesson are ${formatPounds(coachCents)} lower. If you were already paid for it, we'll deduct the amount from your next payout.`,
      { facts: [bookingReference(booking)] },
    ],
    action: { label: 'Open your earnings', path: '/coach/earnings' },
  };
}

/** Notifies the other admins of a refund that one of them has to approve or decline. */
export function composeRefundWaitingMessage(
  data: BookingMessageData,
  { by, refundCents, reason }: { by: string; refundCents: number; reason: string },
): NotificationMessage {
  const { booking } = data;
  return {
    subject: `A refund of ${formatPounds(refundCents)} needs a second admin`,
    summary: 'Please approve or decline it.',
    body: [
      `${by} would like to refund ${formatPounds(refundCents)} of this booking. They gave this reason:`,
      { quote: reason },
      describeLesson({ booking }),
      'The refund needs a second admin. Please approve or decline it.',
      { facts: [bookingReference(booking)] },
    ],
    action: { label: 'Open the booking', path: `/admin/bookings/${booking.bookingId}` },
  };
}

/** Notifies a customer that an admin moved a booking, or booked it again after a cancellation. */
export function composeMovedByAdminMessage(
  data: BookingMessageData,
  from: { startTime: string; endTime: string },
  isRebooked: boolean,
): NotificationMessage {
  const { booking, fullName, terms } = data;
  return {
    subject: `${isRebooked ? 'Booked again' : 'New date'}: ${booking.title}, ${when(booking)}`,
    summary: isRebooked ? 'Your cancelled booking is active again.' : `It was ${when(from)}.`,
    body: [
      greet(fullName),
      isRebooked
        ? "We've booked this lesson for you again. You don't need to pay again."
        : "We've moved your booking to another date. The price stays the same.",
      describeLesson(data),
      {
        facts: [['Old date', when(from)], ['Cancelling', terms], ...forWhom(data), bookingReference(booking)],
      },
    ],
    action: openBooking(booking, 'View or cancel your booking'),
  };
}

/** What an admin did to a booking of a coach's lesson. */
export type DeskChange =
  | { kind: 'cancelled' }
  | { kind: 'moved'; from: { startTime: string; endTime: string }; isRebooked: boolean }
  | { kind: 'marked'; attended: boolean | null };

/** Notifies a coach of what an admin did to a booking of one of their lessons. Only the email names a dependant. */
export function composeDeskChangeMessage(
  { booking, participantName }: CoachData,
  { customerName, ...change }: DeskChange & { customerName: string },
): NotificationMessage {
  const who = participantName
    ? `${customerName}'s booking for ${participantName}`
    : `${customerName}'s booking`;
  const [subject, summary, sentence] = describeDeskChange(change, who);
  return {
    subject: `${subject}: ${booking.title}, ${when(booking)}`,
    summary,
    body: [sentence, describeLesson({ booking })],
    action: openLesson(booking),
  };
}

function describeDeskChange(change: DeskChange, who: string): [string, string, string] {
  if (change.kind === 'cancelled') {
    const seat = 'The place is available to others again.';
    return ['Booking cancelled by an admin', seat, `An admin has cancelled ${who}. ${seat}`];
  }
  if (change.kind === 'moved') {
    return change.isRebooked
      ? [
          'Booked again by an admin',
          'A cancelled booking is active again.',
          `${who} had been cancelled. An admin has booked it again.`,
        ]
      : [
          'Booking moved by an admin',
          `It was ${when(change.from)}.`,
          `An admin has moved ${who} to this date. It was ${when(change.from)}.`,
        ];
  }
  const mark =
    change.attended === null
      ? 'is no longer marked'
      : `is now marked ${change.attended ? '“attended”' : '“absent”'}`;
  return [
    'Attendance changed by an admin',
    `One person ${mark}.`,
    `An admin has changed the attendance at your lesson: ${who} ${mark}.`,
  ];
}

/** Notifies the other admins that the limit for refunds by one admin changed. */
export function composeRefundControlMessage({
  by,
  limitCents,
  brand,
}: {
  by: string;
  limitCents: number | null;
  brand: string;
}): NotificationMessage {
  const consequence =
    limitCents === null
      ? 'From now on, one admin alone can refund any amount.'
      : `From now on, one admin alone can refund at most ${formatPounds(limitCents)} per booking. A second admin has to approve anything above that.`;
  return {
    subject:
      limitCents === null
        ? `Refunds at ${brand} no longer need a second admin`
        : `Refunds above ${formatPounds(limitCents)} at ${brand} now need a second admin`,
    summary: consequence,
    body: [
      `${by} changed a setting at ${brand}. ${consequence}`,
      "If this shouldn't have happened, change it back in the Admin Panel under Settings.",
    ],
    action: { label: 'Open the settings', path: '/admin/panel?tab=settings' },
  };
}
