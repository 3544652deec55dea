import { accountsApi } from '#domain/accounts/contract.ts';
import { endSessionsOf } from '#server/admin/end-sessions-of.ts';
import { exportAudit } from '#server/admin/export-audit.ts';
import { listAudit } from '#server/admin/list-audit.ts';
import { listUsers } from '#server/admin/list-users.ts';
import { authLimits, createAuthLimiter } from '#server/auth/auth-limits.ts';
import { cancelEmailChange } from '#server/auth/change-email.ts';
import { toAppError } from '#server/auth/gotrue/auth-refusal.ts';
import { findProfile } from '#server/auth/queries.ts';
import { endSession } from '#server/auth/sessions/end-session.ts';
import { listSessions } from '#server/auth/sessions/list-sessions.ts';
import { countRecoveryCodes, makeRecoveryCodes } from '#server/auth/two-step/recovery-codes.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { type Route, route } from '#server/platform/http/http.ts';
import { createProfile } from './create-profile.ts';

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
