import type { NotificationMessage } from '#domain/message.ts';
import { formatPounds } from '#domain/money.ts';
import { shortReference } from '#domain/reference.ts';
import { greet } from './greet.ts';

type Returned = { amountCents: number; paymentReference: string; reason: string };

/**
 * Notifies a coach that a payment was returned, and that its lessons will be paid again. `maskedAccountNumber` is the
 * only form of the number allowed in an email.
 */
export function composeReturnedPayoutMessage({
  fullName,
  brand,
  amountCents,
  maskedAccountNumber,
  paymentReference,
  reason,
}: Returned & Record<'fullName' | 'brand' | 'maskedAccountNumber', string>): NotificationMessage {
  return {
    subject: `Your payment of ${formatPounds(amountCents)} from ${brand} was returned`,
    summary: `“${reason}”. Please check your bank details.`,
    body: [
      greet(fullName),
      "The bank didn't pay, or returned, a payment to you:",
      {
        facts: [
          ['Amount', formatPounds(amountCents)],
          ['Account', maskedAccountNumber],
          ['Reference', paymentReference],
        ],
      },
      'It gave this reason:',
      { quote: reason },
      "Please check your bank details. We'll pay these lessons again with the next payout.",
    ],
    action: { label: 'Check your bank details', path: '/coach/bank-details' },
  };
}

/** Notifies an admin that a payment of a payrun was entered as returned: by whom, for which coach and why. */
export function composePayrunReturnedMessage({
  fullName,
  by,
  payrunId,
  coachName,
  amountCents,
  paymentReference,
  reason,
}: Returned & Record<'fullName' | 'by' | 'payrunId' | 'coachName', string>): NotificationMessage {
  return {
    subject: `A payment of ${formatPounds(amountCents)} to ${coachName} was returned`,
    summary: `“${reason}”`,
    body: [
      greet(fullName),
      `${by} has entered that the payment to ${coachName} in payrun ${shortReference(payrunId)} (${formatPounds(amountCents)}, reference “${paymentReference}”) was returned. They gave this reason:`,
      { quote: reason },
      "Its bookings are payable again. Check on the bank's statement that the money is back before you pay them again.",
    ],
    action: { label: 'Open the payrun', path: `/admin/payruns/${payrunId}` },
  };
}
