import type { Message } from '../message.ts';

// The emails to the new address contain no text that somebody typed: anybody can have one sent to anybody.

/** Asks the owner of an account whether it is to move to `newEmail`; `link` works for 24 hours. */
export function composeConfirmOldAddressMessage({
  newEmail,
  link,
  brand,
}: {
  newEmail: string;
  link: string;
  brand: string;
}): Message {
  return {
    subject: `Confirm the change of your email address on ${brand}`,
    text: `Someone, probably you, asked to change the email address of your ${brand} account to

${newEmail}

To confirm, open this link:

${link}

Your address changes once you've also opened the link we sent to the new address. The links work for
24 hours. If it wasn't you, don't open the link: nothing changes without it. Someone else may be signed in to your account, so choose a new password immediately.
`,
  };
}

/** Asks the owner of an address whether an account is to move to it; `link` works for 24 hours. */
export function composeConfirmNewAddressMessage({ link, brand }: { link: string; brand: string }): Message {
  return {
    subject: `Confirm your new email address for ${brand}`,
    text: `Someone, probably you, asked to use this email address for a ${brand} account.

To confirm that it is yours, open this link:

${link}

Your address changes once you've also opened the link we sent to the old address. The links work for
24 hours. If it wasn't you, please ignore this email: nobody can use your address without the link.
`,
  };
}

/** Notifies an account's owner that somebody asked to move another account to its address. */
export function composeAddressTakenMessage({ brand }: { brand: string }): Message {
  return {
    subject: `Your email address is already in use on ${brand}`,
    text: `Someone, probably you, asked to use this email address for another ${brand} account.

You already have an account with this address, and an address can only have one account. To use it for the
other one, delete this account or give it another address first.

If it wasn't you, you don't need to do anything: nothing has changed.
`,
  };
}

/** Tells both addresses of an account that it has moved, so that a stranger's change is noticed. */
export function composeEmailChangedMessage({
  newEmail,
  accountUrl,
  brand,
}: {
  newEmail: string;
  accountUrl: string;
  brand: string;
}): Message {
  return {
    subject: `Your email address on ${brand} was changed`,
    text: `The email address of your account at ${brand} is now

${newEmail}

Use it to sign in. Your password hasn't changed. Your account is here:

${accountUrl}

If this wasn't you, contact us immediately.
`,
  };
}
