import type { Message } from '#domain/message.ts';

// The recovery email contains no text that a visitor typed, because anyone can request an email to any address.

/** Lets an account's owner choose a new password by opening `link`, which expires after an hour. */
export function composeRecoveryMessage({ link, brand }: { link: string; brand: string }): Message {
  return {
    subject: `Choose a new password for ${brand}`,
    text: `Someone, probably you, asked to reset the password of your ${brand} account.

Choose a new password here:

${link}

The link can be used once and expires after an hour. If it wasn't you, please ignore this email. Your password hasn't changed.
`,
  };
}

/** The data of a notice with a link to the page for choosing a new password. */
export type ResetNotice = { resetUrl: string; brand: string };

/** Notifies an account's owner that its password was changed, so that an unauthorised change is noticed. */
export function composePasswordChangedMessage({ resetUrl, brand }: ResetNotice): Message {
  return {
    subject: `Your ${brand} password was changed`,
    text: `The password of your ${brand} account was just changed, and every other browser was signed out.

If this was you, you don't need to do anything. If it wasn't, choose a new password immediately:

${resetUrl}
`,
  };
}
