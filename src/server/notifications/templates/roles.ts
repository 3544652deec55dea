import type { Role } from '#domain/access.ts';
import type { NotificationMessage } from '#domain/message.ts';

/**
 * Notifies a person that an admin granted or revoked their customer or coach role. `publicUrl` is the start of every
 * link.
 */
export function composeRoleMessage({
  fullName,
  role,
  by,
  isGranted,
  publicUrl,
  brand,
}: {
  fullName: string;
  role: Exclude<Role, 'admin'>;
  /** The name of the admin who made the change. */
  by: string;
  isGranted: boolean;
  publicUrl: string;
  brand: string;
}): NotificationMessage {
  const { path, consequence } = consequences[role][isGranted ? 'granted' : 'taken'];
  return {
    subject: isGranted ? `You are now a ${role} at ${brand}` : `You are no longer a ${role} at ${brand}`,
    summary: `${by} ${isGranted ? 'gave you' : 'removed'} this role.`,
    path,
    text: `Hello ${fullName},

${by} ${isGranted ? `gave you the ${role} role at ${brand}` : `removed your ${role} role at ${brand}`}. ${consequence}

${publicUrl}${path}

${brand}
`,
  };
}

const consequences = {
  customer: {
    granted: { path: '/discover', consequence: 'You can book lessons:' },
    taken: {
      path: '/customer/my-bookings',
      consequence:
        "You can no longer book lessons. Lessons you've booked stay booked,\nand you can still cancel them under their terms. Your bookings, receipts and refunds are still here:",
    },
  },
  coach: {
    granted: {
      path: '/coach/calendar',
      consequence: 'You can publish lessons and run your calendar here:',
    },
    taken: {
      path: '/coach/earnings',
      consequence:
        "Your lessons are no longer listed. Lessons that customers have booked\nstay booked. We'll still pay what you have earned. Your earnings and bank details are still here:",
    },
  },
};
