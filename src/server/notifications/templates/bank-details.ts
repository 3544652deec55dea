import type { NotificationMessage } from '#domain/message.ts';

/**
 * Notifies a coach that bank details were saved, so that an unauthorised change is noticed before money moves.
 * `maskedAccountNumber` is the only form of the number allowed in an email.
 */
export function composeBankDetailsMessage({
  fullName,
  brand,
  maskedAccountNumber,
  isChange,
  bankDetailsUrl,
}: {
  fullName: string;
  brand: string;
  maskedAccountNumber: string;
  isChange: boolean;
  bankDetailsUrl: string;
}): NotificationMessage {
  const what = isChange ? 'changed' : 'added';
  return {
    subject: `Your bank details were ${what}`,
    summary: `We'll pay your earnings to account ${maskedAccountNumber}. If this wasn't you, contact us immediately.`,
    path: '/coach/bank-details',
    text: `Hello ${fullName},

Your bank details were ${what}.

We'll pay your earnings to account ${maskedAccountNumber}.

If this was you, you don't need to do anything. If it wasn't, change your password, enter your own bank details again here and contact us immediately:

${bankDetailsUrl}

${brand}
`,
  };
}
