import { CompiledQuery } from 'kysely';
import type { Person, Role } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import type { Config } from '#server/platform/config.ts';
import { createBatchLoader } from '#server/platform/db/batch-loader.ts';
import type { Database } from '#server/platform/db/db.ts';
import { createAccessTokens, readBearer } from './sessions/access-token.ts';
import { isRecentlyAuthenticatedSql } from './sessions/confirm-session.ts';

type OpenSession = {
  sessionId: string;
  userId: string;
  roles: Role[] | null;
  hasApp: boolean;
  isCodeGiven: boolean;
  isRecentlyAuthenticated: boolean;
};

// Every signed-in request runs this query, so its SQL is built only once. A look-up of a single session has separate
// SQL, because PostgreSQL caches the plan for one id but plans the query for an array each time.
const sessionQuery = (
  sessionIds: '$1' | 'any($1::uuid[])',
) => `select s.session_id, s.user_id, p.roles, s.second_step_at is not null as is_code_given,
    ${isRecentlyAuthenticatedSql} as is_recently_authenticated,
    exists (select from factors f where f.user_id = s.user_id and f.status = 'verified') as has_app
  from sessions s left join profiles p using (user_id)
  where s.session_id = ${sessionIds} and s.ended_at is null`;
const oneSession = sessionQuery('$1');
const manySessions = sessionQuery('any($1::uuid[])');

const refuse = () => new AppError('unauthenticated', 'Your session has ended. Please sign in again.');

/**
 * Authenticates a request by its `Authorization` header; returns null if the header is missing. Throws
 * `unauthenticated` for a token that is invalid, expired or from an ended session, and `second_step_required` until the
 * person has entered the authenticator app's code. Reads the session and roles on every request, so that signing out
 * and losing a role take effect immediately. A person without a profile has no roles. If admins must use two-step
 * sign-in, an admin who has not set it up does not get the admin role.
 */
export function createAuthenticate(
  db: Database,
  config: Pick<Config, 'signingKeys' | 'publicUrl' | 'isAdminTwoStepRequired'>,
): (authorization: string | undefined) => Promise<Person | null> {
  const tokens = createAccessTokens(config);
  const readSession = createBatchLoader(async (sessionIds: string[]) => {
    const query =
      sessionIds.length === 1
        ? CompiledQuery.raw(oneSession, sessionIds)
        : CompiledQuery.raw(manySessions, [sessionIds]);
    const { rows } = await db.executeQuery<OpenSession>(query);
    const found = new Map(rows.map((row) => [row.sessionId, row]));
    return sessionIds.map((sessionId) => found.get(sessionId));
  });
  return async (authorization) => {
    if (!authorization) return null;
    const token = readBearer(authorization);
    const claims = token && (await tokens.verify(token));
    if (!claims) throw refuse();
    const session = await readSession(claims.session_id);
    if (session?.userId !== claims.sub) throw refuse();
    if (session.hasApp && !session.isCodeGiven) {
      const message = "Please enter your authenticator app's code to finish signing in.";
      throw new AppError('second_step_required', message);
    }
    const person = {
      userId: claims.sub,
      roles: session.roles ?? [],
      sessionId: claims.session_id,
      isRecentlyAuthenticated: session.isRecentlyAuthenticated,
    };
    if (session.hasApp || !config.isAdminTwoStepRequired || !person.roles.includes('admin')) return person;
    return { ...person, roles: person.roles.filter((role) => role !== 'admin'), isTwoStepMissing: true };
  };
}
