import { accountsApi, type Profile } from '#domain/accounts/contract.ts';
import type { Database } from '#server/platform/db/db.ts';
import { type Route, route } from '#server/platform/http/http.ts';
import type { AddressSigner } from '#server/storage/signed-address.ts';
import { createProfile } from './create-profile.ts';
import { findProfile, type StoredProfile } from './queries.ts';

/** The endpoints that read and create a profile. */
export function accountRoutes({ db, signer }: { db: Database; signer: AddressSigner }): Route[] {
  // The signed address shows people their own picture even while visitors cannot see it.
  const describe = ({ avatarUrl, ...profile }: StoredProfile, isTwoStepMissing: boolean): Profile => ({
    ...profile,
    avatarUrl: signer.signAvatar(avatarUrl),
    isTwoStepMissing,
  });
  return [
    route(accountsApi.getProfile, async (_input, { userId, isTwoStepMissing = false }) => {
      const profile = await findProfile(db, userId);
      return { profile: profile ? describe(profile, isTwoStepMissing) : null };
    }),
    route(accountsApi.createProfile, async (_input, { userId, isTwoStepMissing = false }) => ({
      profile: describe(await createProfile(db, userId), isTwoStepMissing),
    })),
  ];
}
