import { type Role, roles } from '../access.ts';
import type { Refusal } from '../errors.ts';

/** Characters of a password (UTF-16 units), both ends included. */
export const passwordLength = { min: 8, max: 200 };

/** Why a new password is too weak: the sentence to show and the reason by auth-js's name; null where it is fine. */
export function findPasswordWeakness(password: string): { message: string; reasons: ['length'] } | null {
  if (password.length < passwordLength.min) {
    return {
      message: `Choose a password of at least ${passwordLength.min} characters.`,
      reasons: ['length'],
    };
  }
  if (password.length > passwordLength.max) {
    return { message: `Choose a password of at most ${passwordLength.max} characters.`, reasons: ['length'] };
  }
  return null;
}

/** A profile as it begins: everyone is a customer, named as at sign-up, else by the address. */
export function newProfileOf(user: { email: string | null; fullName: string | null }): {
  email: string;
  fullName: string;
  roles: Role[];
} {
  const email = user.email || 'Unknown';
  return { email, fullName: user.fullName || email, roles: ['customer'] };
}

/** The list with one role more or less, in the order of {@link roles} and each once. */
export function changeRoles(before: readonly Role[], change: { add?: Role; remove?: Role }): Role[] {
  return roles.filter((role) => role !== change.remove && (before.includes(role) || role === change.add));
}

/** Taking the admin role from the only person who holds it would lock everyone out of the admin panel. */
export function refuseRevokeRole(role: Role, holderIds: readonly string[], userId: string): Refusal {
  const isLastAdmin = role === 'admin' && holderIds.length === 1 && holderIds[0] === userId;
  if (!isLastAdmin) return null;
  return {
    code: 'conflict',
    message: 'This is the last admin. Make somebody else an admin first.',
  };
}
