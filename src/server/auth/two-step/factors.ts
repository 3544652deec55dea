import type { Selectable } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import { sendEmail } from '#server/notifications/notify.ts';
import { composeTwoStepMessage } from '#server/notifications/templates/account.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import type { Factors } from '#server/platform/db/db-types.ts';
import type { EncryptedTable } from '#server/platform/db/re-encrypt.ts';
import { decryptText, encryptText } from '#server/platform/encryption.ts';
import { readBrand } from '#server/settings/queries.ts';
import { AuthRefusal } from '../gotrue/auth-refusal.ts';
import type { User } from '../queries.ts';

type Parts = { db: Database; config: Pick<Config, 'dataKeys'> };

// The parameters that every authenticator app supports (RFC 6238): SHA-1, 6 digits, 30 seconds.
const algorithm = { algorithm: 'SHA1', digits: 6, period: 30 };

const contextOf = (userId: string) => `authenticator app of ${userId}`;

/** The secrets of authenticator apps, which `DATA_KEY` encrypts. */
export const encryptedFactors: EncryptedTable = {
  table: 'factors',
  key: ['factor_id'],
  contexts: { encrypted_secret: ({ userId }) => contextOf(userId!) },
};

export const refuseFactor = () =>
  new AuthRefusal(404, 'mfa_factor_not_found', 'This authenticator app is no longer set up.');

/** Whether signing in to this account requires a code. */
export async function hasVerifiedFactor(db: Database | Tx, userId: string): Promise<boolean> {
  const factor = await db
    .selectFrom('factors')
    .select('factorId')
    .where('userId', '=', userId)
    .where('status', '=', 'verified')
    .executeTakeFirst();
  return factor !== undefined;
}

/**
 * Generates a secret for an authenticator app; the app takes effect when its first code is verified. An earlier
 * unfinished attempt is discarded. Throws `too_many_enrolled_mfa_factors` if the account already has an app.
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
      'Two-step sign-in is already on. Switch it off first to set up another app.',
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
        encryptedSecret: encryptText(config.dataKeys, secret.base32, contextOf(userId)),
      })
      .returning('factorId')
      .executeTakeFirstOrThrow();
  });
  const uri = totp.toString();
  return { factorId, qr_code: renderSVG(uri), secret: secret.base32, uri };
}

/**
 * Starts a challenge for a session; `expiresAt` is in seconds since 1970. Throws `mfa_factor_not_found` if the person
 * has no such app.
 */
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
 * Checks an authenticator code; returns whether it is correct. A correct code is used up, so that no code works twice.
 * The caller must have locked the app's row.
 */
export async function takeTotpCode(
  tx: Tx,
  config: Pick<Config, 'dataKeys'>,
  factor: Pick<Selectable<Factors>, 'factorId' | 'userId' | 'encryptedSecret' | 'lastStep'>,
  code: string,
): Promise<boolean> {
  const secret = decryptText(config.dataKeys, factor.encryptedSecret, contextOf(factor.userId));
  const totp = new TOTP({ ...algorithm, secret });
  const timestamp = Date.now();
  // Allows one 30-second step before and after, because clocks differ and typing a code takes time.
  const delta = totp.validate({ token: code, timestamp, window: 1 });
  const step = delta === null ? 0 : totp.counter({ timestamp }) + delta;
  if (step <= factor.lastStep) return false;
  await tx.updateTable('factors').set({ lastStep: step }).where('factorId', '=', factor.factorId).execute();
  return true;
}

/**
 * Deletes an authenticator app. If the app was verified, this switches two-step sign-in off: the recovery codes are
 * deleted and the owner is emailed. Throws `mfa_factor_not_found` if the person has no such app.
 */
export async function removeFactor(
  db: Database,
  { user, factorId }: { user: User; factorId: string },
): Promise<void> {
  const { userId } = user;
  await db.transaction().execute(async (tx) => {
    const gone = await tx
      .deleteFrom('factors')
      .where('factorId', '=', factorId)
      .where('userId', '=', userId)
      .returning('status')
      .executeTakeFirst();
    if (!gone) throw refuseFactor();
    if (gone.status === 'unverified') return;
    await recordAudit(tx, { userId }, { action: 'two_step.off', subjectType: 'profile', subjectId: userId });
    await tx.deleteFrom('recoveryCodes').where('userId', '=', userId).execute();
    const brand = await readBrand(tx);
    await sendEmail(tx, user.email, composeTwoStepMessage({ isOn: false, brand }));
  });
}
