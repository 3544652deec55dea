import { sql } from 'kysely';
import type { Database } from '#server/platform/db/db.ts';
import { keyOfAddress } from '#server/platform/http/rate-limit.ts';

/**
 * Whether a sign-in to this account was completed from this IP address in the last 90 days, including the code if one
 * was required. False if no account has this email address.
 */
export async function isFamiliarAddress(db: Database, email: string, ipAddress: string): Promise<boolean> {
  const sessions = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.userId', 'sessions.userId')
    .select('sessions.ipAddress')
    .distinct()
    .where('users.email', '=', email)
    .where('sessions.createdAt', '>', sql<string>`now() - interval '90 days'`)
    .where(({ or, not, exists, eb, selectFrom }) =>
      or([
        eb('sessions.secondStepAt', 'is not', null),
        not(
          exists(
            selectFrom('factors')
              .select('factors.factorId')
              .whereRef('factors.userId', '=', 'users.userId')
              .where('factors.status', '=', 'verified'),
          ),
        ),
      ]),
    )
    .limit(200)
    .execute();
  const network = keyOfAddress('', ipAddress);
  return sessions.some((session) => keyOfAddress('', session.ipAddress ?? '') === network);
}
