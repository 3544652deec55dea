import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { enteredEmail, instant, personName } from '../fields.ts';
import { isAdult, relation } from './participants.ts';
import { guardianInvitation } from './participants-contract.ts';

const participantId = z.uuid().describe('The dependant.');
const token = z
  .string('The link is incomplete.')
  .max(100, "This link isn't valid.")
  .meta({ description: "From the invitation's link.", examples: ['pkRr0J5mYk8w'] });

/**
 * Endpoints for a dependant's guardians. A guardian invites others by email. Each guardian can see and book for the
 * dependant, and is notified about the lessons. Only the payer of a booking can cancel it.
 */
export const guardiansApi = {
  invite: endpoint({
    method: 'POST',
    path: '/api/participants/:participantId/guardian-invitations',
    operationId: 'invite_guardian',
    gate: 'signedIn',
    summary: 'Invite a guardian',
    description:
      "Emails a link with which the recipient can become another guardian of the dependant. The email doesn't name the dependant.",
    refusals: ['conflict'],
    input: z.object({ participantId, email: enteredEmail }),
    output: z.object({ invitation: guardianInvitation }),
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/api/participants/:participantId/guardian-invitations/:guardianInvitationId',
    operationId: 'withdraw_guardian_invitation',
    gate: 'signedIn',
    summary: 'Withdraw a guardian invitation',
    description: 'Withdraws a pending invitation; its link stops working.',
    refusals: ['conflict'],
    input: z.object({ participantId, guardianInvitationId: z.uuid().describe('The invitation.') }),
    output: z.object({}),
  }),
  getInvitation: endpoint({
    method: 'GET',
    path: '/api/guardian-invitation',
    operationId: 'get_guardian_invitation',
    gate: 'public',
    summary: 'Get a guardian invitation',
    description: 'The invitation that a link belongs to, and whether the caller can respond to it.',
    refusals: ['not_found'],
    input: z.object({ token }),
    output: z.object({
      invitedBy: personName,
      participantName: personName.nullable().describe('Null unless the caller can respond.'),
      expiresAt: instant,
      obstacle: z
        .object({
          code: z.string().meta({ examples: ['conflict'] }),
          message: z.string().meta({ examples: ['This invitation has expired.'] }),
        })
        .nullable()
        .describe('Why the caller cannot respond; null if they can.'),
    }),
  }),
  accept: endpoint({
    method: 'POST',
    path: '/api/guardian-invitation/acceptance',
    operationId: 'accept_guardian_invitation',
    gate: 'signedIn',
    summary: 'Accept a guardian invitation',
    description: 'Makes the caller a guardian. The link can be used once.',
    refusals: ['conflict', 'forbidden', 'not_found', 'unauthenticated'],
    input: z.object({ token, relation, isAdult }),
    output: z.object({ participantId: z.uuid() }),
  }),
  decline: endpoint({
    method: 'POST',
    path: '/api/guardian-invitation/refusal',
    operationId: 'decline_guardian_invitation',
    gate: 'signedIn',
    summary: 'Decline a guardian invitation',
    description: 'Declines the invitation. The link can be used once.',
    refusals: ['conflict', 'forbidden', 'not_found'],
    input: z.object({ token }),
    output: z.object({}),
  }),
  leave: endpoint({
    method: 'DELETE',
    path: '/api/participants/:participantId/guardianship',
    operationId: 'leave_participant',
    gate: 'signedIn',
    summary: 'Stop being a guardian',
    description: 'The caller stops being a guardian of the dependant; refused for the last guardian.',
    refusals: ['conflict'],
    input: z.object({ participantId }),
    output: z.object({}),
  }),
};
