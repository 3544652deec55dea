import type { Hono } from 'hono';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { Variables } from '#server/platform/http/http.ts';
import { keyOfAddress } from '#server/platform/http/rate-limit.ts';
import type { AuthLimiter } from '../auth-limits.ts';
import type { OpenSession } from '../sessions/open-session.ts';
import { findSignIn } from '../sign-in/familiar-address.ts';
import { noteWrongCode } from '../sign-in/sign-in-notices.ts';
import {
  challengeFactor,
  enrolFactor,
  hasVerifiedFactor,
  refuseFactor,
  removeFactor,
} from '../two-step/factors.ts';
import { verifyFactor } from '../two-step/verify-factor.ts';
import type { AuthCallers } from './auth-callers.ts';
import { refuseOtherFactors } from './auth-disabled.ts';
import { AuthRefusal } from './auth-refusal.ts';
import { type AuthContext, authRequests, readBody } from './auth-requests.ts';

/** Serves the `mfa` calls of auth-js, for authenticator apps and their codes. Recovery codes are accepted as well. */
export function serveFactors(
  app: Hono<{ Variables: Variables }>,
  parts: { db: Database; config: Pick<Config, 'dataKeys' | 'publicUrl'> },
  {
    callers: { authenticate, authenticateConfirmed },
    limiter,
    answerSession,
  }: {
    callers: AuthCallers;
    limiter: AuthLimiter;
    answerSession: (c: AuthContext, session: OpenSession) => Promise<Response>;
  },
): void {
  app.post('/factors', async (c) => {
    const { userId, user } = await authenticateConfirmed(c);
    const { friendly_name: friendlyName } = await readBody(c, authRequests.enroll, refuseOtherFactors);
    const { factorId, ...totp } = await enrolFactor(parts, { userId, email: user.email, friendlyName });
    return c.json({ id: factorId, type: 'totp', friendly_name: friendlyName ?? undefined, totp });
  });

  app.post('/factors/:factorId/challenge', async (c) => {
    const { userId, sessionId } = await authenticate(c);
    const challenge = await challengeFactor(parts.db, { userId, sessionId, factorId: readFactorId(c) });
    return c.json({ id: challenge.challengeId, type: 'totp', expires_at: challenge.expiresAt });
  });

  app.post('/factors/:factorId/verify', async (c) => {
    const { user, userId, sessionId } = await authenticate(c);
    const { code, challenge_id: challengeId } = await readBody(c, authRequests.code);
    const given = { userId, sessionId, factorId: readFactorId(c), challengeId, code };
    const ipAddress = c.get('ipAddress');
    const { isFamiliar } = await findSignIn(parts.db, user.email, ipAddress);
    const accountAddress = isFamiliar ? keyOfAddress('', ipAddress) : '';
    const verify = () =>
      verifyFactor(parts, given).catch(async (error) => {
        const isWrong = error instanceof AuthRefusal && error.code === 'mfa_verification_failed';
        // No notice is needed during setup or in a session with a verified code, because only the owner gets that far.
        const isSignIn = !user.secondStepAt && (await hasVerifiedFactor(parts.db, userId));
        if (isWrong && isSignIn) await noteWrongCode(parts.db, user);
        throw error;
      });
    return answerSession(c, await limiter.countCode(userId, accountAddress, verify));
  });

  app.delete('/factors/:factorId', async (c) => {
    const { user } = await authenticateConfirmed(c);
    const factorId = readFactorId(c);
    await removeFactor(parts.db, { user, factorId });
    return c.json({ id: factorId });
  });
}

function readFactorId(c: AuthContext): string {
  const given = authRequests.factorId.safeParse(c.req.param('factorId'));
  if (!given.success) throw refuseFactor();
  return given.data;
}
