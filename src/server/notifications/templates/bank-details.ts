import type { NotificationMessage } from '#domain/message.ts';
import { greet } from './greet.ts';

/**
 * Notifies a coach that bank details were saved, so that an unauthorised change is noticed before a payout.
 * `maskedAccountNumber` is the only form of the number allowed in an email.
 */
export function composeBankDetailsMessage({
  fullName,
  maskedAccountNumber,
  isChange,
}: {
  fullName: string;
  maskedAccountNumber: string;
  isChange: boolean;
}): NotificationMessage {
  const what = isChange ? 'changed' : 'added';
  return {
    subject: `Your bank details were ${what}`,
    summary: `We'll pay your earnings to account ${maskedAccountNumber}. If this wasn't you, contact us immediately.`,
    body: [
      greet(fullName),
      `Your bank details were ${what}. We'll pay your earnings to account ${maskedAccountNumber}.`,
      "If this was you, you don't need to do anything. If it wasn't, change your password, enter your own bank details again and contact us immediately.",
    ],
    action: { label: 'Check your bank details', path: '/coach/bank-details' },
  };
}
