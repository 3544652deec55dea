import { randomUUID } from 'node:crypto';
import type { InputOf } from '#domain/endpoint.ts';
import type { DocumentKind, VerificationPolicy } from '#domain/settings/verification-policy.ts';
import { addDays, type PlainDate, wallTimeOf } from '#domain/time.ts';
import type { CheckLevel, CheckScheme, Workforce } from '#domain/verification/documents.ts';
import { documentsApi } from '#domain/verification/documents-contract.ts';
import { storageOf } from '#server/storage/pictures.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { storeSetting } from '#server/test-support/settings.test-support.ts';
import type { TestApp } from '#server/test-support/test-app.test-support.ts';
import { encryptDocumentNumber } from './documents/document-numbers.ts';
import { renewClearances } from './verification-policy.ts';

/** The London day this many days from today. */
export const dayIn = (days: number): PlainDate => addDays(wallTimeOf(Date.now()).date, days);

/** Sets what the club requires of its coaches. */
export async function askOfCoaches(app: Pick<TestApp, 'db'>, policy: VerificationPolicy): Promise<void> {
  await storeSetting(app, 'verificationPolicy', policy);
  await renewClearances(app.db);
}

type Given = {
  kind?: DocumentKind;
  status?: 'submitted' | 'accepted';
  scheme?: CheckScheme;
  level?: CheckLevel;
  workforce?: Workforce;
  issuer?: string;
  number?: string;
  issuedOn?: PlainDate;
  /** The last day on which the document counts. Defaults to a year from today. */
  endsOn?: PlainDate;
};

/** Inserts a document without a file; returns its id. By default, the coach's own account has accepted it. */
export async function addDocument(
  { db, config }: Pick<TestApp, 'db' | 'config'>,
  coachId: string,
  { kind = 'insurance', status = 'accepted', endsOn = dayIn(365), ...given }: Given = {},
): Promise<string> {
  const documentId = randomUUID();
  const { scheme = 'dbs', level = 'enhanced_barred', workforce = 'child', issuer = 'Insurer' } = given;
  const isCheck = kind === 'criminal_record_check';
  await db
    .insertInto('coachDocuments')
    .values({
      ...{ documentId, coachId, kind, status, issuedOn: given.issuedOn ?? dayIn(-30) },
      ...(isCheck ? { scheme, level, workforce, recheckOn: endsOn } : { issuer, validUntil: endsOn }),
      numberEncrypted: encryptDocumentNumber(config.dataKeys, documentId, given.number ?? '001234567890'),
      ...(status === 'accepted' && {
        ...{ method: 'original_in_person' as const, checkedBy: coachId, checkedAt: new Date().toISOString() },
      }),
    })
    .execute();
  return documentId;
}

/** A small PDF. */
export const pdf = Buffer.from('%PDF-1.7 A certificate');

/** Uploads a file and submits it, by default as insurance; `change` overrides fields. */
export async function submitDocument(
  app: Pick<TestApp, 'url' | 'call'>,
  coach: Someone,
  change: Partial<InputOf<typeof documentsApi.submit>> = {},
) {
  const filePath = `${coach.userId}/${randomUUID()}`;
  const { error } = await storageOf(app.url, coach).from('documents').upload(filePath, pdf);
  if (error) throw error;
  return app.call(coach, documentsApi.submit, {
    ...{ kind: 'insurance', number: 'LTA-204981', issuer: 'Insurer', filePath },
    ...{ issuedOn: dayIn(-30), validUntil: dayIn(300) },
    ...change,
  });
}

/** Gives a coach a row in every table of checks and documents, including an opening of the document by this admin. */
export async function fillTrustFile(
  app: Pick<TestApp, 'db' | 'config'>,
  coachId: string,
  adminId: string,
): Promise<void> {
  const documentId = await addDocument(app, coachId, { issuer: 'Issuerword', number: 'LTA-42' });
  const { db } = app;
  const now = new Date().toISOString();
  await db
    .insertInto('coachApplications')
    .values({
      ...{ userId: coachId, status: 'declined', decisionMessage: 'Later please' },
      ...{ submittedAt: now, decidedAt: now, decidedBy: adminId },
    })
    .execute();
  await db
    .insertInto('documentReminders')
    .values({ documentId, daysBefore: 30, endsOn: dayIn(365) })
    .execute();
  await db.insertInto('documentOpenings').values({ documentId, openedBy: adminId }).execute();
  await db.insertInto('hiddenCoaches').values({ coachId }).execute();
  await db.insertInto('updateServiceConsents').values({ coachId, textVersion: 1 }).execute();
}
