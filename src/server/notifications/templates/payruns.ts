import { formatPounds } from '#domain/money.ts';
import { shortReference } from '#domain/reference.ts';
import type { Email } from '#server/notifications/email-channel.ts';

/**
 * Notifies a coach that money is on its way. `maskedAccountNumber` is the only form of the number allowed in an
 * email.
 */
export function composePayrunEmail({
  to,
  fullName,
  brand,
  amountCents,
  maskedAccountNumber,
  paymentReference,
  earningsUrl,
}: {
  to: string;
  fullName: string;
  brand: string;
  amountCents: number;
  maskedAccountNumber: string;
  paymentReference: string;
  earningsUrl: string;
}): Email {
  return {
    to,
    subject: `${brand} has paid you ${formatPounds(amountCents)}`,
    text: `Hello ${fullName},

We've paid ${formatPounds(amountCents)} to your account ${maskedAccountNumber}.

It appears on your statement as "${paymentReference}". If it hasn't arrived within two working days, contact us.

See which lessons it covers:

${earningsUrl}

${brand}
`,
  };
}

/** Notifies an admin of a payrun that needs a second admin. */
export function composePayrunWaitingEmail({
  to,
  by,
  brand,
  payrunId,
  totalAmountCents,
  payoutsUrl,
}: Record<'to' | 'by' | 'brand' | 'payrunId' | 'payoutsUrl', string> & { totalAmountCents: number }): Email {
  return {
    to,
    subject: `Payrun ${shortReference(payrunId)} at ${brand} needs a second admin (${formatPounds(totalAmountCents)})`,
    text: `${by} created payrun ${shortReference(payrunId)} of ${formatPounds(totalAmountCents)} at ${brand}.

It needs a second admin. Please check it, pay it through your bank and mark it as paid:

${payoutsUrl}
`,
  };
}

/** Notifies an admin that a payrun was cancelled, by whom and why, and that its file must not be used. */
export function composePayrunCancelledEmail({
  to,
  fullName,
  brand,
  by,
  payrunId,
  totalAmountCents,
  paymentReference,
  exportedAt,
  reason,
  payoutsUrl,
}: Record<
  'to' | 'fullName' | 'brand' | 'by' | 'payrunId' | 'paymentReference' | 'reason' | 'payoutsUrl',
  string
> & { totalAmountCents: number; exportedAt: string | null }): Email {
  const file = exportedAt
    ? 'Its file was downloaded. Delete it and make sure that no bank pays it: its lessons can be in another payrun.'
    : 'Its file was never downloaded.';
  return {
    to,
    subject: `Payrun ${shortReference(payrunId)} was cancelled (${formatPounds(totalAmountCents)})`,
    text: `Hello ${fullName},

${by} has cancelled payrun ${shortReference(payrunId)} with the reference "${paymentReference}" over ${formatPounds(totalAmountCents)}:

“${reason}”

${file}

Its bookings are payable again:

${payoutsUrl}

${brand}
`,
  };
}
