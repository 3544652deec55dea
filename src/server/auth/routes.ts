import { authApi } from '#domain/auth/contract.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { type Route, route } from '#server/platform/http/http.ts';
import { authLimits, createAuthLimiter } from './auth-limits.ts';
import { cancelEmailChange } from './change-email.ts';
import { toAppError } from './gotrue/auth-refusal.ts';
import { endSession } from './sessions/end-session.ts';
import { listSessions } from './sessions/list-sessions.ts';
import { countRecoveryCodes, makeRecoveryCodes } from './two-step/recovery-codes.ts';

/** The authentication endpoints outside `/auth/v1`: sessions, recovery codes and cancelling an email change. */
export function authRoutes(parts: { db: Database; config: Pick<Config, 'dataKeys' | 'publicUrl'> }): Route[] {
  const { db } = parts;
  const limiter = createAuthLimiter(db, authLimits);
  return [
    route(authApi.listSessions, async (_input, person) => ({
      sessions: await listSessions(db, person),
    })),
    route(authApi.endSession, async ({ sessionId }, person) => {
      await endSession(db, person, sessionId);
      return {};
    }),
    route(authApi.cancelEmailChange, async (_input, { userId }) => {
      await cancelEmailChange(db, userId);
      return {};
    }),
    route(authApi.getRecoveryCodes, (_input, { userId }) => countRecoveryCodes(db, userId)),
    route(authApi.makeRecoveryCodes, async ({ code }, person) => {
      const make = () => makeRecoveryCodes(parts, person, code);
      try {
        return { codes: await (code ? limiter.countCode(person.userId, person.sessionId, make) : make()) };
      } catch (error) {
        throw toAppError(error);
      }
    }),
  ];
}
