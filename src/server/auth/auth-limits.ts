import { sql } from 'kysely';
import type { Database } from '#server/platform/db/db.ts';
import {
  consumeInOrder,
  describeWait,
  keyOf,
  keyOfAddress,
  type RateLimit,
  resetLimit,
  secondsToWait,
} from '#server/platform/http/rate-limit.ts';
import { type AuthErrorCode, AuthRefusal } from './gotrue/auth-refusal.ts';

/** Calls allowed per period. Counts are stored in PostgreSQL, so all processes share them. */
export const authLimits = {
  // Counted per IP address and account, so that other people's attempts do not use up the owner's.
  failedSignInsPerAccountAndAddress: { calls: 10, seconds: 15 * 60 },
  // Shared by all IP addresses from which the account was not recently used. NIST SP 800-63B allows at most 100
  // consecutive failures.
  failedSignInsPerAccount: { calls: 50, seconds: 60 * 60 },
  failedSignInsPerAddress: { calls: 100, seconds: 15 * 60 },
  signUpsPerAddress: { calls: 60, seconds: 60 * 60 },
  // Counted per IP address and account, so that one stranger can't use up all emails of `emailsPerAccount`.
  emailsPerAccountAndAddress: { calls: 6, seconds: 60 * 60 },
  emailsPerAccount: { calls: 18, seconds: 60 * 60 },
  passwordChangesPerSession: { calls: 5, seconds: 60 * 60 },
  resendsPerAddress: { calls: 60, seconds: 60 * 60 },
  recoveriesPerAddress: { calls: 60, seconds: 60 * 60 },
  refreshesPerSession: { calls: 150, seconds: 5 * 60 },
  emailChangesPerAccount: { calls: 5, seconds: 60 * 60 },
  emailChangesPerAddress: { calls: 30, seconds: 60 * 60 },
  passwordsPerSession: { calls: 10, seconds: 15 * 60 },
  downloadsPerAccount: { calls: 10, seconds: 60 * 60 },
  // Counted for each account: per IP address from which the account was recently used, per signed-in session, and once
  // for all other addresses together.
  codesPerAccountAndAddress: { calls: 6, seconds: 15 * 60 },
  wrongTokensPerAddress: { calls: 150, seconds: 5 * 60 },
} satisfies Record<string, RateLimit>;

export type AuthLimits = Record<keyof typeof authLimits, RateLimit>;

/** The error code of a refusal, and advice to add to its message. */
type Wording = { code?: AuthErrorCode; rest?: string };

export type AuthLimiter = ReturnType<typeof createAuthLimiter>;

/**
 * The rate limiters of `/auth/v1`, recovery codes and data downloads. Each throws {@link AuthRefusal} (429) when its
 * limit is exceeded.
 */
export function createAuthLimiter(db: Database, limits: AuthLimits) {
  const take = (limit: keyof AuthLimits, key: string, message: string, more?: Wording) =>
    takeInOrder([{ limit, key, ...more }], message);

  /** Counts calls up to the first that exceeds its limit, in one statement. */
  async function takeInOrder(
    counted: ({ limit: keyof AuthLimits; key: string } & Wording)[],
    message: string,
  ): Promise<void> {
    const calls = counted.map(({ limit, key }) => ({ key, limit: limits[limit] }));
    const { rows } = await consumeInOrder(calls).execute(db);
    for (const [index, row] of rows.entries()) {
      const retryAfterSeconds = secondsToWait(row);
      if (retryAfterSeconds === null) continue;
      const { code = 'over_request_rate_limit', rest } = counted[index]!;
      const wait = `Please try again in ${describeWait(retryAfterSeconds)}${rest ? `, ${rest}` : ''}.`;
      throw new AuthRefusal(429, code, `${message} ${wait}`, { retryAfterSeconds });
    }
  }

  return {
    /**
     * Runs one sign-in attempt and counts it only if it fails. `isFamiliar`: whether the account was recently used from
     * this IP address. Familiar addresses are counted separately, so strangers elsewhere cannot lock the owner out.
     */
    countSignIn: async <T>(
      { email, ipAddress, isFamiliar }: { email: string; ipAddress: string; isFamiliar: boolean },
      attempt: () => Promise<T>,
    ): Promise<T> => {
      const account = keyOf('sign-in', email);
      const address = keyOfAddress('sign-in-address', ipAddress);
      const accountAddress = keyOf('sign-in-account-address', `${email} ${address}`);
      const message = 'Too many failed attempts to sign in.';
      const rest = 'or choose a new password through “Forgot your password?”';
      await takeInOrder(
        [
          { limit: 'failedSignInsPerAddress', key: address },
          { limit: 'failedSignInsPerAccountAndAddress', key: accountAddress, rest },
          ...(isFamiliar ? [] : [{ limit: 'failedSignInsPerAccount', key: account, rest } as const]),
        ],
        message,
      );
      // Locks the rows in the order in which `takeInOrder` updated them, so that sign-ins never deadlock.
      const settle = () =>
        sql`
        with of_address as (
          update rate_limits set calls = greatest(calls - 1, 0) where key = ${address} returning key
        ), of_both as (
          delete from rate_limits
          where key = ${accountAddress} and (select count(*) from of_address) >= 0 returning key
        )
        update rate_limits set calls = greatest(calls - 1, 0)
        where key = ${isFamiliar ? null : account} and (select count(*) from of_both) >= 0`.execute(db);
      try {
        const session = await attempt();
        await settle();
        return session;
      } catch (error) {
        // The password was correct, so this was not a guess.
        if (error instanceof AuthRefusal && error.code === 'email_not_confirmed') await settle();
        throw error;
      }
    },
    countSignUp: async (email: string, ipAddress: string): Promise<void> => {
      await take('signUpsPerAddress', keyOfAddress('sign-up', ipAddress), 'Too many sign-ups.');
      await countEmail(email, ipAddress);
    },
    countResend: async (email: string, ipAddress: string): Promise<void> => {
      await take('resendsPerAddress', keyOfAddress('resend', ipAddress), 'Too many email requests.');
      await countEmail(email, ipAddress);
    },
    /**
     * Runs one attempt at entering an authenticator app's code and counts it only if it fails. `accountAddress`
     * identifies an IP address or a session that only the owner uses; it is empty for any other IP address. Therefore,
     * a stranger who knows the password cannot use up the owner's attempts.
     */
    countCode: async <T>(userId: string, accountAddress: string, attempt: () => Promise<T>): Promise<T> => {
      const key = keyOf('code', `${userId} ${accountAddress}`);
      await take('codesPerAccountAndAddress', key, 'Too many wrong codes.');
      const session = await attempt();
      await resetLimit(db, key);
      return session;
    },
    countRecovery: async (email: string, ipAddress: string): Promise<void> => {
      await take('recoveriesPerAddress', keyOfAddress('recovery', ipAddress), 'Too many email requests.');
      await countEmail(email, ipAddress);
    },
    countEmailChange: async (userId: string, ipAddress: string, newEmail: string): Promise<void> => {
      const message = "You've already asked to change your email address several times.";
      await take('emailChangesPerAddress', keyOfAddress('email-change', ipAddress), message);
      await take('emailChangesPerAccount', keyOf('email-change', userId), message);
      await countEmail(newEmail, ipAddress);
    },
    /** Runs one check of the current password and counts it only if it fails. */
    countPassword: async <T>(sessionId: string, attempt: () => Promise<T>): Promise<T> => {
      const key = keyOf('password', sessionId);
      await take('passwordsPerSession', key, 'Too many wrong passwords.');
      const outcome = await attempt();
      await resetLimit(db, key);
      return outcome;
    },
    countPasswordChange: (sessionId: string) =>
      take(
        'passwordChangesPerSession',
        keyOf('password-change', sessionId),
        "You've changed your password several times.",
      ),
    countDownload: (userId: string) =>
      take('downloadsPerAccount', keyOf('download', userId), "You've downloaded your data several times."),
    countRefresh: (sessionId: string) =>
      take('refreshesPerSession', keyOf('refresh', sessionId), 'Too many requests.'),
    countWrongToken: (ipAddress: string) =>
      take('wrongTokensPerAddress', keyOfAddress('wrong-token', ipAddress), 'Too many requests.'),
  };

  async function countEmail(email: string, ipAddress: string): Promise<void> {
    const message = "We've already sent several emails to this address.";
    const refusal = { code: 'over_email_send_rate_limit' } as const;
    await take(
      'emailsPerAccountAndAddress',
      keyOf('email-account-address', `${email} ${keyOfAddress('', ipAddress)}`),
      message,
      refusal,
    );
    await take('emailsPerAccount', keyOf('email', email), message, refusal);
  }
}
