import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { sportSlugs } from '../sports.ts';
import { businessInput, businessRoles, coachProfileInput, inviteInput } from './rules.ts';

/** A coaching business as its team sees it. */
export const business = z.object({
  businessId: z.uuid(),
  businessName: z.string(),
  businessEmail: z.string().nullable(),
  businessPhone: z.string().nullable(),
  businessAddress: z.string().nullable(),
  /** Null for employees. */
  taxId: z.string().nullable(),
  ownerName: z.string(),
});
export type Business = z.output<typeof business>;

/** What customers see of a coach; the rate in cents an hour. */
export const coachProfile = z.object({
  coachType: z.string().nullable(),
  bio: z.string().nullable(),
  sports: z.array(z.enum(sportSlugs)),
  towns: z.array(z.string()),
  languages: z.array(z.string()),
  hourlyRateCents: z.number().int().nullable(),
});
export type CoachProfile = z.output<typeof coachProfile>;

/** A coach's public details: the business's name, but no address, phone or email of either. */
export type PublicCoach = CoachProfile & { coachId: string; fullName: string; businessName: string | null };

/** A coach in a list to choose from; `towns` distinguish people of the same name. */
export const coachChoice = z.object({ coachId: z.uuid(), fullName: z.string(), towns: z.array(z.string()) });
export type CoachChoice = z.output<typeof coachChoice>;

const businessRole = z.enum(businessRoles, 'Choose owner or employee.');

/** A member of a team; `isActive` is whether the person is currently a coach. */
export const teamMember = z.object({
  coachId: z.uuid(),
  fullName: z.string(),
  email: z.string(),
  businessRole,
  isActive: z.boolean(),
});
export type TeamMember = z.output<typeof teamMember>;

/** A pending invitation. */
export const openInvitation = z.object({
  invitationId: z.uuid(),
  email: z.string(),
  expiresAt: z.string(),
  isExpired: z.boolean(),
});
export type OpenInvitation = z.output<typeof openInvitation>;

const token = z.string('The link is incomplete.').max(100, "This link isn't valid.");
const coachId = z.uuid();
const invitationId = z.uuid();

export const businessesApi = {
  searchCoaches: endpoint({
    method: 'GET',
    path: '/api/coaches',
    operationId: 'search_coaches',
    gate: 'public',
    input: z.object({
      /** Part of a name. */
      search: z
        .string('Enter part of the name.')
        .trim()
        .min(2, 'Enter at least 2 letters of the name.')
        .max(60, 'Enter at most 60 characters.'),
    }),
    output: z.object({ coaches: z.array(coachChoice) }),
    summary: 'Active coaches by part of their name, at most 8, by name.',
  }),
  getCoach: endpoint({
    method: 'GET',
    path: '/api/coaches/:coachId',
    operationId: 'get_coach',
    gate: 'public',
    input: z.object({ coachId }),
    output: z.object({ coach: coachChoice }),
    summary: 'An active coach by id.',
  }),
  getBusiness: endpoint({
    method: 'GET',
    path: '/api/coach/business',
    operationId: 'get_business',
    gate: 'coach',
    input: z.object({}),
    output: z.object({ business: business.nullable(), businessRole: businessRole.nullable() }),
    summary: "The coach's business and the coach's role in it; null before there is one.",
  }),
  saveBusiness: endpoint({
    method: 'PUT',
    path: '/api/coach/business',
    operationId: 'save_business',
    gate: 'coach',
    input: businessInput,
    output: z.object({ business }),
    summary: 'Founds the business of the coach, or changes it; only for its owners.',
  }),
  getCoachProfile: endpoint({
    method: 'GET',
    path: '/api/coach/profile',
    operationId: 'get_coach_profile',
    gate: 'coach',
    input: z.object({}),
    output: z.object({ coachProfile }),
    summary: 'What customers read of the coach.',
  }),
  saveCoachProfile: endpoint({
    method: 'PUT',
    path: '/api/coach/profile',
    operationId: 'save_coach_profile',
    gate: 'coach',
    input: coachProfileInput,
    output: z.object({ coachProfile }),
    summary: 'Changes what customers read of the coach.',
  }),
  listTeam: endpoint({
    method: 'GET',
    path: '/api/coach/team',
    operationId: 'list_team',
    gate: 'coach',
    input: z.object({}),
    output: z.object({
      team: z
        .object({
          businessId: z.uuid(),
          businessName: z.string(),
          members: z.array(teamMember),
          /** Empty for members who are not owners. */
          invitations: z.array(openInvitation),
        })
        .nullable(),
    }),
    summary: "The members of the coach's team and its open invitations; null without a business.",
  }),
  changeBusinessRole: endpoint({
    method: 'PUT',
    path: '/api/coach/team/:coachId/business-role',
    operationId: 'change_business_role',
    gate: 'coach',
    input: z.object({ coachId, businessRole }),
    output: z.object({}),
    summary: 'Makes another member of the team an owner or an employee; only for owners.',
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/api/coach/team/:coachId',
    operationId: 'remove_team_member',
    gate: 'coach',
    input: z.object({ coachId }),
    output: z.object({}),
    summary: 'Takes another member out of the team; only for owners.',
  }),
  leaveTeam: endpoint({
    method: 'POST',
    path: '/api/coach/team/departure',
    operationId: 'leave_team',
    gate: 'coach',
    input: z.object({
      /** The last owner's explicit consent; ignored if another owner takes over. */
      endsBusiness: z.boolean().default(false),
    }),
    output: z.object({ hasEnded: z.boolean() }),
    summary: 'Takes the coach out of the team. With its last owner the business ends, if that is said.',
  }),
  inviteCoach: endpoint({
    method: 'POST',
    path: '/api/coach/team/invitations',
    operationId: 'invite_coach',
    gate: 'coach',
    input: inviteInput,
    output: z.object({ invitation: openInvitation }),
    summary: 'Emails somebody a link with which a coach can join the team; only for owners.',
  }),
  resendInvitation: endpoint({
    method: 'POST',
    path: '/api/coach/team/invitations/:invitationId/email',
    operationId: 'resend_invitation',
    gate: 'coach',
    input: z.object({ invitationId }),
    output: z.object({ invitation: openInvitation }),
    summary: 'Emails the invitation again with a new link; the link before stops working.',
  }),
  withdrawInvitation: endpoint({
    method: 'DELETE',
    path: '/api/coach/team/invitations/:invitationId',
    operationId: 'withdraw_invitation',
    gate: 'coach',
    input: z.object({ invitationId }),
    output: z.object({}),
    summary: 'Takes an open invitation back; its link stops working.',
  }),
  getInvitation: endpoint({
    method: 'GET',
    path: '/api/team-invitation',
    operationId: 'get_team_invitation',
    gate: 'public',
    input: z.object({ token }),
    output: z.object({
      businessName: z.string(),
      invitedBy: z.string(),
      expiresAt: z.string(),
      /** Why the caller cannot respond at all, or cannot accept; null if nothing prevents it. */
      obstacle: z.object({ code: z.string(), message: z.string() }).nullable(),
      joinObstacle: z.string().nullable(),
      /** If the caller is not a coach: whether they have applied. Null for coaches. */
      application: z.enum(['possible', 'sent']).nullable(),
    }),
    summary: 'The invitation of a link, and whether the caller can answer it.',
  }),
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/api/team-invitation/acceptance',
    operationId: 'accept_team_invitation',
    gate: 'signedIn',
    input: z.object({ token }),
    output: z.object({ businessName: z.string() }),
    summary: 'Joins the team one was invited to, as an employee. The link works once.',
  }),
  applyToCoach: endpoint({
    method: 'POST',
    path: '/api/team-invitation/application',
    operationId: 'apply_to_coach',
    gate: 'signedIn',
    input: z.object({ token }),
    output: z.object({}),
    summary:
      'Asks the admins for the coach role, as somebody who was invited into a team. Repeating it is fine.',
  }),
  declineInvitation: endpoint({
    method: 'POST',
    path: '/api/team-invitation/refusal',
    operationId: 'decline_team_invitation',
    gate: 'signedIn',
    input: z.object({ token }),
    output: z.object({}),
    summary: 'Declines an invitation. The link works once.',
  }),
};
