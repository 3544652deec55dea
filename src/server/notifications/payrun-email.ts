import { formatPounds } from '#domain/money.ts';
import type { Email } from '#server/platform/email.ts';

/** Tells a coach that money is on its way. `maskedAccountNumber` is all of the number that may stand in a mail. */
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

we have paid ${formatPounds(amountCents)} to your account ${maskedAccountNumber}.

It stands on your statement as "${paymentReference}". If it is not there within two working days, tell us.

See which lessons it is for:

${earningsUrl}

${brand}
`,
  };
}

/** Notifies an admin of a payrun that takes a second admin to go further. */
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
    subject: `Payrun ${payrunId.slice(0, 8)} at ${brand} needs a second admin (${formatPounds(totalAmountCents)})`,
    text: `${by} created payrun ${payrunId.slice(0, 8)} of ${formatPounds(totalAmountCents)} at ${brand}.

It needs a second admin. Please check it, pay it through your bank and mark it as paid:

${payoutsUrl}
`,
  };
}

/** Tells an admin that a payrun was cancelled, by whom and why, and that its file must not be used any more. */
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
    ? 'Its file had been downloaded. Delete it, and make sure that no bank pays it: the same lessons can go into another payrun.'
    : 'Its file had not been downloaded.';
  return {
    to,
    subject: `Payrun ${payrunId.slice(0, 8)} was cancelled (${formatPounds(totalAmountCents)})`,
    text: `Hello ${fullName},

${by} has cancelled payrun ${payrunId.slice(0, 8)} with the reference "${paymentReference}" over ${formatPounds(totalAmountCents)}:

“${reason}”

${file}

Its bookings are payable again:

${payoutsUrl}

${brand}
`,
  };
}
