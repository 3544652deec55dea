import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { instant, lessonTitle, nextCursor, pageFields, personName } from '../fields.ts';
import { oneLine } from '../text.ts';
import { care, careStates } from './care.ts';
import { consentChoices, consentKinds } from './consents.ts';
import { participant } from './participants-contract.ts';

const participantId = z.uuid().describe('The participant.');

const careAnswer = z.object({
  care: care.nullable().describe('Null if none were given.'),
  confirmedAt: instant.nullable().describe('When the details were last confirmed; null if none were given.'),
  state: z.enum(careStates).describe('`due`: confirmed more than 6 months ago.'),
});
export type CareAnswer = z.output<typeof careAnswer>;

const textVersion = oneLine()
  .max(40, "This isn't a version of the text.")
  .meta({ description: 'The version of the text that the person saw.', examples: ['2026-11-1'] });

export const careReaders = ['coach', 'owner', 'welfare_officer', 'admin'] as const;
export type CareReader = (typeof careReaders)[number];

const consent = z
  .object({
    kind: z.enum(consentKinds),
    choice: z.enum(consentChoices),
    textVersion: z.string().meta({ examples: ['2026-11-1'] }),
    givenByName: personName,
    at: instant.describe('When the choice was recorded.'),
  })
  .meta({
    id: 'Consent',
    description: 'A consent that was given, refused or withdrawn. Entries never change.',
  });
export type Consent = z.output<typeof consent>;

export const saveCareInput = care.extend({
  participantId,
  medicalConsent: textVersion.optional().describe('Gives the `medical` consent to this version of its text.'),
});

/**
 * Endpoints for care details and consents, for guardians and for people who take part themselves. Coaches read both in
 * a lesson's register.
 */
export const careApi = {
  getCare: endpoint({
    method: 'GET',
    path: '/api/participants/:participantId/care',
    operationId: 'get_care',
    gate: 'signedIn',
    summary: 'Get care details',
    description: "A participant's notes, emergency contacts and collection details.",
    input: z.object({ participantId }),
    output: careAnswer,
  }),
  saveCare: endpoint({
    method: 'PUT',
    path: '/api/participants/:participantId/care',
    operationId: 'save_care',
    gate: 'signedIn',
    summary: 'Save care details',
    description:
      'Replaces the care details and confirms them. Notes need the `medical` consent, which the same call can give.',
    refusals: ['conflict'],
    input: saveCareInput,
    output: careAnswer,
  }),
  confirmCare: endpoint({
    method: 'POST',
    path: '/api/participants/:participantId/care/confirmation',
    operationId: 'confirm_care',
    gate: 'signedIn',
    summary: 'Confirm care details',
    description: 'Confirms that the care details are still correct.',
    refusals: ['conflict'],
    input: z.object({ participantId }),
    output: careAnswer,
  }),
  deleteCare: endpoint({
    method: 'DELETE',
    path: '/api/participants/:participantId/care',
    operationId: 'delete_care',
    gate: 'signedIn',
    summary: 'Delete care details',
    description: 'Deletes the notes, emergency contacts and collection details immediately.',
    input: z.object({ participantId }),
    output: z.object({}),
  }),
  listCareReads: endpoint({
    method: 'GET',
    path: '/api/participants/:participantId/care-reads',
    operationId: 'list_care_reads',
    gate: 'signedIn',
    summary: 'List who read the care details',
    description:
      'Each time that a coach, owner, welfare officer or admin opened the care details. Latest first, a page at a time.',
    input: z.object({ participantId, ...pageFields({ size: 20, max: 50 }) }),
    output: z.object({
      reads: z.array(
        z.object({
          readAt: instant,
          readerName: personName,
          readerRole: z.enum(careReaders),
          lesson: z
            .object({ title: lessonTitle, startTime: instant })
            .nullable()
            .describe('The lesson whose register was opened; null for an admin.'),
          reason: z
            .string()
            .meta({ examples: ['The family asked us to correct the telephone number.'] })
            .nullable()
            .describe("An admin's reason; null for other readers."),
        }),
      ),
      nextCursor,
    }),
  }),
  listConsents: endpoint({
    method: 'GET',
    path: '/api/participants/:participantId/consents',
    operationId: 'list_consents',
    gate: 'signedIn',
    summary: 'List consents',
    description:
      'The newest 200 consents given, refused or withdrawn, newest first. The newest of each kind counts.',
    input: z.object({ participantId }),
    output: z.object({ consents: z.array(consent) }),
  }),
  giveConsent: endpoint({
    method: 'POST',
    path: '/api/participants/:participantId/consents',
    operationId: 'give_consent',
    gate: 'signedIn',
    summary: 'Give or withdraw a consent',
    description:
      'Records a choice. Registers opened from then on show it, and the coaches of upcoming lessons are notified if it allows less than before. Withdrawing `medical` deletes the notes.',
    refusals: ['conflict'],
    input: z.object({
      participantId,
      kind: z.enum(consentKinds, 'Choose a kind of consent.'),
      choice: z.enum(consentChoices, 'Choose one of the answers.'),
      textVersion,
    }),
    output: z.object({ participant }),
  }),
};
