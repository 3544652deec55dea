import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db.ts';
import { openText, sealText } from '#server/platform/encryption.ts';
import { AuthRefusal } from './auth-refusal.ts';
import { generateToken, hashToken, type OpenSession } from './open-session.ts';
import { findSessionUser, readBrand } from './queries.ts';

type Parts = { db: Database; config: Pick<Config, 'dataKey'> };

// What every authenticator app understands (RFC 6238): SHA-1, 6 digits, 30 seconds.
const algorithm = { algorithm: 'SHA1', digits: 6, period: 30 };

const contextOf = (userId: string) => `authenticator app of ${userId}`;

export const refuseFactor = () =>
  new AuthRefusal(404, 'mfa_factor_not_found', 'This authenticator app is not set up here any more.');

/** Whether signing in to this account takes a code. */
export async function hasVerifiedFactor(db: Database, userId: string): Promise<boolean> {
  const factor = await db
    .selectFrom('factors')
    .select('factorId')
    .where('userId', '=', userId)
    .where('status', '=', 'verified')
    .executeTakeFirst();
  return factor !== undefined;
}

/**
 * Draws a secret for an authenticator app; it counts once a first code of it was verified. An earlier try that
 * was not finished is forgotten. Throws `too_many_enrolled_mfa_factors` where the account has an app already.
 */
export async function enrolFactor(
  { db, config }: Parts,
  {
    userId,
    email,
    friendlyName,
  }: { userId: string; email: string; friendlyName?: string | null | undefined },
): Promise<{ factorId: string; qr_code: string; secret: string; uri: string }> {
  if (await hasVerifiedFactor(db, userId)) {
    throw new AuthRefusal(
      403,
      'too_many_enrolled_mfa_factors',
      'Two-step sign-in is on already. Switch it off first to set up another app.',
    );
  }
  const secret = new Secret({ size: 20 });
  const totp = new TOTP({ ...algorithm, issuer: await readBrand(db), label: email, secret });
  const { factorId } = await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('factors').where('userId', '=', userId).where('status', '=', 'unverified').execute();
    return tx
      .insertInto('factors')
      .values({
        userId,
        friendlyName: friendlyName ?? null,
        sealedSecret: sealText(config.dataKey, secret.base32, contextOf(userId)),
      })
      .returning('factorId')
      .executeTakeFirstOrThrow();
  });
  const uri = totp.toString();
  return { factorId, qr_code: renderSVG(uri), secret: secret.base32, uri };
}

/** Asks a session for a code; `expiresAt` in seconds since 1970. */
export async function challengeFactor(
  db: Database,
  { userId, sessionId, factorId }: { userId: string; sessionId: string; factorId: string },
): Promise<{ challengeId: string; expiresAt: number }> {
  const factor = await db
    .selectFrom('factors')
    .select('factorId')
    .where('factorId', '=', factorId)
    .where('userId', '=', userId)
    .executeTakeFirst();
  if (!factor) throw refuseFactor();
  const challenge = await db
    .insertInto('factorChallenges')
    .values({ factorId, sessionId })
    .returning(['challengeId', 'expiresAt'])
    .executeTakeFirstOrThrow();
  return {
    challengeId: challenge.challengeId,
    expiresAt: Math.floor(Date.parse(challenge.expiresAt) / 1000),
  };
}

/**
 * Confirms the session with a code of the app and gives it a new refresh token. The first code of an app
 * switches two-step sign-in on, which ends the account's other sessions. A code works once. Throws
 * `mfa_challenge_expired` and `mfa_verification_failed`.
 */
export async function verifyFactor(
  { db, config }: Parts,
  given: { userId: string; sessionId: string; factorId: string; challengeId: string; code: string },
): Promise<OpenSession> {
  const { userId, sessionId, factorId, challengeId, code } = given;
  return db.transaction().execute(async (tx) => {
    const now = sql<string>`now()`;
    const factor = await tx
      .selectFrom('factors')
      .selectAll()
      .where('factorId', '=', factorId)
      .where('userId', '=', userId)
      .forUpdate()
      .executeTakeFirst();
    if (!factor) throw refuseFactor();
    const challenge = await tx
      .deleteFrom('factorChallenges')
      .where('challengeId', '=', challengeId)
      .where('factorId', '=', factorId)
      .where('sessionId', '=', sessionId)
      .where('expiresAt', '>', now)
      .returning('challengeId')
      .executeTakeFirst();
    if (!challenge) {
      throw new AuthRefusal(422, 'mfa_challenge_expired', 'This took too long. Please enter the code again.');
    }
    const secret = openText(config.dataKey, factor.sealedSecret, contextOf(userId));
    const totp = new TOTP({ ...algorithm, secret });
    const timestamp = Date.now();
    // One step to either side: clocks differ, and a code is typed for a while.
    const delta = totp.validate({ token: code, timestamp, window: 1 });
    const step = delta === null ? 0 : totp.counter({ timestamp }) + delta;
    if (step <= factor.lastStep) {
      throw new AuthRefusal(
        422,
        'mfa_verification_failed',
        "That code doesn't match. Please enter the one your app shows now.",
      );
    }
    await tx
      .updateTable('factors')
      .set({ status: 'verified', lastStep: step, updatedAt: now })
      .where('factorId', '=', factorId)
      .execute();
    if (factor.status === 'unverified') {
      await tx
        .updateTable('sessions')
        .set({ endedAt: now })
        .where('userId', '=', userId)
        .where('sessionId', '<>', sessionId)
        .where('endedAt', 'is', null)
        .execute();
    }
    await tx
      .updateTable('sessions')
      .set({ secondStepAt: now })
      .where('sessionId', '=', sessionId)
      .where('endedAt', 'is', null)
      .execute();
    const user = await findSessionUser(tx, sessionId);
    if (!user) throw refuseFactor();
    const refreshToken = generateToken();
    await tx
      .updateTable('refreshTokens')
      .set({ usedAt: now })
      .where('sessionId', '=', sessionId)
      .where('usedAt', 'is', null)
      .execute();
    await tx
      .insertInto('refreshTokens')
      .values({ tokenHash: hashToken(refreshToken), sessionId })
      .execute();
    const { signedInAt, method, secondStepAt } = user;
    return { user, sessionId, signedInAt, method, secondStepAt, refreshToken };
  });
}

/** Forgets an app: signing in takes the password alone again. */
export async function removeFactor(
  db: Database,
  { userId, factorId }: { userId: string; factorId: string },
): Promise<void> {
  const gone = await db
    .deleteFrom('factors')
    .where('factorId', '=', factorId)
    .where('userId', '=', userId)
    .returning('factorId')
    .executeTakeFirst();
  if (!gone) throw refuseFactor();
}
