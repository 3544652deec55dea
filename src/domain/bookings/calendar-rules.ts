import type { Role } from '../access.ts';

/** The lessons that a calendar feed shows: those that its owner has booked, or those that its owner gives. */
export const feedScopes = ['customer', 'coach'] as const satisfies Role[];
export type FeedScope = (typeof feedScopes)[number];

/** How long a feed shows past lessons, and lessons after they were cancelled, in days. */
export const feedPastDays = 30;

/** How often calendar programs should read a feed, in seconds. */
export const feedTtlSeconds = 3_600;

/**
 * A feed that was read within this many days is in use. Its owner gets emails without invitations, so that no lesson
 * is in the calendar twice.
 */
export const feedUseDays = 7;

/**
 * An attendee's name in a feed: the first name and an initial, "Alex M.". People other than the coach may come to know
 * a feed's address, so it contains no full names, and no email address or telephone number that was given as a name.
 */
export function shortenName(fullName: string | null): string {
  const [first, ...others] = (fullName ?? '').trim().split(/\s+/);
  if (!first || /\d/.test(first) || fullName?.includes('@')) return 'Anonymous';
  const initial = [...(others.at(-1) ?? '')][0];
  return initial && /\p{L}/u.test(initial) ? `${first} ${initial.toUpperCase()}.` : first;
}

/** The address of a feed with the scheme `webcal`, with which a link opens the calendar program to subscribe. */
export const webcalAddress = (address: string): string => address.replace(/^https?:/, 'webcal:');
