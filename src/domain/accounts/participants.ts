import { z } from 'zod';
import type { Refusal } from '../errors.ts';
import { oneLine } from '../text.ts';
import type { PlainDate } from '../time.ts';

export const participantKinds = ['self', 'dependant'] as const;
export type ParticipantKind = (typeof participantKinds)[number];

/** A guardian's relationship to a dependant, with labels. */
export const relationNames = {
  parent: 'Parent',
  grandparent: 'Grandparent',
  relative: 'Other relative',
  carer: 'Carer',
  other: 'Other',
} as const;
export type Relation = keyof typeof relationNames;
export const relations = Object.keys(relationNames) as [Relation, ...Relation[]];

/** How many people one person may book for, including themselves. */
export const maxParticipants = 10;

/** How many guardians a dependant may have. */
export const maxGuardians = 4;

const earliestBirth = '1900-01-01';

export const fullName = oneLine('Enter a name.')
  .min(1, 'Enter a name.')
  .max(200, "The name can't be longer than 200 characters.")
  .meta({ examples: ['Mia Morgan'] });

export const knownAs = oneLine()
  .max(50, "This name can't be longer than 50 characters.")
  .meta({ examples: ['Mia'] })
  .transform((name) => name || null);

export const dateOfBirth = z.iso
  .date('Enter the date of birth in the format 2016-05-28.')
  .refine((date) => date >= earliestBirth, 'Enter the year of birth with four digits, like 2016.');

export const relation = z.enum(relations, 'Choose a relationship.');

/** Account holders confirm this before they may act for someone else. */
export const isAdult = z
  .literal(true, 'Confirm that you are 18 or over.')
  .describe('The declaration that the caller is 18 or over.');

/** A participant's name in messages: the name they go by, or else the full name. */
export const nameParticipant = (participant: { fullName: string; knownAs: string | null }): string =>
  participant.knownAs || participant.fullName;

/** The name that coaches use for a participant, shown beside the full name; null if the full name begins with it. */
export const nicknameOf = ({ fullName, knownAs }: { fullName: string; knownAs: string | null }) =>
  knownAs && !fullName.startsWith(knownAs) ? knownAs : null;

/**
 * The age in whole years on a calendar date. In a year that isn't a leap year, someone born on 29 February becomes a
 * year older on 1 March, as in the law of England and Wales.
 */
export function ageOn(dateOfBirth: PlainDate, date: PlainDate): number {
  const years = Number(date.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return date.slice(5) < dateOfBirth.slice(5) ? years - 1 : years;
}

/** Refuses a date of birth after `today` (London). */
export function refuseDateOfBirth(dateOfBirth: PlainDate, today: PlainDate): Refusal {
  if (dateOfBirth <= today) return null;
  const message = "The date of birth can't be in the future.";
  return { code: 'unprocessable', message, fields: { dateOfBirth: message } };
}

/** Refuses to add a dependant for a person who already books for `dependants` others, if that is the limit. */
export function refuseMoreDependants(dependants: number): Refusal {
  if (dependants + 1 < maxParticipants) return null;
  return {
    code: 'conflict',
    message: `You can book for up to ${maxParticipants} people, including yourself.`,
  };
}

type Leaving = { name: string; guardians: number; upcomingLessons: number };

const upcoming = (count: number) => (count === 1 ? '1 upcoming lesson' : `${count} upcoming lessons`);

/** Refuses to let the last guardian leave. */
export function refuseLeave({ name, guardians, upcomingLessons }: Leaving): Refusal {
  if (guardians > 1) return null;
  const message =
    upcomingLessons > 0
      ? `${name} has ${upcoming(upcomingLessons)}, and nobody else looks after the bookings. Cancel the bookings first, or invite another guardian.`
      : `Nobody else looks after ${name}'s bookings. Invite another guardian first, or delete ${name}.`;
  return { code: 'conflict', message };
}

/** Refuses to delete a dependant who has upcoming lessons or another guardian. */
export function refuseDeleteParticipant({ name, guardians, upcomingLessons }: Leaving): Refusal {
  if (guardians > 1) {
    return {
      code: 'conflict',
      message: `${name} has another guardian, so you can't delete ${name}. You can leave instead.`,
    };
  }
  if (upcomingLessons === 0) return null;
  return {
    code: 'conflict',
    message: `${name} has ${upcoming(upcomingLessons)}. Cancel the bookings first, or delete ${name} once the lessons are over.`,
  };
}
