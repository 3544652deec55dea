import type { Email } from '#server/platform/email.ts';

/**
 * Tells a coach that bank details were saved, so that a stranger's change is noticed before money moves.
 * `maskedAccountNumber` is all of the number that may stand in a mail.
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
    subject: `Your bank details at ${brand} were ${what}`,
    text: `Hello ${fullName},

the bank details we pay your earnings to were ${what}.

We will pay to the account ${maskedAccountNumber} from now on.

If this was you, there is nothing to do. If it was not, change your password, enter your own bank
details again here and tell us at once:

${bankDetailsUrl}

${brand}
`,
  };
}
