import { createHmac, hkdfSync } from 'node:crypto';
import { sql } from 'kysely';
import type { Config } from '#server/platform/config.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import type { Log } from '#server/platform/log.ts';
import { AuthRefusal } from '../gotrue/auth-refusal.ts';
import { findSessionUser } from '../queries.ts';
import { hashToken, type OpenSession } from './open-session.ts';

/** Seconds for which a used token still works, so that several tabs can refresh simultaneously. */
const graceSeconds = 10;

const notFound = () =>
  new AuthRefusal(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found');

/**
 * Returns the possible successors of a refresh token. The first is the successor to issue; a process with other keys
 * may have issued one of the others.
 */
type Succession = (token: string) => readonly [string, ...string[]];

/**
 * Derives a refresh token's successor with each data key. A successor is derived rather than generated, so that a
 * second tab with the same token gets the same successor a moment later, although only hashes are stored. Without the
 * keys, a successor is indistinguishable from random data.
 */
export function createSuccession(config: Pick<Config, 'dataKeys'>): Succession {
  const keys = config.dataKeys.map((dataKey) =>
    Buffer.from(hkdfSync('sha256', Buffer.from(dataKey, 'hex'), '', 'refresh token succession', 32)),
  );
  return (token) => {
    const [first, ...others] = keys.map((key) => createHmac('sha256', key).update(token).digest('base64url'));
    return [first!, ...others];
  };
}

/**
 * Exchanges a refresh token for its successor. A token can be used once. Using it again within ten seconds returns the
 * current token; later use means that two parties have the token, so the whole session ends. `count` counts the attempt
 * and may throw to refuse it. Throws {@link AuthRefusal}.
 */
export async function refreshSession(
  db: Database,
  token: string,
  { succeed, count, log }: { succeed: Succession; count: (sessionId: string) => Promise<void>; log: Log },
): Promise<OpenSession> {
  const known = await db
    .selectFrom('refreshTokens')
    .select('sessionId')
    .where('tokenHash', '=', hashToken(token))
    .executeTakeFirst();
  if (!known) throw notFound();
  // Counted before the exchange, because a refusal after the exchange would lose the person's new token.
  await count(known.sessionId);
  const outcome = await db.transaction().execute(async (tx): Promise<OpenSession | AuthRefusal> => {
    const row = await tx
      .selectFrom('refreshTokens')
      .select([
        'sessionId',
        'usedAt',
        sql<boolean>`used_at > clock_timestamp() - ${`${graceSeconds} s`}::interval`.as('isGrace'),
      ])
      .where('tokenHash', '=', hashToken(token))
      .forUpdate()
      .executeTakeFirst();
    const user = row && (await findSessionUser(tx, row.sessionId));
    if (!row || !user) return notFound();
    const { sessionId } = row;
    const current = row.usedAt ? row.isGrace && (await findCurrent(tx, token, succeed)) : succeed(token)[0];
    if (!current) {
      await tx
        .updateTable('sessions')
        .set({ endedAt: sql<string>`now()` })
        .where('sessionId', '=', sessionId)
        .execute();
      log.warn({ sessionId }, 'used refresh token presented again: session ended');
      return new AuthRefusal(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used');
    }
    if (!row.usedAt && !(await advance(tx, sessionId, token, current))) return notFound();
    const { signedInAt, method, secondStepAt } = user;
    return { user, sessionId, signedInAt, method, secondStepAt, refreshToken: current };
  });
  if (outcome instanceof AuthRefusal) throw outcome;
  return outcome;
}

/**
 * Marks the token as used and stores its successor. Returns false if the session has just ended, has not been
 * used for 30 days, or was opened more than 180 days ago: the person must then sign in again.
 */
async function advance(tx: Tx, sessionId: string, token: string, successor: string): Promise<boolean> {
  const session = await tx
    .updateTable('sessions')
    .set({ refreshedAt: sql<string>`now()` })
    .where('sessionId', '=', sessionId)
    .where('endedAt', 'is', null)
    .where('refreshedAt', '>', sql<string>`now() - interval '30 days'`)
    .where('createdAt', '>', sql<string>`now() - interval '180 days'`)
    .returning('sessionId')
    .executeTakeFirst();
  if (!session) return false;
  await tx
    .updateTable('refreshTokens')
    .set({ usedAt: sql<string>`clock_timestamp()` })
    .where('tokenHash', '=', hashToken(token))
    .execute();
  await tx
    .insertInto('refreshTokens')
    .values({ tokenHash: hashToken(successor), sessionId })
    .execute();
  return true;
}

/** Follows the successors of a used token to the unused token at the end; null if the chain is broken. */
async function findCurrent(tx: Tx, token: string, succeed: Succession): Promise<string | null> {
  let current = token;
  for (;;) {
    const successors = succeed(current);
    const row = await tx
      .selectFrom('refreshTokens')
      .select(['tokenHash', 'usedAt'])
      .where('tokenHash', 'in', successors.map(hashToken))
      .executeTakeFirst();
    if (!row) return null;
    current = successors.find((successor) => hashToken(successor).equals(row.tokenHash))!;
    if (!row.usedAt) return current;
  }
}
