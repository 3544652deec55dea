import { refundArrival } from '#domain/card-labels.ts';
import type { NotificationMessage } from '#domain/message.ts';
import { formatPounds } from '#domain/money.ts';
import { shortReference } from '#domain/reference.ts';
import { type BookingMessageData, describeLesson, receiptPath, when } from './bookings.ts';

/** Notifies a customer that a refund did not reach the card and is delayed. */
export function composeRefundFailedMessage(
  data: BookingMessageData,
  refundCents: number,
): NotificationMessage {
  const { booking, fullName, brand, bookingsUrl } = data;
  return {
    subject: `Your refund is delayed: ${booking.title}, ${when(booking)}`,
    summary: `We couldn't refund ${formatPounds(refundCents)} to your card. You don't need to do anything.`,
    path: receiptPath(booking),
    text: `Hello ${fullName},

We couldn't refund ${formatPounds(refundCents)} to your card for this lesson:

${describeLesson(booking)}

You don't need to do anything. We've been notified, and we'll email you when the money is on its way.
Booking reference: ${shortReference(booking.bookingId)}

Your bookings:

${bookingsUrl}

${brand}
`,
  };
}

/**
 * Notifies a customer that a delayed refund was paid to the card after all or, if `elsewhere` is not null, in the way
 * that this text by the admin describes. Includes `contactEmail` if the operator has set it.
 */
export function composeRefundSettledMessage(
  data: BookingMessageData,
  refundCents: number,
  { elsewhere, contactEmail }: { elsewhere: string | null; contactEmail: string | null },
): NotificationMessage {
  const { booking, fullName, brand, bookingsUrl } = data;
  const amount = formatPounds(refundCents);
  const how =
    elsewhere === null
      ? `Your refund of ${amount} is on its way to your card after all. It arrives in ${refundArrival}.`
      : `We've refunded ${amount} another way:\n\n“${elsewhere}”`;
  return {
    subject: `Your refund is settled: ${booking.title}, ${when(booking)}`,
    summary: `Your refund of ${amount} ${elsewhere === null ? 'is on its way to your card' : 'was paid another way'}.`,
    path: receiptPath(booking),
    text: `Hello ${fullName},

${how}

The refund is for this lesson:

${describeLesson(booking)}

If you haven't received it within 10 days, please contact us${contactEmail ? ` at ${contactEmail}` : ''}.
Booking reference: ${shortReference(booking.bookingId)}

Your bookings:

${bookingsUrl}

${brand}
`,
  };
}

/** Notifies an admin that a refund failed and needs attention, with a link to the payouts page. */
export function composeRefundAlertMessage({
  fullName,
  brand,
  refundCents,
  customerName,
  bookingId,
  message,
  payoutsUrl,
}: Record<'fullName' | 'brand' | 'customerName' | 'bookingId' | 'message' | 'payoutsUrl', string> & {
  refundCents: number;
}): NotificationMessage {
  return {
    subject: `A refund of ${formatPounds(refundCents)} needs attention`,
    summary: `Stripe couldn't refund ${customerName}: “${message}”`,
    path: '/admin/panel?tab=payouts',
    text: `Hello ${fullName},

A refund of ${formatPounds(refundCents)} to ${customerName} could not be paid. Stripe says:

“${message}”

Try again, or pay the customer another way and record it under "Refunds that need attention":

${payoutsUrl}

Booking reference: ${shortReference(bookingId)}

${brand}
`,
  };
}
