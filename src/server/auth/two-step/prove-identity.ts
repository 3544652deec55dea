import { sql } from 'kysely';
import type { IdentityProof } from '#domain/auth/contract.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { AuthLimiter } from '../auth-limits.ts';
import { AuthRefusal } from '../gotrue/auth-refusal.ts';
import { isPasswordRight } from '../passwords/password-hash.ts';
import { takeTotpCode } from './factors.ts';

type Parts = { db: Database; config: Pick<Config, 'dataKeys'>; limiter: AuthLimiter };

export const refuseUnproved = () =>
  new AuthRefusal(
    400,
    'current_password_required',
    "Please enter your current password or your authenticator app's code.",
  );

const refuseCode = () =>
  new AuthRefusal(
    422,
    'reauthentication_not_valid',
    "That code doesn't match. Please enter the one your app shows now.",
  );

/**
 * Accepts the current password or an authenticator code as a fresh proof of identity for the session (valid for the
 * time that confirm-session.ts sets). Throws `current_password_invalid`, `reauthentication_not_valid`, and 429 after
 * too many wrong attempts.
 */
export async function proveIdentity(
  { db, config, limiter }: Parts,
  { userId, sessionId }: { userId: string; sessionId: string },
  { proofKind, proof }: IdentityProof,
): Promise<void> {
  if (proofKind === 'password') {
    await limiter.countPassword(sessionId, () => provePassword(db, { userId, sessionId, password: proof }));
  } else {
    await limiter.countCode(userId, sessionId, () =>
      proveCode({ db, config }, { userId, sessionId, code: proof }),
    );
  }
}

async function provePassword(
  db: Database,
  { userId, sessionId, password }: { userId: string; sessionId: string; password: string },
): Promise<void> {
  const user = await db
    .selectFrom('users')
    .select('passwordHash')
    .where('userId', '=', userId)
    .executeTakeFirst();
  if (!(await isPasswordRight(user?.passwordHash, password, userId))) {
    throw new AuthRefusal(400, 'current_password_invalid', 'This is not your current password.');
  }
  await db
    .updateTable('sessions')
    .set({ confirmedAt: sql<string>`now()`, method: 'password' })
    .where('sessionId', '=', sessionId)
    .where('endedAt', 'is', null)
    .execute();
}

async function proveCode(
  { db, config }: Pick<Parts, 'db' | 'config'>,
  { userId, sessionId, code }: { userId: string; sessionId: string; code: string },
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const factor = await tx
      .selectFrom('factors')
      .selectAll()
      .where('userId', '=', userId)
      .where('status', '=', 'verified')
      .forUpdate()
      .executeTakeFirst();
    if (!factor || !(await takeTotpCode(tx, config, factor, code))) throw refuseCode();
    await tx
      .updateTable('sessions')
      .set({ secondStepAt: sql<string>`now()` })
      .where('sessionId', '=', sessionId)
      .where('endedAt', 'is', null)
      .execute();
  });
}
