import type { NotificationMessage } from '#domain/message.ts';
import { formatPounds } from '#domain/money.ts';
import { shortReference } from '#domain/reference.ts';
import { greet } from './greet.ts';

const openPayouts = { label: 'Open the payouts', path: '/admin/panel?tab=payouts' };

/**
 * Notifies a coach that the operator has paid their earnings. `maskedAccountNumber` is the only form of the number
 * allowed in an email.
 */
export function composePayrunMessage({
  fullName,
  brand,
  amountCents,
  maskedAccountNumber,
  paymentReference,
}: {
  fullName: string;
  brand: string;
  amountCents: number;
  maskedAccountNumber: string;
  paymentReference: string;
}): NotificationMessage {
  return {
    subject: `${brand} has paid you ${formatPounds(amountCents)}`,
    summary: `To account ${maskedAccountNumber}, with the reference “${paymentReference}”.`,
    body: [
      greet(fullName),
      "We've paid your earnings.",
      {
        facts: [
          ['Amount', formatPounds(amountCents)],
          ['Account', maskedAccountNumber],
          ['Reference on your statement', paymentReference],
        ],
      },
      "If it hasn't arrived within two working days, contact us.",
    ],
    action: { label: 'See which lessons were paid', path: '/coach/earnings' },
  };
}

/** Notifies an admin of a payrun that needs a second admin. */
export function composePayrunWaitingMessage({
  by,
  brand,
  payrunId,
  totalAmountCents,
}: Record<'by' | 'brand' | 'payrunId', string> & {
  totalAmountCents: number;
}): NotificationMessage {
  return {
    subject: `Payrun ${shortReference(payrunId)} at ${brand} needs a second admin (${formatPounds(totalAmountCents)})`,
    summary: 'Please check the payrun, pay it through your bank and mark it as paid.',
    body: [
      `${by} created payrun ${shortReference(payrunId)} for ${formatPounds(totalAmountCents)} at ${brand}.`,
      'It needs a second admin. Please check the payrun, pay it through your bank and mark it as paid.',
    ],
    action: openPayouts,
  };
}

/** Notifies an admin that a payrun was cancelled, by whom and why, and that a downloaded file must not be used. */
export function composePayrunCancelledMessage({
  fullName,
  by,
  payrunId,
  totalAmountCents,
  paymentReference,
  exportedAt,
  reason,
}: Record<'fullName' | 'by' | 'payrunId' | 'paymentReference' | 'reason', string> & {
  totalAmountCents: number;
  exportedAt: string | null;
}): NotificationMessage {
  const file = exportedAt
    ? "Its file was downloaded. Delete the file and make sure that the bank doesn't pay it: the lessons may be paid in another payrun."
    : 'Its file was never downloaded.';
  return {
    subject: `Payrun ${shortReference(payrunId)} was cancelled (${formatPounds(totalAmountCents)})`,
    summary: `“${reason}”`,
    body: [
      greet(fullName),
      `${by} has cancelled payrun ${shortReference(payrunId)} (${formatPounds(totalAmountCents)}, reference “${paymentReference}”). They gave this reason:`,
      { quote: reason },
      `${file} Its bookings are payable again.`,
    ],
    action: openPayouts,
  };
}
