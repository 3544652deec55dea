import type { Role } from '#domain/access.ts';
import type { Message } from '../message.ts';

/** Notifies a person that an admin gave them the customer or coach role, or took it; `publicUrl` is where the product is reached. */
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
  /** Name of the admin. */
  by: string;
  isGranted: boolean;
  publicUrl: string;
  brand: string;
}): Message {
  const { path, consequence } = consequences[role][isGranted ? 'granted' : 'taken'];
  return {
    subject: isGranted ? `You are now a ${role} at ${brand}` : `You are no longer a ${role} at ${brand}`,
    text: `Hello ${fullName},

${by} ${isGranted ? `gave you the ${role} role at ${brand}` : `took the ${role} role at ${brand} from you`}. ${consequence}

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
        "You can't book lessons any more. What you have booked stays booked;\nyour bookings, receipts and refunds are still here, and you can cancel by the terms you booked under:",
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
        'Your lessons are no longer listed. Lessons that customers have booked\nstay booked. What you have earned is still paid to you; your earnings and bank details are still here:',
    },
  },
};
