import { sql } from 'kysely';
import { sendEmail } from '#server/notifications/notify.ts';
import { composeRecoveryMessage } from '#server/notifications/templates/passwords.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';
import { composeEmailLink } from '../email-link.ts';
import { AuthRefusal } from '../gotrue/auth-refusal.ts';
import { findUserByEmail } from '../queries.ts';
import {
  type Device,
  generateToken,
  hashToken,
  type OpenSession,
  openSession,
} from '../sessions/open-session.ts';
import { dummyHash } from './password-hash.ts';

/**
 * Emails the owner of an account a link for choosing a new password. The link can be used once and expires after an
 * hour. Does nothing for an address without an account. `redirectTo` is a validated URL.
 */
export async function emailRecovery(
  db: Database,
  { email, redirectTo }: { email: string; redirectTo: string },
): Promise<void> {
  const user = await findUserByEmail(db, email);
  if (!user) return;
  await db.transaction().execute(async (tx) => {
    const token = generateToken();
    await tx
      .insertInto('oneTimeTokens')
      .values({
        tokenHash: hashToken(token),
        userId: user.userId,
        purpose: 'recovery',
        expiresAt: sql<string>`now() + interval '1 hour'`,
      })
      .execute();
    const path = composeEmailLink({ type: 'recovery', token, redirectTo });
    await sendEmail(tx, user.email, composeRecoveryMessage({ path, brand: await readBrand(tx) }));
  });
}

/**
 * Opens a session with the link from a recovery email; the password can be changed in this session. The link proves
 * that the person owns the address, so an unconfirmed address becomes confirmed. The password of an unconfirmed account
 * stops working, because a stranger may have set it. Throws `otp_expired` for an unknown, used or expired link.
 */
export async function openRecovery(db: Database, token: string, device: Device): Promise<OpenSession> {
  return db.transaction().execute(async (tx) => {
    const link = await tx
      .updateTable('oneTimeTokens')
      .set({ usedAt: sql<string>`now()` })
      .where('tokenHash', '=', hashToken(token))
      .where('purpose', '=', 'recovery')
      .where('usedAt', 'is', null)
      .where('expiresAt', '>', sql<string>`now()`)
      .returning('userId')
      .executeTakeFirst();
    if (!link) {
      throw new AuthRefusal(
        403,
        'otp_expired',
        'This link has expired or has already been used. Please ask for a new one.',
      );
    }
    const user = await tx
      .updateTable('users')
      .set({
        lastSignInAt: sql<string>`now()`,
        emailConfirmedAt: sql<string>`coalesce(email_confirmed_at, now())`,
        passwordHash: sql<string>`case when email_confirmed_at is null then ${dummyHash} else password_hash end`,
      })
      .where('userId', '=', link.userId)
      .returningAll()
      .executeTakeFirstOrThrow();
    return openSession(tx, user, device, 'recovery');
  });
}
