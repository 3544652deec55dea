import { CompiledQuery } from 'kysely';
import type { Person, Role } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db.ts';
import { createAccessTokens, readBearer } from './access-token.ts';

// Every request of a signed-in person passes here, so the text is compiled once instead of each time.
const sessionQuery = `select p.roles from sessions s left join profiles p using (user_id)
  where s.session_id = $1 and s.user_id = $2 and s.ended_at is null`;

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
  return async (authorization) => {
    if (!authorization) return null;
    const token = readBearer(authorization);
    const claims = token && (await tokens.verify(token));
    if (!claims) throw refuse();
    const { rows } = await db.executeQuery<{ roles: Role[] | null }>(
      CompiledQuery.raw(sessionQuery, [claims.session_id, claims.sub]),
    );
    const row = rows[0];
    if (!row) throw refuse();
    return { userId: claims.sub, roles: row.roles ?? [], sessionId: claims.session_id };
  };
}
