import type { Config } from '#server/platform/config.ts';
import { addressOf } from '#server/platform/email-settings.ts';

/**
 * The organizer of every event: the sender of our emails, as RFC 6047 (2.3) requires of invitations. Replies to an
 * invitation therefore reach the club's mailbox, never the coach's, and change nothing.
 */
export const organizerOf = ({ email }: Pick<Config, 'email'>, brand: string) => ({
  name: brand,
  email: addressOf(email.from),
});
