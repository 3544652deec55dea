import { formatPounds } from '#domain/money.ts';
import type { Mail } from '#server/platform/mail.ts';

/** Tells a coach that money is on its way. `maskedAccountNumber` is all of the number that may stand in a mail. */
export function composePayrunMail({
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
}): Mail {
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
