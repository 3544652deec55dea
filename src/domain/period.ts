import { z } from 'zod';
import { addDays, type Instant, instantOf, type PlainDate } from './time.ts';

/** An existing calendar date, such as "2027-03-28", from 1970 to 2999. PostgreSQL has no year 0. */
export const isoDate = z.iso
  .date('Enter the date in the format 2027-03-28.')
  .refine((date) => date >= '1970-01-01' && date < '3000-01-01', 'Choose a date between 1970 and 2999.');

/** The two fields of a period in London dates, both inclusive and both optional. */
export const periodFields = {
  from: isoDate.optional().describe('The first date (London time), inclusive.'),
  to: isoDate.optional().describe('The last date (London time), inclusive.'),
};

export type Period = { from?: PlainDate | undefined; to?: PlainDate | undefined };

/** For `refine`: a period ends no earlier than it begins. */
export const isPeriod = ({ from, to }: Period): boolean => !from || !to || from <= to;
export const periodError = { path: ['to'], message: "The last day can't be before the first day." };

/**
 * The instants of a period: from the London midnight at which its first day starts (inclusive) to the London midnight
 * at which its last day ends (exclusive). Null for a day that is not given.
 */
export function instantsOf({ from, to }: Period): { since: Instant | null; until: Instant | null } {
  const midnight = (date: PlainDate) => instantOf({ date, hour: 0, minute: 0 }).instant;
  return { since: from ? midnight(from) : null, until: to ? midnight(addDays(to, 1)) : null };
}
