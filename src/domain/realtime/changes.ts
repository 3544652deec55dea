import type { Role } from '../access.ts';

/**
 * What browsers are sent when something changes, by topic. A person joins `user:{id}` and `coach:{id}` with their own
 * id. The names are those that `record_change` writes (migrations/0010_changes.sql and later). What a page reads again
 * for each is in src/web/app/live/what-changed.ts, which the type check keeps complete.
 */
export const changeKinds = {
  user: ['bookings', 'card', 'notifications', 'profile', 'session'],
  coach: ['slots', 'earnings'],
  admin: ['overview', 'payable', 'payruns', 'people', 'refunds'],
} as const satisfies Record<string, readonly string[]>;

export type PrivateTopic = keyof typeof changeKinds;
export type ChangeKind<Topic extends PrivateTopic = PrivateTopic> = (typeof changeKinds)[Topic][number];

/** The role that a private topic requires; null for everybody's own. */
export const roleOfTopic: Record<PrivateTopic, Role | null> = { user: null, coach: 'coach', admin: 'admin' };
