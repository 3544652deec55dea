import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { businessName, instant, personName } from '../fields.ts';
import { type OpenInvitation, openInvitation } from './business.ts';
import { inviteInput } from './rules.ts';

export type { OpenInvitation };

const token = z
  .string('The link is incomplete.')
  .max(100, "This link isn't valid.")
  .meta({ description: "From the invitation's link.", examples: ['pkRr0J5mYk8w'] });
const invitationId = z.uuid().describe('The invitation.');

/** Endpoints for invitations to a team. Its owners send and withdraw them; the people invited accept or decline. */
export const invitationsApi = {
  inviteCoach: endpoint({
    method: 'POST',
    path: '/api/coach/team/invitations',
    operationId: 'invite_coach',
    gate: 'coach',
    summary: 'Invite a coach',
    description: 'Emails a link with which a coach can join the team; only for owners.',
    refusals: ['conflict', 'not_found'],
    input: inviteInput,
    output: z.object({ invitation: openInvitation }),
  }),
  resendInvitation: endpoint({
    method: 'POST',
    path: '/api/coach/team/invitations/:invitationId/email',
    operationId: 'resend_invitation',
    gate: 'coach',
    summary: 'Resend an invitation',
    description: 'Emails the invitation again with a new link; the earlier link stops working.',
    refusals: ['conflict'],
    input: z.object({ invitationId }),
    output: z.object({ invitation: openInvitation }),
  }),
  withdrawInvitation: endpoint({
    method: 'DELETE',
    path: '/api/coach/team/invitations/:invitationId',
    operationId: 'withdraw_invitation',
    gate: 'coach',
    summary: 'Withdraw an invitation',
    description: 'Withdraws a pending invitation; its link stops working.',
    refusals: ['conflict'],
    input: z.object({ invitationId }),
    output: z.object({}),
  }),
  getInvitation: endpoint({
    method: 'GET',
    path: '/api/team-invitation',
    operationId: 'get_team_invitation',
    gate: 'public',
    summary: 'Get an invitation',
    description: 'The invitation that a link belongs to, and whether the caller can respond to it.',
    refusals: ['not_found'],
    input: z.object({ token }),
    output: z.object({
      businessName,
      invitedBy: personName,
      expiresAt: instant,
      obstacle: z
        .object({
          code: z.string().meta({ examples: ['conflict'] }),
          message: z.string().meta({ examples: ['This invitation has expired.'] }),
        })
        .nullable()
        .describe('Why the caller cannot respond; null if they can.'),
      joinObstacle: z
        .string()
        .meta({ examples: ['Only coaches can join a team.'] })
        .nullable()
        .describe('Why the caller can decline but not accept; null if they can accept, or cannot respond.'),
      application: z
        .enum(['possible', 'sent'])
        .nullable()
        .describe(
          '`sent` if the caller has applied to become a coach, `possible` if they can apply; null if they are already a coach.',
        ),
    }),
  }),
  acceptInvitation: endpoint({
    method: 'POST',
    path: '/api/team-invitation/acceptance',
    operationId: 'accept_team_invitation',
    gate: 'signedIn',
    summary: 'Accept an invitation',
    description: 'Joins the team as an employee. The link can be used once.',
    refusals: ['conflict', 'forbidden', 'not_found'],
    input: z.object({ token }),
    output: z.object({ businessName }),
  }),
  declineInvitation: endpoint({
    method: 'POST',
    path: '/api/team-invitation/refusal',
    operationId: 'decline_team_invitation',
    gate: 'signedIn',
    summary: 'Decline an invitation',
    description: 'Declines an invitation. The link can be used once.',
    refusals: ['conflict', 'forbidden', 'not_found'],
    input: z.object({ token }),
    output: z.object({}),
  }),
};
