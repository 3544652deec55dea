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
      'A bank refused or returned our payment to you:',
      {
        facts: [
          ['Amount', formatPounds(amountCents)],
          ['Account', maskedAccountNumber],
          ['Reference', paymentReference],
        ],
      },
      'The bank gave this reason:',
      { quote: reason },
      "Please check your bank details. We'll pay these lessons again with the next payout.",
    ],
    action: { label: 'Check your bank details', path: '/coach/bank-details' },
  };
}

/** Notifies an admin that a payment in a payrun was recorded as returned: by whom, to which coach and why. */
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
      `${by} has recorded that the payment to ${coachName} in payrun ${shortReference(payrunId)} (${formatPounds(amountCents)}, reference “${paymentReference}”) was returned. They gave this reason:`,
      { quote: reason },
      'Its bookings are payable again. Before you pay them again, check the bank statement to make sure that the money has come back.',
    ],
    action: { label: 'Open the payrun', path: `/admin/payruns/${payrunId}` },
  };
}
