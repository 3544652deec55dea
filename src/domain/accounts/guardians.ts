import type { Refusal } from '../errors.ts';
import { maxGuardians } from './participants.ts';

export const guardianInvitationStatuses = ['pending', 'accepted', 'declined', 'withdrawn'] as const;
export type GuardianInvitationStatus = (typeof guardianInvitationStatuses)[number];

/** How long the link of an invitation is valid, in days. */
export const guardianInvitationDays = 7;

type Invitation = { status: GuardianInvitationStatus; isExpired: boolean; email: string };

const closedMessages: Record<Exclude<GuardianInvitationStatus, 'pending'>, string> = {
  accepted: 'This invitation has already been accepted.',
  declined: 'This invitation was declined.',
  withdrawn: 'This invitation was withdrawn.',
};

/** Refuses a second or late response, and anyone without the invited email address. */
export function refuseGuardianAnswer(invitation: Invitation, person: { email: string } | null): Refusal {
  if (invitation.status !== 'pending')
    return { code: 'conflict', message: closedMessages[invitation.status] };
  if (invitation.isExpired) {
    return { code: 'conflict', message: 'This invitation has expired. Ask for a new one.' };
  }
  if (!person) return { code: 'unauthenticated', message: 'Please sign in to respond to this invitation.' };
  if (person.email === invitation.email) return null;
  return {
    code: 'forbidden',
    message:
      'This invitation was sent to another email address. Sign in with that address, or ask for a new invitation to be sent to your own.',
  };
}

/** Refuses a person who is already a guardian, and more guardians than a dependant may have. */
export function refuseBecomeGuardian({
  isGuardian,
  guardians,
}: {
  isGuardian: boolean;
  guardians: number;
}): Refusal {
  if (isGuardian) return { code: 'conflict', message: 'This person is already a guardian.' };
  if (guardians < maxGuardians) return null;
  return { code: 'conflict', message: `A dependant can have up to ${maxGuardians} guardians.` };
}
