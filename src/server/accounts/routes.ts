import { accountsApi } from '#domain/accounts/contract.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db.ts';
import { type Route, route } from '#server/platform/http.ts';
import { authLimits, createAuthLimiter } from './auth-limits.ts';
import { toAppError } from './auth-refusal.ts';
import { cancelEmailChange } from './change-email.ts';
import { createProfile } from './create-profile.ts';
import { endSession } from './end-session.ts';
import { endSessionsOf } from './end-sessions-of.ts';
import { exportAudit } from './export-audit.ts';
import { listAudit } from './list-audit.ts';
import { listSessions } from './list-sessions.ts';
import { listUsers } from './list-users.ts';
import { findProfile } from './queries.ts';
import { countRecoveryCodes, makeRecoveryCodes } from './recovery-codes.ts';

/** The endpoints of profiles, of how a person signs in, and of what admins see of people. */
export function accountRoutes(parts: {
  db: Database;
  config: Pick<Config, 'dataKeys' | 'publicUrl'>;
}): Route[] {
  const { db } = parts;
  const limiter = createAuthLimiter(db, authLimits);
  return [
    route(accountsApi.getProfile, async (_input, { userId, isTwoStepMissing = false }) => {
      const profile = await findProfile(db, userId);
      return { profile: profile ? { ...profile, isTwoStepMissing } : null };
    }),
    route(accountsApi.createProfile, async (_input, { userId, isTwoStepMissing = false }) => ({
      profile: { ...(await createProfile(db, userId)), isTwoStepMissing },
    })),
    route(accountsApi.listSessions, async (_input, person) => ({
      sessions: await listSessions(db, person),
    })),
    route(accountsApi.endSession, async ({ sessionId }, person) => {
      await endSession(db, person, sessionId);
      return {};
    }),
    route(accountsApi.cancelEmailChange, async (_input, { userId }) => {
      await cancelEmailChange(db, userId);
      return {};
    }),
    route(accountsApi.getRecoveryCodes, (_input, { userId }) => countRecoveryCodes(db, userId)),
    route(accountsApi.makeRecoveryCodes, async ({ code }, person) => {
      const make = () => makeRecoveryCodes(parts, person, code);
      try {
        return { codes: await (code ? limiter.countCode(person.userId, person.sessionId, make) : make()) };
      } catch (error) {
        throw toAppError(error);
      }
    }),
    route(accountsApi.listUsers, (input) => listUsers(db, input)),
    route(accountsApi.endSessionsOf, async ({ userId }, admin) => ({
      ended: await endSessionsOf(parts, admin, userId),
    })),
    route(accountsApi.listAudit, (input) => listAudit(db, input)),
    route(accountsApi.exportAudit, (filter, admin) => exportAudit(db, admin, filter)),
  ];
}
