import { z } from 'zod';
import { defaultBrand } from '#domain/default-brand.ts';

/** The address in a sender such as "Riverside Sports <no-reply@club.example>". */
export const addressOf = (sender: string): string => (/<([^<>]+)>\s*$/.exec(sender)?.[1] ?? sender).trim();

/**
 * The longest mailbox of `BOUNCE_ADDRESS`: a return path adds 47 characters to it, and RFC 5321, section 4.5.3.1.1,
 * allows 64 before the @.
 */
const bounceMailboxLength = 17;
/** The schema of `BOUNCE_ADDRESS`. */
export const bounceAddress = z
  .email('must be an address such as bounces@mail.club.example')
  .refine(
    (address) => address.indexOf('@') <= bounceMailboxLength,
    `must have at most ${bounceMailboxLength} characters before the @, because each email adds 47 characters`,
  );

const defaultSender = `${defaultBrand} <no-reply@localhost>`;
/** The schema of `MAIL_FROM`: an address, or a name and an address. */
export const sender = z
  .string()
  .transform((text) => text.trim() || defaultSender)
  .refine(
    (text) => /^[^\s@<>]+@[^\s@<>]+$/.test(addressOf(text)),
    'must contain an email address, such as Riverside Sports <no-reply@club.example>',
  )
  .default(defaultSender);
