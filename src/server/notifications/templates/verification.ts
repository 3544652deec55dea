import type { Message } from '#domain/message.ts';

// These emails contain no text that a visitor typed, such as a name, because anyone can request an email to any
// address.

/** Asks the owner of an address to confirm it by opening `path`, which expires after 24 hours. */
export function composeVerificationMessage({ path, brand }: { path: string; brand: string }): Message {
  return {
    subject: `Confirm your email address for ${brand}`,
    body: [`Welcome to ${brand}. Please confirm that this email address is yours.`],
    action: { label: 'Confirm your email address', path },
    closing: [
      `The link can be used once and expires after 24 hours. If you didn't sign up to ${brand}, please ignore this email: nobody can use your address without the link.`,
    ],
  };
}

/** Notifies someone who signed up again that they already have an account. */
export function composeAlreadyRegisteredMessage({ brand }: { brand: string }): Message {
  return {
    subject: `You already have a ${brand} account`,
    body: [
      `Someone, probably you, just signed up to ${brand} with this email address. You already have an account with this address.`,
    ],
    action: { label: 'Sign in', path: '/login' },
    closing: ["If it wasn't you, you don't need to do anything: your account and password haven't changed."],
  };
}
