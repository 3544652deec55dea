import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { count, instant, lessonTitle, personName } from '../fields.ts';
import { isoDate } from '../period.ts';
import {
  absenceEffects,
  askedOfs,
  type DocumentKind,
  documentKind,
} from '../settings/verification-policy.ts';
import { oneLine } from '../text.ts';
import { badge } from './badges.ts';
import { checkLevels, checkSchemes, documentStatuses, methodNames, workforces } from './documents.ts';
import { updateServiceText, updateServiceTextVersion } from './update-service.ts';

const documentId = z.uuid().describe('The document.');
const coachId = z.uuid().describe('The coach.');
const methods = Object.keys(methodNames) as [keyof typeof methodNames, ...(keyof typeof methodNames)[]];

export const checkScheme = z.enum(checkSchemes).meta({ id: 'CheckScheme' });
export const checkLevel = z.enum(checkLevels).meta({ id: 'CheckLevel' });
export const workforce = z.enum(workforces).meta({ id: 'Workforce' });

/** A document in a coach's trust file, as the coach and admins see it. */
export const coachDocument = z
  .object({
    documentId: z.uuid(),
    kind: documentKind,
    status: z.enum(documentStatuses).meta({ id: 'DocumentStatus' }),
    scheme: checkScheme.nullable().describe('For criminal record checks only.'),
    level: checkLevel.nullable().describe('For criminal record checks only.'),
    workforce: workforce.nullable().describe('For criminal record checks only.'),
    issuer: z
      .string()
      .nullable()
      .describe('Who issued it; null for a criminal record check.')
      .meta({ examples: ['Lawn Tennis Association'] }),
    number: z.string().meta({ examples: ['LTA-204981'] }),
    issuedOn: isoDate.describe(
      'The first day on which it counts; for a criminal record check, the issue date on the certificate.',
    ),
    endsOn: isoDate.describe(
      'The last day on which it counts: `validUntil` or, for a criminal record check, `recheckOn`.',
    ),
    validUntil: isoDate.nullable().describe('Null for a criminal record check.'),
    recheckOn: isoDate
      .nullable()
      .describe(
        "The day by which the club checks again, because criminal record checks don't expire; null for other documents.",
      ),
    method: z.enum(methods).nullable().describe('How an admin saw it; null while it waits for a decision.'),
    declineReason: z
      .string()
      .nullable()
      .meta({ examples: ['The picture is too dark to read.'] }),
    hasFile: z.boolean(),
    submittedAt: instant.describe('When the coach submitted it, or an admin recorded it.'),
    checkedAt: instant.nullable().describe('When an admin last decided on it; null while it waits.'),
  })
  .meta({ id: 'CoachDocument', description: "A check or document in a coach's trust file." });
export type CoachDocument = z.output<typeof coachDocument>;

const kindState = z
  .object({
    kind: documentKind,
    askedOf: z.enum(askedOfs).meta({ id: 'AskedOf' }),
    effect: z.enum(absenceEffects).meta({ id: 'AbsenceEffect' }),
    isAsked: z.boolean().describe('Whether this coach must provide it.'),
    schemes: z
      .array(checkScheme)
      .describe(
        'For criminal record checks: the schemes of the nations where the coach has locations. Otherwise empty.',
      ),
    coveredUntil: isoDate
      .nullable()
      .describe('The last day that accepted documents cover; null if none counts today.'),
    documents: z.array(coachDocument).describe('Newest first.'),
  })
  .meta({ id: 'DocumentKindState', description: 'One kind of document for one coach.' });

/** Everything about a coach's checks and documents. */
export const trustFile = z
  .object({
    coachId: z.uuid(),
    coachName: personName,
    teachesMinors: z.boolean().describe('Whether a template of the coach is open to anyone under 18.'),
    isListed: z.boolean().describe("Whether the coach's lessons can be found and booked today."),
    listedUntil: isoDate
      .nullable()
      .describe(
        'The last day on which lessons are listed; null if there is no end. Only meaningful while `isListed`.',
      ),
    hasLessons: z.boolean().describe('Whether the coach has ever published a lesson.'),
    canTeachMinors: z
      .boolean()
      .describe(
        'Whether under-18s can be booked with the coach today, in the nations of the coach’s locations.',
      ),
    kinds: z.array(kindState),
    consent: z
      .object({ givenAt: instant })
      .nullable()
      .describe('The consent to ask the DBS Update Service; null without one.'),
    uncoveredLessons: count.describe(
      "Booked lessons that the coach's checks and documents don't cover. The call `list_uncovered_lessons` returns them.",
    ),
  })
  .meta({ id: 'TrustFile', description: "A coach's checks and documents, and what they allow." });
export type TrustFile = z.output<typeof trustFile>;

const uncoveredLesson = z
  .object({
    slotId: z.uuid(),
    coachId: z.uuid(),
    coachName: personName,
    title: lessonTitle,
    startTime: instant,
    endTime: instant,
    seats: count.describe('How many seats are booked.'),
    minors: count.describe(
      "How many of them are for under-18s, and not covered by the coach's checks on that day.",
    ),
  })
  .meta({
    id: 'UncoveredLesson',
    description: "A booked lesson that the coach's checks and documents don't cover.",
  });
export type UncoveredLesson = z.output<typeof uncoveredLesson>;

/** The kinds that coaches submit. Criminal record checks are shown to an admin, never uploaded. */
export const submittedKinds = [
  'safeguarding',
  'insurance',
  'first_aid',
  'licence',
] as const satisfies Exclude<DocumentKind, 'criminal_record_check'>[];

export const documentNumber = oneLine('Enter the number.')
  .min(1, 'Enter the number.')
  .max(40, "The number can't be longer than 40 characters.")
  .meta({ examples: ['LTA-204981'] });

const filePath = z
  .string()
  .max(300)
  .regex(/^[0-9a-f-]{36}\/.+$/, 'Upload the file first.')
  .meta({
    description: 'The path in the bucket `documents` of a file that the coach has uploaded.',
    examples: ['0199c1de-5f0a-7c3e-9d2b-6a1f0c3b7e55/a'],
  });

export const submitInput = z.object({
  kind: z.enum(submittedKinds, 'Choose the kind of document.'),
  number: documentNumber,
  issuer: oneLine('Enter who issued it.')
    .min(1, 'Enter who issued it.')
    .max(120, "The issuer can't be longer than 120 characters.")
    .meta({ examples: ['Lawn Tennis Association'] }),
  issuedOn: isoDate.describe('The first day on which it counts.'),
  validUntil: isoDate.describe('The last day on which it counts.'),
  filePath,
});

/** Endpoints with which coaches keep their trust file up to date, and the one that returns its public badges. */
export const documentsApi = {
  getMine: endpoint({
    method: 'GET',
    path: '/api/coach/documents',
    operationId: 'get_my_documents',
    gate: 'coach',
    summary: 'Get my checks and documents',
    description: "The coach's own trust file: what is required and why, the documents, and what they allow.",
    input: z.object({}),
    output: z.object({ trustFile }),
  }),
  submit: endpoint({
    method: 'POST',
    path: '/api/coach/documents',
    operationId: 'submit_document',
    gate: 'coach',
    summary: 'Submit a document',
    description:
      'Submits a document with its uploaded file for an admin to check. A waiting document of the same kind is replaced. A renewal can be submitted while the earlier document counts. The earlier one counts until the renewal is accepted. Criminal record checks are refused, because an admin has to see the original.',
    refusals: ['conflict'],
    input: submitInput,
    output: z.object({ trustFile }),
  }),
  withdraw: endpoint({
    method: 'DELETE',
    path: '/api/coach/documents/:documentId',
    operationId: 'withdraw_document',
    gate: 'coach',
    summary: 'Withdraw a waiting document',
    description: 'Deletes a document that no admin has decided on, with its file.',
    refusals: ['conflict'],
    input: z.object({ documentId }),
    output: z.object({ trustFile }),
  }),
  giveConsent: endpoint({
    method: 'POST',
    path: '/api/coach/update-service-consent',
    operationId: 'give_update_service_consent',
    gate: 'coach',
    summary: 'Agree to the DBS Update Service',
    description: `Records that the coach agrees to this text: “${updateServiceText}” Repeating it changes nothing.`,
    input: z.object({
      textVersion: z
        .literal(updateServiceTextVersion)
        .describe('The version of the text that the coach saw.'),
    }),
    output: z.object({ trustFile }),
  }),
  withdrawConsent: endpoint({
    method: 'DELETE',
    path: '/api/coach/update-service-consent',
    operationId: 'withdraw_update_service_consent',
    gate: 'coach',
    summary: 'Withdraw the consent to the DBS Update Service',
    description:
      "From then on, admins can't ask the Update Service. Checks that were recorded before remain.",
    input: z.object({}),
    output: z.object({ trustFile }),
  }),
  listUncovered: endpoint({
    method: 'GET',
    path: '/api/coach/uncovered-lessons',
    operationId: 'list_uncovered_lessons',
    gate: 'coach',
    summary: 'List booked lessons not covered by valid checks and documents',
    description:
      "Upcoming booked lessons that the coach's checks and documents don't cover on the day of the lesson, or don't cover for the under-18s in them. Soonest first, at most 100. The lessons stay booked. Owners of a business get the lessons of the whole team.",
    input: z.object({}),
    output: z.object({ lessons: z.array(uncoveredLesson) }),
  }),
  listBadges: endpoint({
    method: 'GET',
    path: '/api/coaches/:coachId/badges',
    operationId: 'list_badges',
    gate: 'public',
    summary: 'List the badges of a coach',
    description:
      'What the club has checked about a coach, how it checked it, and what the check does not mean. Contains no numbers or files. Unknown and hidden coaches are `not_found`.',
    input: z.object({ coachId }),
    output: z.object({ badges: z.array(badge) }),
  }),
};
