import type { Message } from '#domain/message.ts';

// These emails contain no text that a visitor typed, such as a name, because anyone can request an email to any
// address.

/** Asks the owner of an address to confirm it by opening `link`, which expires after 24 hours. */
export function composeVerificationMessage({ link, brand }: { link: string; brand: string }): Message {
  return {
    subject: `Confirm your email address for ${brand}`,
    text: `Welcome to ${brand}.

To confirm your email address, open this page and press the button:

${link}

The link can be used once and expires after 24 hours. If you didn't sign up to ${brand}, please ignore this email: nobody can use your address without the link.
`,
  };
}

/** Notifies someone who signed up again that they already have an account. */
export function composeAlreadyRegisteredMessage({
  signInUrl,
  brand,
}: {
  signInUrl: string;
  brand: string;
}): Message {
  return {
    subject: `You already have a ${brand} account`,
    text: `Someone, probably you, just signed up to ${brand} with this email address.

You already have an account with this address. Sign in here:

${signInUrl}

If it wasn't you, you don't need to do anything: your account and password haven't changed.
`,
  };
}
