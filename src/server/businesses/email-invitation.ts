import { sql } from 'kysely';
import { invitationDays } from '#domain/businesses/rules.ts';
import { AppError } from '#domain/errors.ts';
import { formatDay } from '#domain/time.ts';
import { generateToken, hashToken } from '#server/auth/sessions/open-session.ts';
import { sendEmail } from '#server/notifications/notify.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { consume, keyOf, type RateLimit } from '#server/platform/http/rate-limit.ts';
import { readBrand } from '#server/settings/queries.ts';
import { composeInvitationMessage } from '../notifications/team-templates/invitation.ts';

/** Limits on the invitation emails that one owner may send, and that one address may get from all businesses. */
const invitationLimits = {
  perOwner: { calls: 30, seconds: 60 * 60 },
  perAddress: { calls: 5, seconds: 24 * 60 * 60 },
} satisfies Record<string, RateLimit>;

/** A new token for an invitation link, with the invitation columns that store its hash and expiry. */
export function issueLink() {
  const token = generateToken();
  const expiresAt = sql<string>`now() + make_interval(days => ${invitationDays})`;
  return { token, columns: { tokenHash: hashToken(token), expiresAt } };
}

/** Counts one invitation email. Throws `too_many_requests` if the owner or the address has reached its limit. */
export async function countInvitation(tx: Tx, ownerId: string, email: string): Promise<void> {
  const waits = [
    await consume(tx, `invitation:${ownerId}`, invitationLimits.perOwner),
    await consume(tx, keyOf('invitation-email', email), invitationLimits.perAddress),
  ];
  const retryAfterSeconds = Math.max(...waits.map((wait) => wait ?? 0));
  if (retryAfterSeconds === 0) return;
  const message = waits[1]
    ? "We've already sent several invitations to this address. Please try again tomorrow."
    : "You've sent too many invitations. Please try again in an hour.";
  throw new AppError('too_many_requests', message, {
    fields: { email: message },
    details: { retryAfterSeconds },
  });
}

/** Queues the email with the link; it is sent if the transaction commits. */
export async function emailInvitation(
  tx: Tx,
  invitation: { email: string; expiresAt: string; token: string; businessName: string; invitedBy: string },
): Promise<void> {
  const { email, expiresAt, token, businessName, invitedBy } = invitation;
  const path = `/team-invitation?${new URLSearchParams({ token })}`;
  const expires = formatDay(expiresAt, Date.now());
  const brand = await readBrand(tx);
  await sendEmail(tx, email, composeInvitationMessage({ businessName, invitedBy, path, expires, brand }));
}
