import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { sendEmail } from '#server/notifications/notify.ts';
import {
  composeAlreadyRegisteredMessage,
  composeVerificationMessage,
} from '#server/notifications/templates/verification.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { keyOfAddress } from '#server/platform/http/rate-limit.ts';
import { readBrand } from '#server/settings/queries.ts';
import { composeEmailLink } from '../email-link.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import { findUserByEmail, type User } from '../queries.ts';
import { appMetadata, describeUserMetadata } from '../sessions/access-token.ts';
import { generateToken, hashToken } from '../sessions/open-session.ts';

/**
 * Registers an email address and emails its owner a link. The owner of an existing account is emailed a notice instead,
 * and the account stays unchanged; the caller cannot tell the difference. An unconfirmed address can be used to sign up
 * again, but then none of the passwords given is kept (see verify-sign-up.ts). `redirectTo` is a validated URL.
 */
export async function signUp(
  db: Database,
  given: { email: string; password: string; fullName: string | null; redirectTo: string; ipAddress: string },
): Promise<void> {
  const { email, fullName, redirectTo } = given;
  const passwordHash = await hashPassword(given.password, keyOfAddress('', given.ipAddress));
  await db.transaction().execute(async (tx) => {
    const user = await tx
      .insertInto('users')
      .values({ email, passwordHash, fullName })
      .onConflict((conflict) =>
        conflict
          .column('email')
          .doUpdateSet({ passwordHash, fullName, updatedAt: sql<string>`now()` })
          .where('users.emailConfirmedAt', 'is', null),
      )
      .returningAll()
      .executeTakeFirst();
    if (user) return emailVerification(tx, user, redirectTo);
    await sendEmail(tx, email, composeAlreadyRegisteredMessage({ brand: await readBrand(tx) }));
  });
}

/** Sends the sign-up link again if the address is unconfirmed; does nothing for any other address. */
export async function resendVerification(
  db: Database,
  { email, redirectTo }: { email: string; redirectTo: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const user = await findUserByEmail(tx, email);
    if (user && !user.emailConfirmedAt) await emailVerification(tx, user, redirectTo);
  });
}

async function emailVerification(tx: Tx, user: User, redirectTo: string): Promise<void> {
  const token = generateToken();
  await tx
    .insertInto('oneTimeTokens')
    .values({
      tokenHash: hashToken(token),
      userId: user.userId,
      purpose: 'signup',
      passwordHash: user.passwordHash,
      fullName: user.fullName,
      expiresAt: sql<string>`now() + interval '24 hours'`,
    })
    .execute();
  const path = composeEmailLink({ type: 'signup', token, redirectTo });
  await sendEmail(tx, user.email, composeVerificationMessage({ path, brand: await readBrand(tx) }));
}

/**
 * The user in the response to a sign-up. The response must not reveal whether the address is new, unconfirmed or taken,
 * so the user always has a random id and no identities.
 */
export function describeApplicant(email: string, fullName: string | null) {
  const now = new Date().toISOString();
  return {
    id: randomUUID(),
    aud: 'authenticated',
    role: 'authenticated',
    email,
    phone: '',
    confirmation_sent_at: now,
    app_metadata: appMetadata,
    user_metadata: describeUserMetadata(fullName),
    identities: [],
    created_at: now,
    updated_at: now,
    is_anonymous: false,
  };
}
