import { type Role, roles } from '../access.ts';
import type { Refusal } from '../errors.ts';

/**
 * A new profile with the customer role. Its name is the one given at sign-up, or else the email address. "Unknown"
 * stands for a missing address.
 */
export function newProfileOf(user: { email: string | null; fullName: string | null }): {
  email: string;
  fullName: string;
  roles: Role[];
} {
  const email = user.email || 'Unknown';
  return { email, fullName: user.fullName || email, roles: ['customer'] };
}

/** Adds or removes one role. Returns the list in the order of {@link roles}, without duplicates. */
export function changeRoles(before: readonly Role[], change: { add?: Role; remove?: Role }): Role[] {
  return roles.filter((role) => role !== change.remove && (before.includes(role) || role === change.add));
}

/**
 * Refuses to revoke the admin role of the last admin, because nobody could then open the admin panel. `holderIds`: the
 * people who have the role.
 */
export function refuseRevokeRole(role: Role, holderIds: readonly string[], userId: string): Refusal {
  const isLastAdmin = role === 'admin' && holderIds.length === 1 && holderIds[0] === userId;
  if (!isLastAdmin) return null;
  return {
    code: 'conflict',
    message: 'This is the last admin. Make someone else an admin first.',
  };
}
