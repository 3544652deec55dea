import type { Message } from '#domain/message.ts';
import type { ResetNotice } from './passwords.ts';

type Notice = { accountUrl: string; brand: string };

/** Notifies an account's owner that two-step sign-in was switched on or off. */
export function composeTwoStepMessage({ isOn, accountUrl, brand }: Notice & { isOn: boolean }): Message {
  return {
    subject: `Two-step sign-in on ${brand} was switched ${isOn ? 'on' : 'off'}`,
    text: `Two-step sign-in was just switched ${isOn ? 'on' : 'off'} for your ${brand} account.

${
  isOn
    ? 'To sign in, you now need your password and a code from your authenticator app. Every other browser was\nsigned out.'
    : 'You now need only your password to sign in. Your recovery codes no longer work.'
}

If this was you, you don't need to do anything. If it wasn't, change your password immediately:

${accountUrl}
`,
  };
}

/** Notifies an account's owner that recovery codes were created; the codes themselves are never emailed. */
export function composeRecoveryCodesMessage({
  isFirst,
  accountUrl,
  brand,
}: Notice & { isFirst: boolean }): Message {
  return {
    subject: `${isFirst ? 'Recovery codes' : 'New recovery codes'} for ${brand}`,
    text: `Ten recovery codes were just created for your ${brand} account. You can use each code once, instead of your authenticator app.${isFirst ? '' : ' Your earlier codes no longer work.'}

If this was you, keep the codes somewhere safe. If it wasn't, change your password immediately:

${accountUrl}
`,
  };
}

/** Notifies an account's owner that a recovery code was used, and how many are left. */
export function composeRecoveryCodeUsedMessage({
  left,
  accountUrl,
  brand,
}: Notice & { left: number }): Message {
  const rest = left === 1 ? 'One recovery code is left.' : `${left || 'No'} recovery codes are left.`;
  return {
    subject: `A recovery code was used on ${brand}`,
    text: `Someone, probably you, just signed in to your ${brand} account with your password and a recovery code.

${rest} You can create new codes and set up another authenticator app here:

${accountUrl}

If it wasn't you, change your password on that page immediately and sign out every other browser.
`,
  };
}

/** Notifies an account's owner that an admin signed the account out everywhere. */
export function composeSignedOutMessage({ resetUrl, brand }: ResetNotice): Message {
  return {
    subject: `You were signed out of ${brand} everywhere`,
    text: `A ${brand} admin signed your account out of every browser. Your password hasn't changed, and you can sign in again at any time.

If someone else may have used your account, choose a new password first:

${resetUrl}
`,
  };
}

export function composeAccountDeletedMessage({ brand }: { brand: string }): Message {
  return {
    subject: `Your ${brand} account was deleted`,
    text: `We've deleted your ${brand} account, as you asked.

We've deleted your name, email address and saved card. We must keep some records, such as paid lessons, but without your name. You can sign up again with this email address.
`,
  };
}
