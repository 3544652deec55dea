import { careApi } from '#domain/accounts/care-contract.ts';
import { accountsApi, type Profile } from '#domain/accounts/contract.ts';
import { guardiansApi } from '#domain/accounts/guardians-contract.ts';
import { participantsApi } from '#domain/accounts/participants-contract.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { type Route, route } from '#server/platform/http/http.ts';
import type { AddressSigner } from '#server/storage/signed-address.ts';
import { readCare } from './care/care-details.ts';
import { listCareReads } from './care/care-reads.ts';
import { giveConsent, listConsents } from './care/give-consent.ts';
import { confirmCare, deleteCare, saveCare } from './care/save-care.ts';
import { createProfile } from './create-profile.ts';
import {
  acceptGuardianInvitation,
  declineGuardianInvitation,
  readGuardianInvitation,
} from './guardians/answer-guardian-invitation.ts';
import { inviteGuardian, withdrawGuardianInvitation } from './guardians/invite-guardian.ts';
import { leaveParticipant } from './guardians/leave-participant.ts';
import { addParticipant } from './participants/add-participant.ts';
import {
  assertMayActFor,
  getParticipant,
  listGuardianInvitations,
  listParticipants,
} from './participants/read-participants.ts';
import { updateParticipant } from './participants/update-participant.ts';
import { findProfile, type StoredProfile } from './queries.ts';

type AccountParts = { db: Database; config: Pick<Config, 'dataKeys'>; signer: AddressSigner };

/** The endpoints that read and create a profile, and those for participants, their care details and their guardians. */
export function accountRoutes({ db, config, signer }: AccountParts): Route[] {
  const parts = { db, config };
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
    route(participantsApi.list, async (_, { userId }) => ({
      participants: await listParticipants(db, userId),
    })),
    route(participantsApi.get, async ({ participantId }, { userId }) => ({
      participant: await getParticipant(db, userId, participantId),
      invitations: await listGuardianInvitations(db, participantId),
    })),
    route(participantsApi.add, async (input, actor) => ({
      participant: await addParticipant(db, actor, input),
    })),
    route(participantsApi.update, async (input, actor) => ({
      participant: await updateParticipant(db, actor, input),
    })),
    route(careApi.getCare, async ({ participantId }, { userId }) => {
      await assertMayActFor(db, userId, participantId);
      return readCare(db, config.dataKeys, participantId);
    }),
    route(careApi.saveCare, (input, actor) => saveCare(parts, actor, input)),
    route(careApi.confirmCare, ({ participantId }, actor) => confirmCare(parts, actor, participantId)),
    route(careApi.deleteCare, async ({ participantId }, actor) => {
      await deleteCare(parts, actor, participantId);
      return {};
    }),
    route(careApi.listCareReads, async (input, { userId }) => {
      await assertMayActFor(db, userId, input.participantId);
      return listCareReads(db, input);
    }),
    route(careApi.listConsents, async ({ participantId }, { userId }) => {
      await assertMayActFor(db, userId, participantId);
      return { consents: await listConsents(db, participantId) };
    }),
    route(careApi.giveConsent, async (input, actor) => ({
      participant: await giveConsent(parts, actor, input),
    })),
    route(guardiansApi.invite, async (input, actor) => ({
      invitation: await inviteGuardian(db, actor, input),
    })),
    route(guardiansApi.withdraw, async (input, actor) => {
      await withdrawGuardianInvitation(db, actor, input);
      return {};
    }),
    route(guardiansApi.getInvitation, ({ token }, person) => readGuardianInvitation(db, person, token)),
    route(guardiansApi.accept, async (input, actor) => ({
      participantId: await acceptGuardianInvitation(db, actor, input),
    })),
    route(guardiansApi.decline, async ({ token }, actor) => {
      await declineGuardianInvitation(db, actor, token);
      return {};
    }),
    route(guardiansApi.leave, async ({ participantId }, actor) => {
      await leaveParticipant(db, actor, participantId);
      return {};
    }),
  ];
}
