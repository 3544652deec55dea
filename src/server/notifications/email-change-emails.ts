import type { Email } from '#server/platform/email.ts';

// The mails to the new address hold no text that somebody typed: anybody can have one sent to anybody.

/** Asks the owner of an account whether it is to move to `newEmail`; `link` works for 24 hours. */
export function composeConfirmOldAddressEmail({
  to,
  newEmail,
  link,
  brand,
}: {
  to: string;
  newEmail: string;
  link: string;
  brand: string;
}): Email {
  return {
    to,
    subject: `Confirm the change of your email address at ${brand}`,
    text: `Somebody, probably you, asked to change the email address of your account at ${brand} to

${newEmail}

To allow it, open this link:

${link}

The address changes once the link in the mail to the new address was opened, too. The links work for
24 hours. If it was not you, do not open the link: nothing changes without it. Then somebody else is
signed in to your account, so choose a new password at once.
`,
  };
}

/** Asks the owner of an address whether an account is to move to it; `link` works for 24 hours. */
export function composeConfirmNewAddressEmail({
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
    subject: `Confirm your new email address for ${brand}`,
    text: `Somebody, probably you, asked to use this email address for an account at ${brand}.

To confirm that it is yours, open this link:

${link}

The address changes once the link in the mail to the old address was opened, too. The links work for
24 hours. If it was not you, please ignore this mail: without the link nobody can use your address.
`,
  };
}

/** Tells the owner of an account that somebody asked to move another account to its address. */
export function composeAddressTakenEmail({ to, brand }: { to: string; brand: string }): Email {
  return {
    to,
    subject: `Your email address is in use at ${brand} already`,
    text: `Somebody, probably you, asked to use this email address for another account at ${brand}.

You have an account with this address already, and an address can have one account only. To use it for the
other one, delete this account or give it another address first.

If it was not you, there is nothing to do: nothing has changed.
`,
  };
}

/** Tells both addresses of an account that it has moved, so that a stranger's change is noticed. */
export function composeEmailChangedEmail({
  to,
  newEmail,
  accountUrl,
  brand,
}: {
  to: string;
  newEmail: string;
  accountUrl: string;
  brand: string;
}): Email {
  return {
    to,
    subject: `Your email address at ${brand} was changed`,
    text: `The email address of your account at ${brand} is now

${newEmail}

Sign in with it from now on; your password stays the same. Your account is here:

${accountUrl}

If this was not you, tell us at once.
`,
  };
}
