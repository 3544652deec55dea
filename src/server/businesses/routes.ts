import { businessesApi } from '#domain/businesses/contract.ts';
import { invitationsApi } from '#domain/businesses/invitations-contract.ts';
import type { Database } from '#server/platform/db/db.ts';
import { type Route, route } from '#server/platform/http/http.ts';
import { acceptInvitation, declineInvitation, readInvitation } from './answer-invitation.ts';
import { changeBusinessRole } from './change-business-role.ts';
import { inviteCoach } from './invite-coach.ts';
import { leaveTeam } from './leave-team.ts';
import {
  findBusiness,
  findCoachAddress,
  findTeam,
  getCoach,
  getCoachProfile,
  searchCoaches,
} from './queries.ts';
import { removeMember } from './remove-member.ts';
import { resendInvitation } from './resend-invitation.ts';
import { saveBusiness } from './save-business.ts';
import { saveCoachProfile } from './save-coach-profile.ts';
import { setWelfareOfficer } from './set-welfare-officer.ts';
import { withdrawInvitation } from './withdraw-invitation.ts';

/**
 * The endpoints of a coach's own profile, business and team, of team invitations, and of the search for coaches.
 * `readDb` may lag behind, so it serves only the public calls about coaches.
 */
export function businessRoutes({ db, readDb = db }: { db: Database; readDb?: Database }): Route[] {
  return [
    route(businessesApi.searchCoaches, async ({ search }) => ({
      coaches: await searchCoaches(readDb, search),
    })),
    route(businessesApi.getCoach, async ({ coachId }) => ({ coach: await getCoach(readDb, coachId) })),
    route(businessesApi.getBusiness, (_, { userId }) => findBusiness(db, userId)),
    route(businessesApi.saveBusiness, async (input, actor) => ({
      business: await saveBusiness(db, actor, input),
    })),
    route(businessesApi.getCoachProfile, async (_, { userId }) => ({
      coachProfile: await getCoachProfile(db, userId),
      coachAddress: await findCoachAddress(db, userId),
    })),
    route(businessesApi.saveCoachProfile, async (input, actor) => ({
      coachProfile: await saveCoachProfile(db, actor, input),
    })),
    route(businessesApi.listTeam, async (_, { userId }) => ({ team: await findTeam(db, userId) })),
    route(businessesApi.changeBusinessRole, async (input, actor) => {
      await changeBusinessRole(db, actor, input);
      return {};
    }),
    route(businessesApi.setWelfareOfficer, async (input, actor) => {
      await setWelfareOfficer(db, actor, input);
      return {};
    }),
    route(businessesApi.removeMember, async ({ coachId }, actor) => {
      await removeMember(db, actor, coachId);
      return {};
    }),
    route(businessesApi.leaveTeam, async (input, actor) => ({
      hasEnded: await leaveTeam(db, actor, input),
    })),
    route(invitationsApi.inviteCoach, async ({ email }, actor) => ({
      invitation: await inviteCoach(db, actor, email),
    })),
    route(invitationsApi.resendInvitation, async ({ invitationId }, actor) => ({
      invitation: await resendInvitation(db, actor, invitationId),
    })),
    route(invitationsApi.withdrawInvitation, async ({ invitationId }, actor) => {
      await withdrawInvitation(db, actor, invitationId);
      return {};
    }),
    route(invitationsApi.getInvitation, ({ token }, person) => readInvitation(db, person, token)),
    route(invitationsApi.acceptInvitation, async ({ token }, actor) => ({
      businessName: await acceptInvitation(db, actor, token),
    })),
    route(invitationsApi.declineInvitation, async ({ token }, actor) => {
      await declineInvitation(db, actor, token);
      return {};
    }),
  ];
}
