import type { NotificationMessage } from '#domain/message.ts';
import { greet } from '../templates/greet.ts';

/** A change to a person's membership of a team. */
export type TeamChange = 'removed' | 'made owner' | 'made employee' | 'took over' | 'ended';

const words: Record<TeamChange, (businessName: string) => { subject: string; summary: string }> = {
  removed: (businessName) => ({
    subject: `You are no longer a member of ${businessName}`,
    summary: `You were removed from the team of ${businessName}. You remain a coach and keep all your lessons, bookings and earnings. To come back, you need a new invitation.`,
  }),
  'made owner': (businessName) => ({
    subject: `You are now an owner of ${businessName}`,
    summary: `You are now an owner of ${businessName}. You can change the business, invite and remove members, and change their roles.`,
  }),
  'made employee': (businessName) => ({
    subject: `Your role in ${businessName} has changed`,
    summary: `You are now an employee of ${businessName} and no longer an owner. You remain in the team and keep all your lessons, bookings and earnings.`,
  }),
  'took over': (businessName) => ({
    subject: `You have taken over ${businessName}`,
    summary: `The owner of ${businessName} is no longer a coach, so we've made you its owner. You can change the business, invite and remove members, and change their roles.`,
  }),
  ended: (businessName) => ({
    subject: `${businessName} has ended`,
    summary: `The owner has ended ${businessName}, so its team no longer exists. You remain a coach and keep all your lessons, bookings and earnings.`,
  }),
};

/** Notifies a member of a team of a change made by someone else. */
export function composeTeamMessage(
  change: TeamChange,
  { fullName, businessName }: { fullName: string; businessName: string },
): NotificationMessage {
  const { subject, summary } = words[change](businessName);
  return {
    subject,
    summary,
    body: [greet(fullName), summary],
    action: { label: 'See your team', path: '/coach/team' },
  };
}
