import { CompiledQuery } from 'kysely';
import type { Person, Role } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db.ts';
import { createAccessTokens, readBearer } from './access-token.ts';

type OpenSession = { userId: string; roles: Role[] | null };

// Every request of a signed-in person passes here, so the text is compiled once instead of each time.
const sessionQuery = `select s.session_id, s.user_id, p.roles from sessions s left join profiles p using (user_id)
  where s.session_id = any($1::uuid[]) and s.ended_at is null`;

/** So many reads of sessions are under way at most; who comes meanwhile is read together by the next. */
const readsAtOnce = 2;

const refuse = () =>
  new AppError('unauthenticated', 'Your sign-in is no longer valid (invalid JWT). Please sign in again.');

/**
 * Answers who sends a request, from its `Authorization` header: null without one. Throws `unauthenticated`
 * for a token that is not ours, has expired, or whose session has ended. Session and roles are read each
 * time, so that signing out and losing a role take effect at once; a person without a profile has no roles.
 */
export function createIdentify(
  db: Database,
  config: Pick<Config, 'signingKeys' | 'publicUrl'>,
): (authorization: string | undefined) => Promise<Person | null> {
  const tokens = createAccessTokens(config);
  const readSession = createSessionReader(db);
  return async (authorization) => {
    if (!authorization) return null;
    const token = readBearer(authorization);
    const claims = token && (await tokens.verify(token));
    if (!claims) throw refuse();
    const session = await readSession(claims.session_id);
    if (session?.userId !== claims.sub) throw refuse();
    return { userId: claims.sub, roles: session.roles ?? [], sessionId: claims.session_id };
  };
}

/**
 * Reads open sessions, those that are asked for at the same moment in one statement: in a rush this halves what a
 * request costs the database. A read always begins after it was asked for, so nobody is shown an older state.
 */
function createSessionReader(db: Database): (sessionId: string) => Promise<OpenSession | undefined> {
  type Waiting = {
    sessionId: string;
    take: (found: OpenSession | undefined) => void;
    fail: (error: unknown) => void;
  };
  let waiting: Waiting[] = [];
  let underWay = 0;
  async function readWaiting(): Promise<void> {
    const batch = waiting;
    waiting = [];
    underWay += 1;
    try {
      const { rows } = await db.executeQuery<OpenSession & { sessionId: string }>(
        CompiledQuery.raw(sessionQuery, [batch.map(({ sessionId }) => sessionId)]),
      );
      const found = new Map(rows.map((row) => [row.sessionId, row]));
      for (const { sessionId, take } of batch) take(found.get(sessionId));
    } catch (error) {
      for (const { fail } of batch) fail(error);
    }
    underWay -= 1;
    if (waiting.length > 0) void readWaiting();
  }
  return (sessionId) =>
    new Promise((take, fail) => {
      waiting.push({ sessionId, take, fail });
      if (underWay < readsAtOnce) void readWaiting();
    });
}
