import { z } from 'zod';
import type { Refusal } from '../errors.ts';
import { oneLine, someLines } from '../text.ts';
import { addMonths, type Instant, wallTimeOf } from '../time.ts';
import type { ParticipantKind } from './participants.ts';

/** The notes about a participant, in their order on the screen. */
export const noteNames = {
  medical: 'Medical conditions',
  allergies: 'Allergies',
  medication: 'Medication',
  access: 'Access needs',
  learning: 'Learning needs',
} as const;
type NoteName = keyof typeof noteNames;

/** The answer for "there is nothing to know". A blank is not an answer. */
export const noneAnswer = 'None';

/** Months for which care details count as up to date. */
const confirmedMonths = 6;

const note = (name: NoteName) =>
  someLines()
    .min(1, `Enter ${noteNames[name].toLowerCase()}, or “${noneAnswer}”.`)
    .max(1000, "A note can't be longer than 1,000 characters.")
    .meta({ examples: [noneAnswer] });

export const careNotes = z
  .object({
    medical: note('medical'),
    allergies: note('allergies'),
    medication: note('medication'),
    access: note('access'),
    learning: note('learning'),
  })
  .meta({
    id: 'CareNotes',
    description: `Each note is text; “${noneAnswer}” is an answer, but a blank is not.`,
  });
export type CareNotes = z.output<typeof careNotes>;

const contact = z
  .object({
    name: oneLine('Enter a name.')
      .min(1, 'Enter a name.')
      .max(100, "The name can't be longer than 100 characters.")
      .meta({ examples: ['Alex Morgan'] }),
    telephone: z
      .string('Enter a phone number.')
      .trim()
      .regex(/^\+?[\d\s()-]{5,30}$/, 'Enter the phone number in digits, like 0113 496 0000.')
      .meta({ examples: ['0113 496 0000'] }),
    relation: oneLine('Enter the relationship, like Grandmother.')
      .min(1, 'Enter the relationship, like Grandmother.')
      .max(50, "The relationship can't be longer than 50 characters.")
      .meta({ examples: ['Grandmother'] }),
  })
  .meta({ id: 'EmergencyContact', description: 'A person to call in an emergency.' });

const collection = z
  .object({
    mayLeaveAlone: z
      .boolean('Choose yes or no.')
      .describe('Whether the participant may leave without an adult.'),
    collectors: z
      .array(
        oneLine('Enter a name.')
          .min(1, 'Enter a name.')
          .max(100, "The name can't be longer than 100 characters.")
          .meta({ examples: ['Sam Morgan'] }),
      )
      .max(5, 'Name up to five people.')
      .describe('The people who may collect the participant.'),
    password: oneLine()
      .max(50, "The password can't be longer than 50 characters.")
      .meta({ examples: ['Otter'] })
      .nullable()
      .describe('A word that the person who collects the participant has to know; null for none.'),
  })
  .refine(({ mayLeaveAlone, collectors }) => mayLeaveAlone || collectors.length > 0, {
    path: ['collectors'],
    message: 'Name at least one person who may collect the participant.',
  })
  .meta({ id: 'Collection', description: 'Who may collect a participant after the lesson.' });

/** Care details as a guardian enters them. They are encrypted together, as JSON. */
export const care = z
  .object({
    notes: careNotes
      .nullable()
      .describe("Null if the family doesn't want to give notes, or has withdrawn its consent to them."),
    contacts: z
      .array(contact)
      .min(1, 'Add an emergency contact.')
      .max(3, 'Add up to three emergency contacts.')
      .describe('Emergency contacts, in the order in which to call them.'),
    collection: collection.nullable().describe('Null only for the caller, who need not give any.'),
  })
  .meta({ id: 'Care', description: "A participant's notes, emergency contacts and collection details." });
export type Care = z.output<typeof care>;

/** True for an answer that means "there is nothing to know". */
export const isNone = (text: string) => /^none\.?$/i.test(text.trim());

/** Whether any note says something other than "None". */
export const hasNotes = ({ notes }: Pick<Care, 'notes'>): boolean =>
  notes !== null && Object.values(notes).some((text) => !isNone(text));

/** Refuses a dependant's care details without the answers about collection. */
export function refuseCare(kind: ParticipantKind, { collection }: Pick<Care, 'collection'>): Refusal {
  if (kind === 'self' || collection) return null;
  const message = 'Say who may collect the participant, or that the participant may leave alone.';
  return { code: 'unprocessable', message, fields: { collection: message } };
}

export const careStates = ['missing', 'due', 'confirmed'] as const;
export type CareState = (typeof careStates)[number];

/** The state of care details; `due` if they were confirmed more than 6 months ago. `now` in milliseconds. */
export function careStateOf(confirmedAt: Instant | null, now: number): CareState {
  if (confirmedAt === null) return 'missing';
  const lastDay = addMonths(wallTimeOf(confirmedAt).date, confirmedMonths);
  return wallTimeOf(now).date > lastDay ? 'due' : 'confirmed';
}

/** Refuses to book for a dependant whose care details aren't up to date. People who book for themselves need none. */
export function refuseWithoutCare(
  participant: { kind: ParticipantKind; name: string; careConfirmedAt: Instant | null },
  now: number,
): Refusal {
  const state = careStateOf(participant.careConfirmedAt, now);
  if (participant.kind === 'self' || state === 'confirmed') return null;
  const { name } = participant;
  return {
    code: 'care_needed',
    message:
      state === 'missing'
        ? `Before you book for ${name}, please add an emergency contact and anything the coach should know.`
        : `You last confirmed ${name}'s care details more than ${confirmedMonths} months ago. Please check them before you book.`,
  };
}
