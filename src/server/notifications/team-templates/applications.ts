import type { NotificationMessage } from '#domain/message.ts';
import { greet } from '../templates/greet.ts';
import {
  describeNeeded,
  firstPage,
  type NeededDocuments,
} from '../verification-templates/needed-documents.ts';

/** Asks an admin to decide whether an invited person, `applicant` (an email address), becomes a coach. */
export function composeApplicationMessage({
  fullName,
  applicant,
  businessName,
  invitedBy,
  brand,
}: {
  fullName: string;
  applicant: string;
  businessName: string;
  invitedBy: string;
  brand: string;
}): NotificationMessage {
  return {
    subject: `${applicant} wants to become a coach`,
    summary: `They were invited to join the team of ${businessName}.`,
    body: [
      greet(fullName),
      `${invitedBy} has invited ${applicant} to join the team of ${businessName}. ${applicant} isn't a coach on ${brand} yet and has applied to become one.`,
      `To approve, give them the coach role in the Admin Panel under Users. We'll email ${applicant} when you've done that.`,
    ],
    action: {
      label: `Open ${applicant} in the list of users`,
      path: `/admin/panel?${new URLSearchParams({ tab: 'users', search: applicant })}`,
    },
  };
}

/** Notifies a new coach that they can accept the invitation they applied with, and of what is needed to be listed. */
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
