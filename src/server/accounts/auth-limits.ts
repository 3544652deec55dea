import type { Database } from '#server/platform/db.ts';
import {
  forgetPoints,
  keyOf,
  keyOfAddress,
  type RateLimit,
  returnPoint,
  takePoint,
} from '#server/platform/rate-limit.ts';
import { type AuthErrorCode, AuthRefusal } from './auth-refusal.ts';

/** How often something may be tried; counts are kept in PostgreSQL, so they hold across processes. */
export const authLimits = {
  failedSignInsPerAccount: { points: 10, seconds: 15 * 60 },
  failedSignInsPerAddress: { points: 100, seconds: 15 * 60 },
  signUpsPerAddress: { points: 60, seconds: 60 * 60 },
  mailsPerAccount: { points: 6, seconds: 60 * 60 },
  resendsPerAddress: { points: 60, seconds: 60 * 60 },
  recoveriesPerAddress: { points: 60, seconds: 60 * 60 },
  refreshesPerSession: { points: 150, seconds: 5 * 60 },
  codesPerAccount: { points: 6, seconds: 15 * 60 },
  wrongTokensPerAddress: { points: 150, seconds: 5 * 60 },
} satisfies Record<string, RateLimit>;

export type AuthLimits = Record<keyof typeof authLimits, RateLimit>;

/** The counters of `/auth/v1`. Each throws {@link AuthRefusal} (429) once its limit is passed. */
export function createAuthLimiter(db: Database, limits: AuthLimits) {
  async function take(
    limit: keyof AuthLimits,
    key: string,
    message: string,
    code: AuthErrorCode = 'over_request_rate_limit',
  ): Promise<void> {
    const retryAfterSeconds = await takePoint(db, key, limits[limit]);
    if (retryAfterSeconds === null) return;
    const wait = `Please try again in ${describeWait(retryAfterSeconds)}.`;
    throw new AuthRefusal(429, code, `${message} ${wait}`, { retryAfterSeconds });
  }

  return {
    /** Runs one try to sign in; only tries that fail are counted. */
    countSignIn: async <T>(email: string, ipAddress: string, attempt: () => Promise<T>): Promise<T> => {
      const account = keyOf('sign-in', email);
      const address = keyOfAddress('sign-in-address', ipAddress);
      const message = 'Too many failed attempts to sign in.';
      await take('failedSignInsPerAddress', address, message);
      await take('failedSignInsPerAccount', account, message);
      const settle = () => Promise.all([forgetPoints(db, account), returnPoint(db, address)]);
      try {
        const session = await attempt();
        await settle();
        return session;
      } catch (error) {
        // The password was right, so this was no guess.
        if (error instanceof AuthRefusal && error.code === 'email_not_confirmed') await settle();
        throw error;
      }
    },
    countSignUp: async (email: string, ipAddress: string): Promise<void> => {
      await take('signUpsPerAddress', keyOfAddress('sign-up', ipAddress), 'Too many sign-ups.');
      await countMail(email);
    },
    countResend: async (email: string, ipAddress: string): Promise<void> => {
      await take('resendsPerAddress', keyOfAddress('resend', ipAddress), 'Too many mails.');
      await countMail(email);
    },
    /** Runs one try of an authenticator app's code; only tries that fail are counted. */
    countCode: async <T>(userId: string, attempt: () => Promise<T>): Promise<T> => {
      const key = keyOf('code', userId);
      await take('codesPerAccount', key, 'Too many wrong codes.');
      const session = await attempt();
      await forgetPoints(db, key);
      return session;
    },
    countRecovery: async (email: string, ipAddress: string): Promise<void> => {
      await take('recoveriesPerAddress', keyOfAddress('recovery', ipAddress), 'Too many mails.');
      await countMail(email);
    },
    countRefresh: (sessionId: string) =>
      take('refreshesPerSession', keyOf('refresh', sessionId), 'Too many requests.'),
    countWrongToken: (ipAddress: string) =>
      take('wrongTokensPerAddress', keyOfAddress('wrong-token', ipAddress), 'Too many requests.'),
  };

  function countMail(email: string): Promise<void> {
    const message = 'We have sent several mails to this address already.';
    return take('mailsPerAccount', keyOf('mail', email), message, 'over_email_send_rate_limit');
  }
}

function describeWait(seconds: number): string {
  if (seconds < 60) return seconds === 1 ? 'a second' : `${seconds} seconds`;
  const minutes = Math.ceil(seconds / 60);
  return minutes === 1 ? 'a minute' : `${minutes} minutes`;
}
