import type { Message } from '#domain/message.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { openAccount } from './account.ts';
import { chooseNewPassword } from './passwords.ts';

/** Notifies an account's owner of a sign-in from a new browser or network; `at` is an instant. */
export function composeNewDeviceMessage({
  device,
  ipAddress,
  at,
  brand,
}: {
  device: string;
  ipAddress: string;
  at: string;
  brand: string;
}): Message {
  return {
    subject: `New sign-in to your ${brand} account`,
    body: [
      `Your ${brand} account was just used to sign in from a browser or network we haven't seen recently.`,
      {
        facts: [
          ['Browser', device],
          ['IP address', ipAddress],
          ['Time', `${formatDay(at, Date.now())}, ${formatTime(at)} (London time)`],
        ],
      },
      "If this was you, you don't need to do anything. If it wasn't, open your account page, change your password immediately and sign out every other browser.",
    ],
    action: openAccount,
  };
}

/** Notifies an account's owner that someone entered the right password but a wrong authenticator code. */
export function composeWrongCodeMessage({ brand }: { brand: string }): Message {
  return {
    subject: `Someone entered your ${brand} password and a wrong code`,
    body: [
      `Someone just entered the right password for your ${brand} account but the wrong code for the second step. They were not signed in.`,
      "If you mistyped the code, you don't need to do anything. If it wasn't you, someone knows your password: choose a new one now.",
    ],
    action: chooseNewPassword,
  };
}

/** Notifies an account's owner that an operator switched off two-step sign-in for the account. */
export function composeTwoStepResetMessage({ brand }: { brand: string }): Message {
  return {
    subject: `Two-step sign-in for your ${brand} account was reset`,
    body: [
      `The ${brand} team switched off two-step sign-in for your account and signed it out of every browser. You now need only your password to sign in. Your recovery codes no longer work.`,
      "If you asked for this, sign in and set up an authenticator app again. If you didn't, choose a new password now and contact us.",
    ],
    action: chooseNewPassword,
  };
}
