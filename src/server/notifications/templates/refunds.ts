import { refundArrival } from '#domain/card-labels.ts';
import type { MessagePart, NotificationMessage } from '#domain/message.ts';
import { formatPounds } from '#domain/money.ts';
import { shortReference } from '#domain/reference.ts';
import {
  type BookingMessageData,
  bookingReference,
  describeLesson,
  listLessons,
  openBooking,
  when,
} from './bookings.ts';
import { greet } from './greet.ts';

/** The data of a refund's messages; `lessons` are all that it covers, each with the amount refunded for it. */
type RefundMessageData = BookingMessageData & { lessons: NonNullable<BookingMessageData['paidTogether']> };

/** The first lesson of a refund, as in "Tennis, Sat 21 Nov, 09:00–10:00 and 2 more". */
const nameLessons = ({ booking, lessons }: RefundMessageData): string =>
  `${booking.title}, ${when(booking)}${lessons.length > 1 ? ` and ${lessons.length - 1} more` : ''}`;

const describeLessons = (data: RefundMessageData): MessagePart =>
  data.lessons.length > 1 ? listLessons(data.lessons) : describeLesson(data);

/** Notifies a customer that a refund did not reach the card and is delayed. */
export function composeRefundFailedMessage(
  data: RefundMessageData,
  refundCents: number,
): NotificationMessage {
  const { booking, fullName } = data;
  return {
    subject: `Your refund is delayed: ${nameLessons(data)}`,
    summary: `We couldn't refund ${formatPounds(refundCents)} to your card. You don't need to do anything.`,
    body: [
      greet(fullName),
      `We couldn't refund ${formatPounds(refundCents)} to your card for ${data.lessons.length > 1 ? 'these lessons' : 'this lesson'}.`,
      describeLessons(data),
      "You don't need to do anything. We've been notified, and we'll email you when the money is on its way.",
      { facts: [bookingReference(booking)] },
    ],
    action: openBooking(booking),
  };
}

/**
 * Notifies a customer that a delayed refund was paid to the card after all. If `elsewhere` is not null, the refund was
 * paid another way, which the admin describes in that text. Includes `contactEmail` if the operator has set it.
 */
export function composeRefundSettledMessage(
  data: RefundMessageData,
  refundCents: number,
  { elsewhere, contactEmail }: { elsewhere: string | null; contactEmail: string | null },
): NotificationMessage {
  const { booking, fullName } = data;
  const amount = formatPounds(refundCents);
  return {
    subject: `Your refund is settled: ${nameLessons(data)}`,
    summary: `Your refund of ${amount} ${elsewhere === null ? 'is on its way to your card' : 'was paid another way'}.`,
    body: [
      greet(fullName),
      ...(elsewhere === null
        ? [`Your refund of ${amount} is on its way to your card after all. It arrives in ${refundArrival}.`]
        : [`We've refunded ${amount} another way:`, { quote: elsewhere }]),
      `The refund is for ${data.lessons.length > 1 ? 'these lessons' : 'this lesson'}:`,
      describeLessons(data),
      `If you haven't received it within 10 days, please contact us${contactEmail ? ` at ${contactEmail}` : ''}.`,
      { facts: [bookingReference(booking)] },
    ],
    action: openBooking(booking),
  };
}

/** Notifies an admin that a refund failed and needs attention. `message` is Stripe's. */
export function composeRefundAlertMessage({
  fullName,
  refundCents,
  customerName,
  bookingIds,
  message,
}: Record<'fullName' | 'customerName' | 'message', string> & {
  refundCents: number;
  bookingIds: string[];
}): NotificationMessage {
  return {
    subject: `A refund of ${formatPounds(refundCents)} needs attention`,
    summary: `Stripe couldn't refund ${customerName}: “${message}”`,
    body: [
      greet(fullName),
      `A refund of ${formatPounds(refundCents)} to ${customerName} could not be paid. Stripe says:`,
      { quote: message },
      'Try again, or pay the customer another way and record the payment under “Refunds that need attention”.',
      {
        facts: [
          [
            bookingIds.length > 1 ? 'Booking references' : 'Booking reference',
            bookingIds.map(shortReference).join(', '),
          ],
        ],
      },
    ],
    action: { label: 'Open the payouts', path: '/admin/panel?tab=payouts' },
  };
}
