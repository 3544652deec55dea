import type { NotificationMessage } from '#domain/message.ts';

/**
 * Asks an admin to decide whether an invited person becomes a coach; `usersUrl` shows the person in the list of users.
 */
export function composeApplicationMessage({
  fullName,
  applicant,
  businessName,
  invitedBy,
  usersUrl,
  brand,
}: {
  fullName: string;
  applicant: string;
  businessName: string;
  invitedBy: string;
  usersUrl: string;
  brand: string;
}): NotificationMessage {
  return {
    subject: `${applicant} wants to become a coach`,
    summary: `${invitedBy} has invited them to the team of ${businessName}.`,
    path: pathOf(usersUrl),
    text: `Hello ${fullName},

${invitedBy} has invited ${applicant} to the team of ${businessName}. ${applicant} isn't a coach on ${brand} yet
and has applied to become one.

To approve, give them the coach role here:

${usersUrl}

We'll email ${applicant} when you have done so.

${brand}
`,
  };
}

/** Notifies a new coach that they can accept the invitation they applied with; `url` is the landing page. */
export function composeCoachRoleMessage({
  fullName,
  businessName,
  url,
  brand,
}: {
  fullName: string;
  businessName: string;
  url: string;
  brand: string;
}): NotificationMessage {
  return {
    subject: `You are a coach on ${brand}`,
    summary: `To join the team of ${businessName}, open your invitation again.`,
    path: '/coach/calendar',
    text: `Hello ${fullName},

You can now publish lessons on ${brand}. To join the team of ${businessName}, open the link in your invitation again and accept
the invitation. If it has expired, ask for a new invitation.

${url}

${brand}
`,
  };
}

/** Notifies the sender of an invitation that it was accepted or declined; `teamUrl` is the team's page. */
export function composeInvitationAnswerMessage({
  fullName,
  invited,
  businessName,
  answer,
  teamUrl,
  brand,
}: {
  fullName: string;
  invited: string;
  businessName: string;
  answer: 'accepted' | 'declined';
  teamUrl: string;
  brand: string;
}): NotificationMessage {
  const result =
    answer === 'accepted'
      ? `${invited} has accepted your invitation and has joined the team of ${businessName}.`
      : `${invited} has declined your invitation to the team of ${businessName}.`;
  return {
    subject: `${invited} has ${answer} your invitation`,
    summary: result,
    path: '/coach/team',
    text: `Hello ${fullName},

${result}

Your team:

${teamUrl}

${brand}
`,
  };
}

const pathOf = (url: string) => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};
