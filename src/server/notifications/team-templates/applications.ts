import type { NotificationMessage } from '#domain/message.ts';
import { greet } from '../templates/greet.ts';
import {
  describeNeeded,
  firstPage,
  type NeededDocuments,
} from '../verification-templates/needed-documents.ts';

/**
 * Notifies a new coach that they can accept the invitation with which they applied, and of the documents needed for
 * listing.
 */
export function composeCoachRoleMessage({
  fullName,
  businessName,
  brand,
  needed,
}: {
  fullName: string;
  businessName: string;
  brand: string;
  needed: NeededDocuments;
}): NotificationMessage {
  return {
    subject: `You are a coach on ${brand}`,
    summary: `To join the team of ${businessName}, open your invitation again.`,
    body: [
      greet(fullName),
      `You can now publish lessons on ${brand}. To join the team of ${businessName}, open the link in your invitation again and accept the invitation. If it has expired, ask for a new invitation.`,
      ...describeNeeded(needed),
    ],
    action: firstPage(needed),
  };
}

/** Notifies the sender of an invitation that it was accepted or declined. */
export function composeInvitationAnswerMessage({
  fullName,
  invited,
  businessName,
  answer,
}: {
  fullName: string;
  invited: string;
  businessName: string;
  answer: 'accepted' | 'declined';
}): NotificationMessage {
  const result =
    answer === 'accepted'
      ? `${invited} has accepted your invitation and has joined the team of ${businessName}.`
      : `${invited} has declined your invitation to join the team of ${businessName}.`;
  return {
    subject: `${invited} has ${answer} your invitation`,
    summary: result,
    body: [greet(fullName), result],
    action: { label: 'See your team', path: '/coach/team' },
  };
}
