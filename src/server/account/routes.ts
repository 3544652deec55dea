import { ownAccountApi } from '#domain/account/contract.ts';
import { listBlockers } from '#domain/account/deletion.ts';
import { authLimits, createAuthLimiter } from '#server/auth/auth-limits.ts';
import { toAppError } from '#server/auth/gotrue/auth-refusal.ts';
import { proveIdentity } from '#server/auth/two-step/prove-identity.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { type Route, route } from '#server/platform/http/http.ts';
import { collectOwnData } from './collect-own-data.ts';
import { deleteAccount } from './delete-account.ts';
import { readBlockerFacts } from './deletion-blockers.ts';

/** The endpoints that download the data of a person's account and delete the account. */
export function ownAccountRoutes(parts: { db: Database; config: Pick<Config, 'dataKeys'> }): Route[] {
  const { db } = parts;
  const limiter = createAuthLimiter(db, authLimits);
  return [
    route(ownAccountApi.getOwnData, async (proof, person) => {
      try {
        await proveIdentity({ ...parts, limiter }, person, proof);
        await limiter.countDownload(person.userId);
      } catch (error) {
        throw toAppError(error);
      }
      return collectOwnData(parts, person);
    }),
    route(ownAccountApi.getDeletion, async (_, { userId }) => ({
      blockers: listBlockers(await readBlockerFacts(db, userId)),
    })),
    route(ownAccountApi.deleteAccount, async (_, person) => {
      await deleteAccount(db, person);
      return {};
    }),
  ];
}
