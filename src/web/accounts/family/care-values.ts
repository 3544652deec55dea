import { type Care, type CareNotes, noneAnswer, noteNames } from '#domain/accounts/care.ts';
import { consentTexts } from '#domain/accounts/consents.ts';
import { relationNames } from '#domain/accounts/participants.ts';
import type { Participant } from '#domain/accounts/participants-contract.ts';

export type NoteName = keyof CareNotes;
export const noteKeys = Object.keys(noteNames) as NoteName[];

/** Care details in the form's shape. */
export type CareValues = {
  /** Whether the family gives notes or prefers not to; null until chosen. */
  givesNotes: boolean | null;
  notes: CareNotes;
  isAgreed: boolean;
  contacts: Care['contacts'];
  /** Null until chosen. */
  mayLeaveAlone: boolean | null;
  /** One name per line. */
  collectors: string;
  password: string;
};

const blankNotes = Object.fromEntries(noteKeys.map((name) => [name, ''])) as CareNotes;

/**
 * The form's initial values. If a dependant has no care details yet, the person who enters them is the first
 * contact.
 */
export function readCareValues(
  care: Care | null,
  participant: Participant,
  me: { fullName: string },
): CareValues {
  const isSelf = participant.kind === 'self';
  const relation = participant.relation && relationNames[participant.relation];
  const ownContact = { name: me.fullName, telephone: '', relation: relation ?? '' };
  return {
    givesNotes: care ? care.notes !== null : null,
    notes: care?.notes ?? blankNotes,
    isAgreed: false,
    contacts: care?.contacts ?? [isSelf ? { name: '', telephone: '', relation: '' } : ownContact],
    mayLeaveAlone: care?.collection?.mayLeaveAlone ?? null,
    collectors: care?.collection?.collectors.join('\n') ?? '',
    password: care?.collection?.password ?? '',
  };
}

/** The value to save through the API. A missing choice is `null`, which the contract then reports at its field. */
export function writeCare(values: CareValues, participant: Participant) {
  const { givesNotes, notes, isAgreed, contacts, mayLeaveAlone, collectors, password } = values;
  const names = collectors
    .split('\n')
    .map((name) => name.trim())
    .filter(Boolean);
  return {
    participantId: participant.participantId,
    notes: givesNotes ? notes : null,
    contacts,
    collection:
      participant.kind === 'self' ? null : { mayLeaveAlone, collectors: names, password: password || null },
    ...(givesNotes && isAgreed && { medicalConsent: consentTexts.medical.version }),
  };
}

/** The notes, with "None" for each that is blank. */
export const answerNone = (notes: CareNotes): CareNotes =>
  Object.fromEntries(noteKeys.map((name) => [name, notes[name].trim() || noneAnswer])) as CareNotes;

/**
 * The form's field for the path of a value that the contract refuses: `collectors` for
 * `collection.collectors.0`.
 */
export const fieldOf = (path: string): string =>
  path.replace(/^collection\./, '').replace(/^(collectors)\..*/, '$1');
