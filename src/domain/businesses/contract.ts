import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { businessName, coachAddress } from '../fields.ts';
import {
  type Business,
  business,
  businessRole,
  type CoachChoice,
  type CoachProfile,
  coachChoice,
  coachProfile,
  openInvitation,
  type PublicCoach,
  type TeamMember,
  teamMember,
} from './business.ts';
import { businessInput, coachProfileInput } from './rules.ts';

export type { Business, CoachChoice, CoachProfile, PublicCoach, TeamMember };

const coachId = z.uuid().describe('The coach.');

/**
 * Endpoints for coaches' profiles, businesses and teams. Invitations to a team are in
 * invitations-contract.ts.
 */
export const businessesApi = {
  searchCoaches: endpoint({
    method: 'GET',
    path: '/api/coaches',
    operationId: 'search_coaches',
    gate: 'public',
    summary: 'Search for coaches',
    description: 'Finds active, listed coaches by part of their name. Returns at most 8, in order of name.',
    input: z.object({
      search: z
        .string('Enter part of the name.')
        .trim()
        .min(2, 'Enter at least 2 letters of the name.')
        .max(60, 'Enter at most 60 characters.')
        .meta({ description: 'Part of a name.', examples: ['alex'] }),
    }),
    output: z.object({ coaches: z.array(coachChoice) }),
  }),
  getCoach: endpoint({
    method: 'GET',
    path: '/api/coaches/:coachId',
    operationId: 'get_coach',
    gate: 'public',
    summary: 'Get a coach',
    description: 'An active, listed coach by id.',
    input: z.object({ coachId }),
    output: z.object({ coach: coachChoice }),
  }),
  getBusiness: endpoint({
    method: 'GET',
    path: '/api/coach/business',
    operationId: 'get_business',
    gate: 'coach',
    summary: 'Get my business',
    description: "The coach's business and their role in it; null without a business.",
    input: z.object({}),
    output: z.object({ business: business.nullable(), businessRole: businessRole.nullable() }),
  }),
  saveBusiness: endpoint({
    method: 'PUT',
    path: '/api/coach/business',
    operationId: 'save_business',
    gate: 'coach',
    summary: 'Create or change my business',
    description: "Creates the coach's business, or changes it; only its owners may change it.",
    refusals: ['conflict'],
    input: businessInput,
    output: z.object({ business }),
  }),
  getCoachProfile: endpoint({
    method: 'GET',
    path: '/api/coach/profile',
    operationId: 'get_coach_profile',
    gate: 'coach',
    summary: 'Get my coach profile',
    description: "The coach's profile as customers see it.",
    input: z.object({}),
    output: z.object({ coachProfile, coachAddress }),
  }),
  saveCoachProfile: endpoint({
    method: 'PUT',
    path: '/api/coach/profile',
    operationId: 'save_coach_profile',
    gate: 'coach',
    summary: 'Change my coach profile',
    description: 'Changes the profile that customers see.',
    input: coachProfileInput,
    output: z.object({ coachProfile }),
  }),
  listTeam: endpoint({
    method: 'GET',
    path: '/api/coach/team',
    operationId: 'list_team',
    gate: 'coach',
    summary: 'List my team',
    description: "The members of the coach's team and its pending invitations; null without a business.",
    input: z.object({}),
    output: z.object({
      team: z
        .object({
          businessId: z.uuid(),
          businessName,
          members: z.array(teamMember),
          invitations: z.array(openInvitation).describe('Empty for members who are not owners.'),
        })
        .nullable(),
    }),
  }),
  changeBusinessRole: endpoint({
    method: 'PUT',
    path: '/api/coach/team/members/:coachId/business-role',
    operationId: 'change_business_role',
    gate: 'coach',
    summary: "Change a member's role",
    description: 'Makes another member of the team an owner or an employee; only for owners.',
    refusals: ['conflict'],
    input: z.object({ coachId, businessRole }),
    output: z.object({}),
  }),
  setWelfareOfficer: endpoint({
    method: 'PUT',
    path: '/api/coach/team/members/:coachId/welfare-officer',
    operationId: 'set_welfare_officer',
    gate: 'coach',
    summary: 'Name or remove a welfare officer',
    description:
      "Makes another member of the team a welfare officer, who can open the registers of the team's lessons, or ends that role; only for owners.",
    refusals: ['conflict'],
    input: z.object({ coachId, isWelfareOfficer: z.boolean('Choose yes or no.') }),
    output: z.object({}),
  }),
  removeMember: endpoint({
    method: 'DELETE',
    path: '/api/coach/team/members/:coachId',
    operationId: 'remove_team_member',
    gate: 'coach',
    summary: 'Remove a member',
    description: 'Removes another member from the team; only for owners.',
    refusals: ['conflict'],
    input: z.object({ coachId }),
    output: z.object({}),
  }),
  leaveTeam: endpoint({
    method: 'POST',
    path: '/api/coach/team/departure',
    operationId: 'leave_team',
    gate: 'coach',
    summary: 'Leave the team',
    description: 'Removes the coach from the team. The last owner has to confirm that the business ends.',
    refusals: ['conflict', 'not_found'],
    input: z.object({
      endsBusiness: z
        .boolean()
        .default(false)
        .describe(
          'Whether the last owner confirms that the business ends; ignored if another owner takes over.',
        ),
    }),
    output: z.object({ hasEnded: z.boolean().describe('Whether the business has ended.') }),
  }),
};
