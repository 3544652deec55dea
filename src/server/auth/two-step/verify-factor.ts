import { sql } from 'kysely';
import { sendEmail } from '#server/notifications/notify.ts';
import { composeTwoStepMessage } from '#server/notifications/templates/account.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';
import { AuthRefusal } from '../gotrue/auth-refusal.ts';
import { findSessionUser } from '../queries.ts';
import { generateToken, hashToken, type OpenSession } from '../sessions/open-session.ts';
import { signOut } from '../sessions/sign-out.ts';
import { noteSignIn } from '../sign-in/sign-in-notices.ts';
import { refuseFactor, takeTotpCode } from './factors.ts';
import { spendRecoveryCode } from './recovery-codes.ts';

/**
 * Confirms the session with the app's code or a recovery code, and issues a new refresh token. An app's first code
 * switches two-step sign-in on: the account's other sessions end and the person is emailed. A code can be used once.
 * Throws `mfa_factor_not_found`, `mfa_challenge_expired` and `mfa_verification_failed`.
 */
export async function verifyFactor(
  { db, config }: { db: Database; config: Pick<Config, 'dataKeys'> },
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
    const isFirst = factor.status === 'unverified';
    const isTotp = /^\d{6}$/.test(code);
    const isRight = isTotp
      ? await takeTotpCode(tx, config, factor, code)
      : !isFirst && (await spendRecoveryCode(tx, { userId, code }));
    if (!isRight) {
      const message = isTotp
        ? "That code doesn't match. Please enter the one your app shows now."
        : "This isn't one of your recovery codes, or you've already used it. Please enter another one.";
      throw new AuthRefusal(422, 'mfa_verification_failed', message);
    }
    if (isFirst) {
      await tx
        .updateTable('factors')
        .set({ status: 'verified', updatedAt: now })
        .where('factorId', '=', factorId)
        .execute();
      await signOut(tx, { userId, sessionId }, 'others');
      await recordAudit(tx, { userId }, { action: 'two_step.on', subjectType: 'profile', subjectId: userId });
    }
    const isRepeated = Boolean((await findSessionUser(tx, sessionId))?.secondStepAt);
    await tx
      .updateTable('sessions')
      .set({ secondStepAt: now })
      .where('sessionId', '=', sessionId)
      .where('endedAt', 'is', null)
      .execute();
    const user = await findSessionUser(tx, sessionId);
    if (!user) throw refuseFactor();
    if (isFirst) {
      const brand = await readBrand(tx);
      await sendEmail(tx, user.email, composeTwoStepMessage({ isOn: true, brand }));
    }
    if (!isFirst && !isRepeated) await noteSignIn(tx, user, sessionId);
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
