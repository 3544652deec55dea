import type { Message } from '#domain/message.ts';
import { openAccount } from './account.ts';

// Emails to an address that is not confirmed contain no text that a person typed, because anyone can request an email
// to any address.

const howLong = (other: 'new' | 'old') =>
  `Your address changes once you've also confirmed it through the link we sent to the ${other} address. The links expire after 24 hours.`;

/** Asks an account's owner to confirm the new address `newEmail` by opening `path`, which expires after 24 hours. */
export function composeConfirmOldAddressMessage({
  newEmail,
  path,
  brand,
}: {
  newEmail: string;
  path: string;
  brand: string;
}): Message {
  return {
    subject: `Confirm the change to your email address on ${brand}`,
    body: [
      `Someone, probably you, asked to change the email address of your ${brand} account.`,
      { facts: [['New address', newEmail]] },
    ],
    action: { label: 'Confirm the change', path },
    closing: [
      `${howLong('new')} If it wasn't you, don't open the link: nothing changes without it. Someone else may be signed in to your account, so choose a new password immediately.`,
    ],
  };
}

/** Asks an address's owner to confirm that an account may use it, by opening `path`, which expires after 24 hours. */
export function composeConfirmNewAddressMessage({ path, brand }: { path: string; brand: string }): Message {
  return {
    subject: `Confirm your new email address for ${brand}`,
    body: [
      `Someone, probably you, asked to use this email address for a ${brand} account. Please confirm that it's yours.`,
    ],
    action: { label: 'Confirm your email address', path },
    closing: [
      `${howLong('old')} If it wasn't you, please ignore this email: nobody can use your address without the link.`,
    ],
  };
}

/** Notifies an account's owner that someone asked to use the account's address for another account. */
export function composeAddressTakenMessage({ brand }: { brand: string }): Message {
  return {
    subject: `Your email address is already in use on ${brand}`,
    body: [
      `Someone, probably you, asked to use this email address for another ${brand} account.`,
      'You already have an account with this address, and each address can have only one account. To use the address for the other account, first delete this account or change its email address.',
      "If it wasn't you, you don't need to do anything: nothing has changed.",
    ],
  };
}

/**
 * Notifies both addresses of an account that its email address was changed, so that an unauthorised change is noticed.
 */
export function composeEmailChangedMessage({
  newEmail,
  brand,
}: {
  newEmail: string;
  brand: string;
}): Message {
  return {
    subject: `Your email address on ${brand} was changed`,
    body: [
      `The email address of your ${brand} account was changed.`,
      { facts: [['New address', newEmail]] },
      "Use the new address to sign in. Your password hasn't changed. If this wasn't you, contact us immediately.",
    ],
    action: openAccount,
  };
}
