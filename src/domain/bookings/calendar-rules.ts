import type { Role } from '../access.ts';

/** The lessons that a calendar feed shows: the owner's booked lessons, or the lessons that the owner coaches. */
export const feedScopes = ['customer', 'coach'] as const satisfies Role[];
export type FeedScope = (typeof feedScopes)[number];

/** For how many days a feed still shows lessons that have ended or been cancelled. */
export const feedPastDays = 30;

/** How often calendar programs should read a feed, in seconds. */
export const feedTtlSeconds = 3_600;

/**
 * A feed counts as used if it was read within this many days. The owner of a used feed gets emails without calendar
 * invitations, so that no lesson is in the calendar twice.
 */
export const feedUseDays = 7;

/**
 * An attendee's name in a feed: the first name and an initial, "Alex M.". People other than the coach may find out
 * the feed's address, so a feed contains no attendee's surname, and no email address or telephone number that was
 * entered as a name.
 */
export function shortenName(fullName: string | null): string {
  const [first, ...others] = (fullName ?? '').trim().split(/\s+/);
  if (!first || /\d/.test(first) || fullName?.includes('@')) return 'Anonymous';
  const initial = [...(others.at(-1) ?? '')][0];
  return initial && /\p{L}/u.test(initial) ? `${first} ${initial.toUpperCase()}.` : first;
}

/** A feed's address with the scheme `webcal`. A calendar program opens such an address and offers to subscribe. */
export const webcalAddress = (address: string): string => address.replace(/^https?:/, 'webcal:');
