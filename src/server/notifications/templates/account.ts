import type { Message } from '#domain/message.ts';
import { chooseNewPassword } from './passwords.ts';

/** The action of messages about the security of an account. */
export const openAccount = { label: 'Open your account', path: '/account' };

const ifItWasNot = "If this was you, you don't need to do anything. If it wasn't,";

/** Notifies an account's owner that two-step sign-in was switched on or off. */
export function composeTwoStepMessage({ isOn, brand }: { isOn: boolean; brand: string }): Message {
  const state = isOn ? 'on' : 'off';
  return {
    subject: `Two-step sign-in on ${brand} was switched ${state}`,
    body: [
      `Two-step sign-in was just switched ${state} for your ${brand} account.`,
      isOn
        ? 'To sign in, you now need your password and a code from your authenticator app. Every other browser was signed out.'
        : 'You now need only your password to sign in. Your recovery codes no longer work.',
      `${ifItWasNot} change your password immediately.`,
    ],
    action: openAccount,
  };
}

/** Notifies an account's owner that recovery codes were created; the codes themselves are never emailed. */
export function composeRecoveryCodesMessage({
  isFirst,
  brand,
}: {
  isFirst: boolean;
  brand: string;
}): Message {
  return {
    subject: `${isFirst ? 'Recovery codes' : 'New recovery codes'} for ${brand}`,
    body: [
      `Ten recovery codes were just created for your ${brand} account. You can use each code once, instead of your authenticator app.${isFirst ? '' : ' Your earlier codes no longer work.'}`,
      "If this was you, keep the codes somewhere safe. If it wasn't, change your password immediately.",
    ],
    action: openAccount,
  };
}

/** Notifies an account's owner that a recovery code was used, and how many are left. */
export function composeRecoveryCodeUsedMessage({ left, brand }: { left: number; brand: string }): Message {
  const rest = left === 1 ? 'One recovery code is left.' : `${left || 'No'} recovery codes are left.`;
  return {
    subject: `A recovery code was used on ${brand}`,
    body: [
      `Someone, probably you, just used a recovery code instead of the authenticator app of your ${brand} account.`,
      `${rest} On your account page, you can set up another authenticator app and create new codes.`,
      "If it wasn't you, change your password on that page immediately and sign out every other browser.",
    ],
    action: openAccount,
  };
}

/** Notifies an account's owner that an admin signed the account out everywhere. */
export function composeSignedOutMessage({ brand }: { brand: string }): Message {
  return {
    subject: `You were signed out of ${brand} everywhere`,
    body: [
      `A ${brand} admin signed your account out of every browser. Your password hasn't changed, and you can sign in again at any time.`,
      'If someone else may have used your account, choose a new password first.',
    ],
    action: chooseNewPassword,
  };
}

export function composeAccountDeletedMessage({ brand }: { brand: string }): Message {
  return {
    subject: `Your ${brand} account was deleted`,
    body: [
      `We've deleted your ${brand} account, as you asked.`,
      "We've deleted your name, email address and saved card. We must keep some records, such as paid lessons, but without your name. You can sign up again with this email address.",
    ],
  };
}
