import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { count, emailAddress, instant, nextCursor, pageFields, personName } from '../fields.ts';
import { isoDate } from '../period.ts';
import { settings } from '../settings/contract.ts';
import { documentKind, documentKinds, verificationPolicy } from '../settings/verification-policy.ts';
import { oneLine } from '../text.ts';
import { documentMethods, recordCheckMethods } from './documents.ts';
import { checkLevel, checkScheme, coachDocument, trustFile, workforce } from './documents-contract.ts';

const documentId = z.uuid().describe('The document.');
const coachId = z.uuid().describe('The coach.');

const waitingDocument = coachDocument
  .extend({ coachId: z.uuid(), coachName: personName })
  .meta({ id: 'WaitingDocument', description: 'A document that waits for an admin.' });

const checkedCoach = z
  .object({
    coachId: z.uuid(),
    coachName: personName,
    email: emailAddress,
    isListed: z.boolean(),
    waiting: count.describe('Documents that wait for an admin.'),
    missing: z
      .array(documentKind)
      .describe('Kinds that are required of the coach and that no document covers today.'),
    nextEndsOn: isoDate
      .nullable()
      .describe('When the first of the accepted documents ends; null if there are none.'),
  })
  .meta({ id: 'CheckedCoach', description: "A coach's trust file in one line." });
export type CheckedCoach = z.output<typeof checkedCoach>;

/** The filters of the list of coaches. */
const coachStates = ['all', 'waiting', 'hidden', 'ending'] as const;

const recordedNumber = z
  .string('Enter the number.')
  .trim()
  .max(30, "The certificate number can't be longer than 30 characters.")
  .meta({ description: 'Digits, and letters in capitals; spaces are removed.', examples: ['001234567890'] })
  .transform((number) => number.toUpperCase().replace(/[\s-]/g, ''));

const choices = ['all:hidden', 'all:badge', 'under_18s:hidden', 'under_18s:badge', 'nobody:badge'] as const;

export const recordCheckInput = z.strictObject({
  coachId,
  scheme: checkScheme,
  level: checkLevel,
  workforce,
  number: recordedNumber,
  issuedOn: isoDate.describe('The issue date on the certificate.'),
  method: z.enum(recordCheckMethods, 'Choose how you saw it.'),
  isSatisfactory: z
    .boolean('Say whether the check is satisfactory.')
    .describe('If false, the check is recorded as declined, never with the reason.'),
  recheckOn: isoDate
    .optional()
    .describe(
      'The day by which the club checks again. By default 12 months after a check with the Update Service; otherwise 60 months after the issue date of a PVG certificate, or 36 months after that of any other.',
    ),
});

/** Endpoints with which admins check documents and set what is required. */
export const checksApi = {
  listWaiting: endpoint({
    method: 'GET',
    path: '/api/admin/documents',
    operationId: 'list_waiting_documents',
    gate: 'admin',
    summary: 'List waiting documents',
    description: 'Documents that no admin has decided on, oldest first, a page at a time.',
    input: z.object(pageFields({ size: 25, max: 100 })),
    output: z.object({ documents: z.array(waitingDocument), nextCursor }),
  }),
  listCoaches: endpoint({
    method: 'GET',
    path: '/api/admin/coach-checks',
    operationId: 'list_coach_checks',
    gate: 'admin',
    summary: 'List coaches with the state of their checks',
    description:
      'Coaches in order of name, at most 50: all of them, those with waiting documents, those whose lessons are hidden, or those with a document that ends within 60 days.',
    input: z.object({
      state: z.enum(coachStates).default('all').describe('Which coaches to list.'),
      search: z
        .string()
        .trim()
        .max(100, "A search can't be longer than 100 characters.")
        .optional()
        .meta({ description: "Part of a coach's name or email address.", examples: ['alex'] }),
    }),
    output: z.object({
      coaches: z.array(checkedCoach),
      isCut: z.boolean().describe('True if there are more.'),
    }),
  }),
  getCoach: endpoint({
    method: 'GET',
    path: '/api/admin/coaches/:coachId/documents',
    operationId: 'get_coach_documents',
    gate: 'admin',
    summary: "Get a coach's checks and documents",
    description: "A coach's trust file, as the coach sees it.",
    input: z.object({ coachId }),
    output: z.object({ trustFile }),
  }),
  open: endpoint({
    method: 'POST',
    path: '/api/admin/documents/:documentId/openings',
    operationId: 'open_document',
    gate: 'admin',
    summary: 'Open the file of a document',
    description:
      'Returns the address of the file. It works once, within 60 seconds, and the audit log records who asked for it.',
    refusals: ['conflict'],
    reauthenticate: true,
    input: z.object({ documentId }),
    output: z.object({
      url: z
        .string()
        .describe('The path of the file, which is sent as a download.')
        .meta({ examples: ['/storage/v1/documents/0199c1de-5f0a-7c3e-9d2b-6a1f0c3b7e55'] }),
      expiresAt: instant,
    }),
  }),
  accept: endpoint({
    method: 'POST',
    path: '/api/admin/documents/:documentId/acceptance',
    operationId: 'accept_document',
    gate: 'admin',
    summary: 'Accept a document',
    description:
      'Accepts a waiting document. An earlier one of the same kind is replaced once the new one counts. If the coach was hidden because this kind was missing, the lessons can be found and booked again immediately. The coach is notified.',
    refusals: ['conflict'],
    reauthenticate: true,
    input: z.object({
      documentId,
      method: z.enum(documentMethods, 'Choose how you saw it.'),
    }),
    output: z.object({ trustFile }),
  }),
  decline: endpoint({
    method: 'POST',
    path: '/api/admin/documents/:documentId/decline',
    operationId: 'decline_document',
    gate: 'admin',
    summary: 'Decline a document',
    description:
      'Declines a waiting document, or an accepted one that turned out to be wrong. The coach is notified with the reason. A criminal record check is declined without one, because nothing that a check says may be stored.',
    refusals: ['conflict'],
    reauthenticate: true,
    input: z.object({
      documentId,
      reason: oneLine()
        .max(300, "The reason can't be longer than 300 characters.")
        .optional()
        .meta({
          description:
            'The reason, which the coach reads. Required, except for a criminal record check, which has none.',
          examples: ['The picture is too dark to read.'],
        }),
    }),
    output: z.object({ trustFile }),
  }),
  recordCheck: endpoint({
    method: 'POST',
    path: '/api/admin/coaches/:coachId/criminal-record-checks',
    operationId: 'record_criminal_record_check',
    gate: 'admin',
    summary: 'Record a criminal record check',
    description:
      "Records that an admin saw a coach's criminal record check: level, workforce, number, issue date, how it was seen, and whether it is satisfactory. The record has no file and no free text; any other field is refused. The method `update_service` needs the coach's consent.",
    refusals: ['conflict'],
    reauthenticate: true,
    input: recordCheckInput,
    output: z.object({ trustFile }),
  }),
  recordStatusCheck: endpoint({
    method: 'POST',
    path: '/api/admin/documents/:documentId/status-checks',
    operationId: 'record_status_check',
    gate: 'admin',
    summary: 'Record a status check with the Update Service',
    description:
      "Records what the DBS Update Service said about a recorded certificate. The call needs the coach's consent, and the level and workforce that are on the certificate. If the status is unchanged, the certificate counts for another 12 months; otherwise it is declined and the coach needs a new one.",
    refusals: ['conflict'],
    reauthenticate: true,
    input: z.strictObject({
      documentId,
      level: checkLevel,
      workforce,
      isUnchanged: z.boolean('Say whether the status is unchanged.'),
      recheckOn: isoDate
        .optional()
        .describe('The day by which the club checks again; by default, in 12 months.'),
    }),
    output: z.object({ trustFile }),
  }),
  previewPolicy: endpoint({
    method: 'GET',
    path: '/api/admin/verification-policy/preview',
    operationId: 'preview_verification_policy',
    gate: 'admin',
    summary: 'Preview what a policy would hide',
    description: 'How many coaches and upcoming lessons would be hidden today under a policy.',
    input: z.object(
      Object.fromEntries(
        documentKinds.map((kind) => [
          kind,
          z
            .enum(choices)
            .describe('Who must provide it and what happens if it is missing, separated by a colon.'),
        ]),
      ) as Record<(typeof documentKinds)[number], z.ZodEnum<{ [K in (typeof choices)[number]]: K }>>,
    ),
    output: z.object({
      hiddenCoaches: count,
      coaches: count.describe('All coaches.'),
      hiddenLessons: count.describe('Upcoming lessons of the hidden coaches that could otherwise be booked.'),
    }),
  }),
  updatePolicy: endpoint({
    method: 'PUT',
    path: '/api/admin/settings/verification-policy',
    operationId: 'update_verification_policy',
    gate: 'admin',
    summary: 'Change which checks coaches need',
    description:
      'Sets who must provide each kind of document and what happens if it is missing. The change takes effect immediately. Booked lessons stay booked.',
    reauthenticate: true,
    input: verificationPolicy,
    output: settings,
  }),
};
