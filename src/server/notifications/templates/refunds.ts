import { refundArrival } from '#domain/card-labels.ts';
import type { NotificationMessage } from '#domain/message.ts';
import { formatPounds } from '#domain/money.ts';
import { type BookingMessageData, bookingReference, describeLesson, openBooking, when } from './bookings.ts';
import { greet } from './greet.ts';

/** Notifies a customer that a refund did not reach the card and is delayed. */
export function composeRefundFailedMessage(
  data: BookingMessageData,
  refundCents: number,
): NotificationMessage {
  const { booking, fullName } = data;
  return {
    subject: `Your refund is delayed: ${booking.title}, ${when(booking)}`,
    summary: `We couldn't refund ${formatPounds(refundCents)} to your card. You don't need to do anything.`,
    body: [
      greet(fullName),
      `We couldn't refund ${formatPounds(refundCents)} to your card for this lesson.`,
      describeLesson(data),
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
  data: BookingMessageData,
  refundCents: number,
  { elsewhere, contactEmail }: { elsewhere: string | null; contactEmail: string | null },
): NotificationMessage {
  const { booking, fullName } = data;
  const amount = formatPounds(refundCents);
  return {
    subject: `Your refund is settled: ${booking.title}, ${when(booking)}`,
    summary: `Your refund of ${amount} ${elsewhere === null ? 'is on its way to your card' : 'was paid another way'}.`,
    body: [
      greet(fullName),
      ...(elsewhere === null
        ? [`Your refund of ${amount} is on its way to your card after all. It arrives in ${refundArrival}.`]
        : [`We've refunded ${amount} another way:`, { quote: elsewhere }]),
      'The refund is for this lesson:',
      describeLesson(data),
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
  bookingId,
  message,
}: Record<'fullName' | 'customerName' | 'bookingId' | 'message', string> & {
  refundCents: number;
}): NotificationMessage {
  return {
    subject: `A refund of ${formatPounds(refundCents)} needs attention`,
    summary: `Stripe couldn't refund ${customerName}: “${message}”`,
    body: [
      greet(fullName),
      `A refund of ${formatPounds(refundCents)} to ${customerName} could not be paid. Stripe says:`,
      { quote: message },
      'Try again, or pay the customer another way and record the payment under “Refunds that need attention”.',
      { facts: [bookingReference({ bookingId })] },
    ],
    action: { label: 'Open the payouts', path: '/admin/panel?tab=payouts' },
  };
}
