import type { Person } from '#domain/access.ts';
import { ownAccountApi } from '#domain/account/contract.ts';
import { listBlockers } from '#domain/account/deletion.ts';
import { firstStepsApi } from '#domain/account/first-steps-contract.ts';
import { participantDataApi } from '#domain/account/participant-contract.ts';
import type { IdentityProof } from '#domain/auth/contract.ts';
import { AppError } from '#domain/errors.ts';
import { assertMayActFor } from '#server/accounts/participants/read-participants.ts';
import { authLimits, createAuthLimiter } from '#server/auth/auth-limits.ts';
import { toAppError } from '#server/auth/gotrue/auth-refusal.ts';
import { proveIdentity } from '#server/auth/two-step/prove-identity.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { type Route, route } from '#server/platform/http/http.ts';
import { collectDependantData, collectOwnData } from './collect-own-data.ts';
import { deleteAccount } from './deletion/delete-account.ts';
import { deleteParticipant } from './deletion/delete-participant.ts';
import { readBlockerFacts } from './deletion/deletion-blockers.ts';
import { listFirstSteps } from './first-steps/list-first-steps.ts';

/** The endpoints that download the data of an account or a dependant, delete either, and list a coach's first steps. */
export function ownAccountRoutes(parts: { db: Database; config: Pick<Config, 'dataKeys'> }): Route[] {
  const { db } = parts;
  const limiter = createAuthLimiter(db, authLimits);
  const prove = async (proof: IdentityProof, person: Person) => {
    try {
      await proveIdentity({ ...parts, limiter }, person, proof);
      await limiter.countDownload(person.userId);
    } catch (error) {
      throw toAppError(error);
    }
  };
  return [
    route(ownAccountApi.getOwnData, async (proof, person) => {
      await prove(proof, person);
      return collectOwnData(parts, person);
    }),
    route(participantDataApi.download, async ({ participantId, ...proof }, person) => {
      await assertMayActFor(db, person.userId, participantId);
      if (participantId === person.userId) {
        throw new AppError('conflict', 'Download your own data on your account page.');
      }
      await prove(proof, person);
      return collectDependantData(parts, participantId);
    }),
    route(participantDataApi.delete, async ({ participantId }, person) => {
      await deleteParticipant(db, person, participantId);
      return {};
    }),
    route(firstStepsApi.list, (_, coach) => listFirstSteps(db, coach.userId)),
    route(ownAccountApi.getDeletion, async (_, { userId }) => ({
      blockers: listBlockers(await readBlockerFacts(db, userId)),
    })),
    route(ownAccountApi.deleteAccount, async (_, person) => {
      await deleteAccount(db, person);
      return {};
    }),
  ];
}
