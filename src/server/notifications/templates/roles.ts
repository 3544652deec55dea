import type { Role } from '#domain/access.ts';
import type { NotificationMessage } from '#domain/message.ts';
import {
  describeNeeded,
  firstPage,
  type NeededDocuments,
} from '../verification-templates/needed-documents.ts';
import { greet } from './greet.ts';

/** Notifies a person that an admin granted or revoked their customer or coach role. */
export function composeRoleMessage({
  fullName,
  role,
  by,
  isGranted,
  brand,
  needed,
}: {
  fullName: string;
  role: Exclude<Role, 'admin'>;
  /** The name of the admin who made the change. */
  by: string;
  isGranted: boolean;
  brand: string;
  /** The documents that a new coach needs for listing; null for other changes. */
  needed: NeededDocuments | null;
}): NotificationMessage {
  const { consequence, action } = consequences[role][isGranted ? 'granted' : 'taken'];
  return {
    subject: isGranted ? `You are now a ${role} at ${brand}` : `You are no longer a ${role} at ${brand}`,
    summary: isGranted ? 'An admin gave you this role.' : 'An admin removed this role.',
    body: [
      greet(fullName),
      `${by} ${isGranted ? `gave you the ${role} role at ${brand}` : `removed your ${role} role at ${brand}`}. ${consequence}`,
      ...(needed ? describeNeeded(needed) : []),
    ],
    action: needed ? firstPage(needed) : action,
  };
}

const consequences = {
  customer: {
    granted: {
      consequence: 'You can book lessons.',
      action: { label: 'Find a lesson', path: '/customer/discover' },
    },
    taken: {
      consequence:
        "You can no longer book lessons. Lessons you've booked stay booked, and you can still cancel them under their terms. You can still see your bookings, receipts and refunds.",
      action: { label: 'See your bookings', path: '/customer/my-bookings' },
    },
  },
  coach: {
    granted: {
      consequence: 'You can publish lessons and manage your calendar.',
      action: { label: 'Open your calendar', path: '/coach/calendar' },
    },
    taken: {
      consequence:
        "Your lessons are no longer listed. Lessons that customers have booked stay booked. We'll still pay what you have earned. You can still see your earnings and bank details.",
      action: { label: 'See your earnings', path: '/coach/earnings' },
    },
  },
};
