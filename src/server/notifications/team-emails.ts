import type { Email } from '#server/platform/email.ts';

/** What happened to somebody's place in a team. */
export type TeamChange = 'removed' | 'made owner' | 'made employee' | 'took over' | 'ended';

const words: Record<TeamChange, (businessName: string) => { subject: string; text: string }> = {
  removed: (businessName) => ({
    subject: `You are no longer in the team of ${businessName}`,
    text: `you were removed from the team of ${businessName}. You stay a coach and keep all your lessons, bookings and
earnings. To come back you need a new invitation.`,
  }),
  'made owner': (businessName) => ({
    subject: `You are an owner of ${businessName} now`,
    text: `you were made an owner of ${businessName}. You can change the business now, invite and remove members, and
change their roles.`,
  }),
  'made employee': (businessName) => ({
    subject: `Your role in ${businessName} has changed`,
    text: `you are an employee of ${businessName} now, no longer an owner. You stay in the team and keep all your
lessons, bookings and earnings.`,
  }),
  'took over': (businessName) => ({
    subject: `You have taken over ${businessName}`,
    text: `the owner of ${businessName} is no longer a coach, so we have made you its owner. You can change the business
now, invite and remove members, and change their roles.`,
  }),
  ended: (businessName) => ({
    subject: `${businessName} has ended`,
    text: `the owner has ended ${businessName}, so its team is no more. You stay a coach and keep all your lessons,
bookings and earnings.`,
  }),
};

/** Tells a member of a team what was changed for them by somebody else; `teamUrl` is the page of the team. */
export function composeTeamEmail(
  change: TeamChange,
  {
    to,
    fullName,
    businessName,
    teamUrl,
    brand,
  }: { to: string; fullName: string; businessName: string; teamUrl: string; brand: string },
): Email {
  const { subject, text } = words[change](businessName);
  return {
    to,
    subject,
    text: `Hello ${fullName},

${text}

Your team:

${teamUrl}

${brand}
`,
  };
}
