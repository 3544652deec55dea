import type { Email } from '#server/platform/email.ts';
import type { ResetNotice } from './password-emails.ts';

type Notice = { to: string; accountUrl: string; brand: string };

/** Tells the owner of an account that signing in takes a code from now on, or no longer does. */
export function composeTwoStepEmail({ to, isOn, accountUrl, brand }: Notice & { isOn: boolean }): Email {
  return {
    to,
    subject: `Two-step sign-in at ${brand} was switched ${isOn ? 'on' : 'off'}`,
    text: `Two-step sign-in was just switched ${isOn ? 'on' : 'off'} for your account at ${brand}.

${
  isOn
    ? 'Signing in now takes your password and a code from your authenticator app. Every other browser was\nsigned out.'
    : 'Your password alone signs you in now. Your recovery codes no longer work.'
}

If this was you, there is nothing to do. If it was not, change your password at once:

${accountUrl}
`,
  };
}

/** Tells the owner of an account that recovery codes were made; the codes themselves are never mailed. */
export function composeRecoveryCodesEmail({
  to,
  isFirst,
  accountUrl,
  brand,
}: Notice & { isFirst: boolean }): Email {
  return {
    to,
    subject: `${isFirst ? 'Recovery codes' : 'New recovery codes'} for ${brand}`,
    text: `Ten recovery codes were just made for your account at ${brand}. Each signs you in once, in place of your
authenticator app.${isFirst ? '' : ' The ones you had before no longer work.'}

If this was you, keep them somewhere safe. If it was not, change your password at once:

${accountUrl}
`,
  };
}

/** Tells the owner of an account that a recovery code was used up, and how many are left. */
export function composeRecoveryCodeUsedEmail({
  to,
  left,
  accountUrl,
  brand,
}: Notice & { left: number }): Email {
  const rest = left === 1 ? 'One recovery code is left.' : `${left || 'No'} recovery codes are left.`;
  return {
    to,
    subject: `A recovery code was used at ${brand}`,
    text: `Somebody, probably you, just signed in to your account at ${brand} with your password and a recovery code.

${rest} You can make new ones, and set up another authenticator app, here:

${accountUrl}

If it was not you, change your password there at once and sign out every other browser.
`,
  };
}

/** Tells the owner of an account that an admin ended all of its sessions. */
export function composeSignedOutEmail({ to, resetUrl, brand }: ResetNotice): Email {
  return {
    to,
    subject: `You were signed out everywhere at ${brand}`,
    text: `An admin of ${brand} signed your account out of every browser. Your password is unchanged, and you can
sign in again at any time.

If somebody else may have used your account, choose a new password first:

${resetUrl}
`,
  };
}

/** Says goodbye to who deleted an account. */
export function composeAccountDeletedEmail({ to, brand }: { to: string; brand: string }): Email {
  return {
    to,
    subject: `Your account at ${brand} was deleted`,
    text: `Your account at ${brand} was deleted, as you asked.

Your name, address and saved card are gone. What our books need, such as lessons that were paid for, stays
there without your name. You are welcome to sign up with this address again.
`,
  };
}
