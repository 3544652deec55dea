import { accountsApi } from '#domain/accounts/contract.ts';
import type { Database } from '#server/platform/db/db.ts';
import { type Route, route } from '#server/platform/http/http.ts';
import { createProfile } from './create-profile.ts';
import { findProfile } from './queries.ts';

export function accountRoutes({ db }: { db: Database }): Route[] {
  return [
    route(accountsApi.getProfile, async (_input, { userId, isTwoStepMissing = false }) => {
      const profile = await findProfile(db, userId);
      return { profile: profile ? { ...profile, isTwoStepMissing } : null };
    }),
    route(accountsApi.createProfile, async (_input, { userId, isTwoStepMissing = false }) => ({
      profile: { ...(await createProfile(db, userId)), isTwoStepMissing },
    })),
  ];
}
