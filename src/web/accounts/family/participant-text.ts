import type { CareState } from '#domain/accounts/care.ts';
import { ageOn } from '#domain/accounts/participants.ts';
import type { Participant } from '#domain/accounts/participants-contract.ts';
import { wallTimeOf } from '#domain/time.ts';

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
});

/** A calendar date without its weekday: "28 May 2016". */
export const formatBirthDate = (date: string): string => dayFormat.format(new Date(`${date}T00:00:00Z`));

/** The age in London today, in years; null without a date of birth. */
export const ageToday = ({ dateOfBirth }: Pick<Participant, 'dateOfBirth'>): number | null =>
  dateOfBirth ? ageOn(dateOfBirth, wallTimeOf(Date.now()).date) : null;

/** The state of a dependant's care details. People need none for themselves. */
export const careLabels: Record<CareState, { label: string; tone: 'success' | 'warning' }> = {
  missing: { label: 'Care details missing', tone: 'warning' },
  due: { label: 'Care details to check', tone: 'warning' },
  confirmed: { label: 'Care details up to date', tone: 'success' },
};

/** Formats the number of upcoming lessons: "3 upcoming lessons", "No upcoming lessons". */
export function describeUpcoming({ upcomingLessons: count }: Pick<Participant, 'upcomingLessons'>): string {
  if (count === 0) return 'No upcoming lessons';
  return count === 1 ? '1 upcoming lesson' : `${count} upcoming lessons`;
}
