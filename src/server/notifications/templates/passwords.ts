import type { Message } from '#domain/message.ts';

/** The action of messages to a person who may not be able to sign in. */
export const chooseNewPassword = { label: 'Choose a new password', path: '/forgot-password' };

/**
 * Lets an account's owner choose a new password by opening `path`, which expires after an hour. The email contains no
 * text that a visitor typed, because anyone can request an email to any address.
 */
export function composeRecoveryMessage({ path, brand }: { path: string; brand: string }): Message {
  return {
    subject: `Choose a new password for ${brand}`,
    body: [`Someone, probably you, asked to reset the password for your ${brand} account.`],
    action: { label: 'Choose a new password', path },
    closing: [
      "The link can be used once and expires after an hour. If it wasn't you, please ignore this email. Your password hasn't changed.",
    ],
  };
}

/** Notifies an account's owner that its password was changed, so that an unauthorised change is noticed. */
export function composePasswordChangedMessage({ brand }: { brand: string }): Message {
  return {
    subject: `Your ${brand} password was changed`,
    body: [
      `The password for your ${brand} account was just changed, and every other browser was signed out.`,
      "If this was you, you don't need to do anything. If it wasn't, choose a new password immediately.",
    ],
    action: chooseNewPassword,
  };
}
