import { z } from 'zod';
import { ageOn, type ParticipantKind } from '../accounts/participants.ts';
import type { Refusal } from '../errors.ts';
import { type Instant, type PlainDate, wallTimeOf } from '../time.ts';
import { describeAges } from './age-text.ts';

/**
 * The date on which a participant's age counts. `aug31`: the 31 August before the season, which starts on 1 September,
 * as in football and rugby. `dec31`: the end of the lesson's year, as in tennis.
 */
export const ageDateNames = {
  day: 'On the day of the lesson',
  aug31: 'On 31 August before the season starts',
  dec31: "On 31 December of the lesson's year",
} as const;
export type AgeDate = keyof typeof ageDateNames;
export const ageDates = Object.keys(ageDateNames) as [AgeDate, ...AgeDate[]];

const oldest = 120;
const age = z
  .number('Enter the age in whole years.')
  .int('Enter the age in whole years.')
  .min(0, "The age can't be negative.")
  .max(oldest, `The age can't be more than ${oldest}.`)
  .meta({ examples: [8] })
  .nullable();

/** The age range that a coach enters for a template; null for no limit. */
export const ageFields = {
  minAge: age.default(null),
  maxAge: age.default(null),
  ageDate: z.enum(ageDates, 'Choose the date on which the age counts.').default('day'),
};

/** The age range of a template or a slot, as the API returns it. */
export const ageRange = z.object({
  minAge: z.number().int().nullable().describe('The youngest age in years; null for no limit.'),
  maxAge: z.number().int().nullable().describe('The oldest age in years; null for no limit.'),
  ageDate: z
    .enum(ageDates)
    .meta({ id: 'AgeDate' })
    .describe(
      'The date on which the age counts: the `day` of the lesson, the 31 August before its season starts, or the 31 December of its year.',
    ),
});
export type AgeRange = z.output<typeof ageRange>;

/** Refuses an age range whose youngest age is above its oldest. */
export function refuseAgeRange({ minAge, maxAge }: Pick<AgeRange, 'minAge' | 'maxAge'>): Refusal {
  if (minAge === null || maxAge === null || minAge <= maxAge) return null;
  const message = "The youngest age can't be above the oldest.";
  return { code: 'unprocessable', message, fields: { minAge: message } };
}

/** The calendar date on which the age counts for a lesson that starts at an instant. */
export function countingDateOf(ageDate: AgeDate, startTime: Instant): PlainDate {
  const { date } = wallTimeOf(startTime);
  const year = Number(date.slice(0, 4));
  if (ageDate === 'dec31') return `${year}-12-31`;
  if (ageDate === 'aug31') return `${date.slice(5) > '08-31' ? year : year - 1}-08-31`;
  return date;
}

export const hasAgeRange = ({ minAge, maxAge }: Pick<AgeRange, 'minAge' | 'maxAge'>): boolean =>
  minAge !== null || maxAge !== null;

/** The age that counts for a lesson, in years. */
export const countedAge = (
  dateOfBirth: PlainDate,
  lesson: Pick<AgeRange, 'ageDate'> & { startTime: Instant },
) => ageOn(dateOfBirth, countingDateOf(lesson.ageDate, lesson.startTime));

/** Whether an age in years is within a range. */
export const isWithinAges = (age: number, { minAge, maxAge }: Pick<AgeRange, 'minAge' | 'maxAge'>): boolean =>
  age >= (minAge ?? 0) && age <= (maxAge ?? Number.POSITIVE_INFINITY);

type Participant = { name: string; kind: ParticipantKind; dateOfBirth: PlainDate | null };

/** Refuses a participant who is outside the age range of a lesson, or whose date of birth is missing. */
export function refuseAge(participant: Participant, lesson: AgeRange & { startTime: Instant }): Refusal {
  if (!hasAgeRange(lesson)) return null;
  const { name, kind, dateOfBirth } = participant;
  const isSelf = kind === 'self';
  const ages = `This lesson is for ages ${describeAges(lesson)}`;
  if (!dateOfBirth) {
    const whose = isSelf ? 'your' : `${name}'s`;
    return { code: 'age_range', message: `${ages}. Please add ${whose} date of birth first.` };
  }
  const counted = countedAge(dateOfBirth, lesson);
  if (isWithinAges(counted, lesson)) return null;
  const when = {
    day: 'on the day',
    aug31: 'on 31 August before the season starts',
    dec31: 'on 31 December of that year',
  }[lesson.ageDate];
  const who = isSelf ? "you're" : `${name} is`;
  return {
    code: 'age_range',
    message: `${ages}, and ${who} ${counted} ${when}. The coach may make an exception.`,
  };
}
