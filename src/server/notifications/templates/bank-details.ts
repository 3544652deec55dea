import type { Email } from '#server/notifications/email-channel.ts';

/**
 * Notifies a coach that bank details were saved, so that a stranger's change is noticed before money moves.
 * `maskedAccountNumber` is the only form of the number allowed in an email.
 */
export function composeBankDetailsEmail({
  to,
  fullName,
  brand,
  maskedAccountNumber,
  isChange,
  bankDetailsUrl,
}: {
  to: string;
  fullName: string;
  brand: string;
  maskedAccountNumber: string;
  isChange: boolean;
  bankDetailsUrl: string;
}): Email {
  const what = isChange ? 'changed' : 'added';
  return {
    to,
    subject: `Your bank details were ${what}`,
    text: `Hello ${fullName},

Your bank details were ${what}.

We'll pay your earnings to account ${maskedAccountNumber}.

If this was you, you don't need to do anything. If it wasn't, change your password, enter your own bank details again here and contact us immediately:

${bankDetailsUrl}

${brand}
`,
  };
}
