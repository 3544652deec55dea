import type { NotificationMessage } from '#domain/message.ts';

/** A change of a person's membership in a team. */
export type TeamChange = 'removed' | 'made owner' | 'made employee' | 'took over' | 'ended';

const words: Record<TeamChange, (businessName: string) => { subject: string; text: string }> = {
  removed: (businessName) => ({
    subject: `You are no longer a member of ${businessName}`,
    text: `You were removed from the team of ${businessName}. You remain a coach and keep all your lessons, bookings and
earnings. To come back, you need a new invitation.`,
  }),
  'made owner': (businessName) => ({
    subject: `You are now an owner of ${businessName}`,
    text: `You are now an owner of ${businessName}. You can change the business, invite and remove members, and
change their roles.`,
  }),
  'made employee': (businessName) => ({
    subject: `Your role in ${businessName} has changed`,
    text: `You are now an employee of ${businessName} and no longer an owner. You remain in the team and keep all your
lessons, bookings and earnings.`,
  }),
  'took over': (businessName) => ({
    subject: `You have taken over ${businessName}`,
    text: `The owner of ${businessName} is no longer a coach, so we've made you its owner. You can change the
business, invite and remove members, and change their roles.`,
  }),
  ended: (businessName) => ({
    subject: `${businessName} has ended`,
    text: `The owner has ended ${businessName}, so its team no longer exists. You remain a coach and keep all your lessons,
bookings and earnings.`,
  }),
};

/** Notifies a member of a team of a change made by someone else; `teamUrl` is the team's page. */
export function composeTeamMessage(
  change: TeamChange,
  {
    fullName,
    businessName,
    teamUrl,
    brand,
  }: { fullName: string; businessName: string; teamUrl: string; brand: string },
): NotificationMessage {
  const { subject, text } = words[change](businessName);
  return {
    subject,
    summary: text.replaceAll('\n', ' '),
    path: '/coach/team',
    text: `Hello ${fullName},

${text}

Your team:

${teamUrl}

${brand}
`,
  };
}
