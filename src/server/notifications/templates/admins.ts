import type { NotificationMessage } from '#domain/message.ts';
import { openAccount } from './account.ts';

export const openUsers = { label: 'Open the list of users', path: '/admin/panel?tab=users' };

type RoleChange = {
  /** The name of the person who gained or lost the role. */
  person: string;
  /** Who granted or revoked the role: a name, "The operator", or null if the person gave up the role. */
  by: string | null;
  isGranted: boolean;
  brand: string;
};

/** Notifies a person that they became an admin or lost the admin role. */
export function composeOwnAdminRoleMessage({
  by,
  isGranted,
  brand,
}: Omit<RoleChange, 'person'>): NotificationMessage {
  return {
    subject: isGranted ? `You are now an admin at ${brand}` : `You are no longer an admin at ${brand}`,
    summary: isGranted ? 'You were given the admin role.' : 'Your admin role was removed.',
    body: isGranted
      ? [
          `${by} gave you the admin role at ${brand}.`,
          "As an admin, you can see everyone's bookings and pay the coaches. Please protect your account with two-step sign-in: you can set it up on your account page.",
          "If you didn't expect this, please ask another admin before you use the role.",
        ]
      : [
          `${by ? `${by} removed your` : 'You gave up the'} admin role at ${brand}. Your account and your other roles stay as they are.`,
          ...(by ? [] : ["If this wasn't you, choose a new password immediately and tell another admin."]),
        ],
    action: openAccount,
  };
}

/** Notifies the other admins that someone gained or lost the admin role. */
export function composeAdminRoleMessage({ person, by, isGranted, brand }: RoleChange): NotificationMessage {
  const change = `${describeRoleChange({ person, by, isGranted, brand })}.`;
  return {
    subject: isGranted
      ? `${person} is now an admin at ${brand}`
      : `${person} is no longer an admin at ${brand}`,
    summary: isGranted ? 'They were given the admin role.' : 'They no longer have the admin role.',
    body: [
      change,
      "If this shouldn't have happened, change it back in the Admin Panel under Users, and sign that person out everywhere.",
    ],
    action: openUsers,
  };
}

/** Notifies the other admins that an admin deleted their account. Only the email names the person. */
export function composeAdminLeftMessage({
  person,
  brand,
}: Pick<RoleChange, 'person' | 'brand'>): NotificationMessage {
  return {
    subject: `An admin at ${brand} deleted their account`,
    summary: 'They no longer have the admin role.',
    body: [
      `${person} gave up the admin role at ${brand} by deleting their account.`,
      'You can see who has the admin role in the Admin Panel under Users.',
    ],
    action: openUsers,
  };
}

function describeRoleChange({ person, by, isGranted, brand }: RoleChange): string {
  if (by === null) return `${person} gave up the admin role at ${brand}`;
  if (isGranted) return `${by} gave ${person} the admin role at ${brand}`;
  return `${by} removed the admin role at ${brand} from ${person}`;
}

/** Notifies the other admins that new payruns now need two admins, or need only one admin again. */
export function composePayrunControlMessage({
  by,
  needsSecondAdmin,
  brand,
}: {
  by: string;
  needsSecondAdmin: boolean;
  brand: string;
}): NotificationMessage {
  const consequence = needsSecondAdmin
    ? 'From now on, an admin who creates a payrun can neither download its file nor mark it as paid. Another admin must do both.'
    : 'From now on, one admin alone can create a payrun, download its file and mark it as paid. Payruns that are already pending still need two admins.';
  return {
    subject: needsSecondAdmin
      ? `Payruns at ${brand} now need two admins`
      : `Payruns at ${brand} no longer need two admins`,
    summary: consequence,
    body: [
      `${by} changed a setting at ${brand}. ${consequence}`,
      "If this shouldn't have happened, change it back in the Admin Panel under Settings.",
    ],
    action: { label: 'Open the settings', path: '/admin/panel?tab=settings' },
  };
}
