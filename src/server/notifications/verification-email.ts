import type { Email } from '#server/platform/email.ts';

// No text that a visitor typed, such as a name, stands in these mails: anybody can have one sent to anybody.

/** Asks the owner of an address to confirm it by opening `link`, which works for 24 hours. */
export function composeVerificationEmail({
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
    subject: `Confirm your email address for ${brand}`,
    text: `Welcome to ${brand}.

To confirm that this is your email address, open this page and press its button:

${link}

The link works once and for 24 hours. If you did not sign up to ${brand}, please ignore this mail:
without the link nobody can use your address.
`,
  };
}

/** Tells the owner of an address who signed up again that the account is there already. */
export function composeAlreadyRegisteredEmail({
  to,
  signInUrl,
  brand,
}: {
  to: string;
  signInUrl: string;
  brand: string;
}): Email {
  return {
    to,
    subject: `You already have an account at ${brand}`,
    text: `Somebody, probably you, just signed up to ${brand} with this email address.

You already have an account with it. Sign in here:

${signInUrl}

If it was not you, there is nothing to do: your account and your password are unchanged.
`,
  };
}
