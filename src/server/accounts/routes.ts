import { accountsApi } from '#domain/accounts/contract.ts';
import type { Database } from '#server/platform/db.ts';
import { type Route, route } from '#server/platform/http.ts';
import { createProfile } from './create-profile.ts';
import { listAudit } from './list-audit.ts';
import { listUsers } from './list-users.ts';
import { findProfile } from './queries.ts';

export function accountRoutes({ db }: { db: Database }): Route[] {
  return [
    route(accountsApi.getProfile, async (_input, { userId }) => ({
      profile: (await findProfile(db, userId)) ?? null,
    })),
    route(accountsApi.createProfile, async (_input, { userId }) => ({
      profile: await createProfile(db, userId),
    })),
    route(accountsApi.listUsers, (input) => listUsers(db, input)),
    route(accountsApi.listAudit, (input) => listAudit(db, input)),
  ];
}
