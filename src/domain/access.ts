/** The product's roles. A profile has a list of roles. */
export const roles = ['customer', 'coach', 'admin'] as const;
export type Role = (typeof roles)[number];

export const roleNames: Record<Role, string> = { customer: 'Customer', coach: 'Coach', admin: 'Admin' };

/** Who may call an endpoint. The endpoint itself checks ownership. */
export type Gate = 'public' | 'signedIn' | Role;

/** A signed-in person with their current roles. */
export type Person = {
  userId: string;
  roles: readonly Role[];
  sessionId: string;
  /** True for an admin without the required two-step sign-in; `roles` omits `admin` until it is set up. */
  isTwoStepMissing?: boolean;
  /** Whether the person entered their password or an authenticator code in this session in the last 15 minutes. */
  isRecentlyAuthenticated?: boolean;
};
/** A signed-in person, or the name of the job, command or service that acts. */
export type Actor = Person | { system: string };

/** What the Access Denied screen and the API's 403 response say to a person without the required role, by role. */
export const deniedMessages: Record<Role, string> = {
  customer: 'You need customer permissions to access this area.',
  coach: 'You need coach permissions to access this area.',
  admin: "You don't have permission to access this page.",
};

/** Shown to an admin without two-step sign-in if the operator requires it. */
export const twoStepMessage =
  'Admins need two-step sign-in. Set up an authenticator app on your account page (/account), then come back to this page.';

/** True if a person with these roles may pass the gate; `null` is a signed-out visitor. */
export function isAllowed(gate: Gate, person: { roles: readonly Role[] } | null): boolean {
  if (gate === 'public') return true;
  if (!person) return false;
  return gate === 'signedIn' || person.roles.includes(gate);
}
