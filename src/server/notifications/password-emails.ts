import type { Email } from '#server/platform/email.ts';

// No text that a visitor typed stands in the first: anybody can have one sent to anybody.

/** Lets the owner of an account choose a new password by opening `link`, which works for an hour. */
export function composeRecoveryEmail({
  to,
  link,
  brand,
}: {
  to: string;
  link: string;
  brand: string;
}): Email {
  return {
    to,
    subject: `Choose a new password for ${brand}`,
    text: `Somebody, probably you, asked to reset the password of your account at ${brand}.

Choose a new one here:

${link}

The link works once and for an hour. If it was not you, please ignore this mail: your password is
unchanged.
`,
  };
}

/** What a notice says that may lead to a new password: to whom, where to choose one, of which product. */
export type ResetNotice = { to: string; resetUrl: string; brand: string };

/** Tells the owner of an account that its password was changed, so that a stranger's change is noticed. */
export function composePasswordChangedEmail({ to, resetUrl, brand }: ResetNotice): Email {
  return {
    to,
    subject: `Your password at ${brand} was changed`,
    text: `The password of your account at ${brand} was just changed, and every other browser was signed out.

If this was you, there is nothing to do. If it was not, choose a new password at once:

${resetUrl}
`,
  };
}
