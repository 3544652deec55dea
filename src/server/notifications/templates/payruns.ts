import type { NotificationMessage } from '#domain/message.ts';
import { formatPounds } from '#domain/money.ts';
import { shortReference } from '#domain/reference.ts';

/**
 * Notifies a coach that money is on its way. `maskedAccountNumber` is the only form of the number allowed in an
 * email.
 */
export function composePayrunMessage({
  fullName,
  brand,
  amountCents,
  maskedAccountNumber,
  paymentReference,
  earningsUrl,
}: {
  fullName: string;
  brand: string;
  amountCents: number;
  maskedAccountNumber: string;
  paymentReference: string;
  earningsUrl: string;
}): NotificationMessage {
  return {
    subject: `${brand} has paid you ${formatPounds(amountCents)}`,
    summary: `To account ${maskedAccountNumber}, with the reference "${paymentReference}".`,
    path: '/coach/earnings',
    text: `Hello ${fullName},

We've paid ${formatPounds(amountCents)} to your account ${maskedAccountNumber}.

The payment appears on your statement as "${paymentReference}". If it hasn't arrived within two working days, contact us.

See the lessons that this payment covers:

${earningsUrl}

${brand}
`,
  };
}

/** Notifies an admin of a payrun that needs a second admin. */
export function composePayrunWaitingMessage({
  by,
  brand,
  payrunId,
  totalAmountCents,
  payoutsUrl,
}: Record<'by' | 'brand' | 'payrunId' | 'payoutsUrl', string> & {
  totalAmountCents: number;
}): NotificationMessage {
  return {
    subject: `Payrun ${shortReference(payrunId)} at ${brand} needs a second admin (${formatPounds(totalAmountCents)})`,
    summary: `${by} created it.`,
    path: '/admin/panel?tab=payouts',
    text: `${by} created payrun ${shortReference(payrunId)} for ${formatPounds(totalAmountCents)} at ${brand}.

The payrun needs a second admin. Please check it, pay it through your bank and mark it as paid:

${payoutsUrl}
`,
  };
}

/** Notifies an admin that a payrun was cancelled, by whom and why, and that a downloaded file must not be used. */
export function composePayrunCancelledMessage({
  fullName,
  brand,
  by,
  payrunId,
  totalAmountCents,
  paymentReference,
  exportedAt,
  reason,
  payoutsUrl,
}: Record<'fullName' | 'brand' | 'by' | 'payrunId' | 'paymentReference' | 'reason' | 'payoutsUrl', string> & {
  totalAmountCents: number;
  exportedAt: string | null;
}): NotificationMessage {
  const file = exportedAt
    ? 'Its file was downloaded. Delete the file and make sure that the bank does not pay it: the lessons may be paid in another payrun.'
    : 'Its file was never downloaded.';
  return {
    subject: `Payrun ${shortReference(payrunId)} was cancelled (${formatPounds(totalAmountCents)})`,
    summary: `${by}: “${reason}”`,
    path: '/admin/panel?tab=payouts',
    text: `Hello ${fullName},

${by} has cancelled payrun ${shortReference(payrunId)} (${formatPounds(totalAmountCents)}, reference "${paymentReference}"). The reason given:

“${reason}”

${file}

Its bookings are payable again:

${payoutsUrl}

${brand}
`,
  };
}
