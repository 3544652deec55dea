import { randomUUID } from 'node:crypto';
import { addDays } from '#domain/time.ts';
import { checksApi } from '#domain/verification/checks-contract.ts';
import { documentsApi, type submittedKinds } from '#domain/verification/documents-contract.ts';
import { storageOf } from '#server/storage/pictures.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { call, productUrl } from './api.ts';
import { today } from './coaching.ts';
import { expect } from './fixtures.ts';
import { openDemo } from './people.ts';

/** The bytes of a small PDF. */
export const pdf = Buffer.from('%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj\ntrailer << >>\n%%EOF\n');

type Kind = (typeof submittedKinds)[number];

/** Hands in a document that is valid from a month ago for a year, and returns its id. */
export async function handIn(
  coach: Someone,
  kind: Kind,
  validUntil = addDays(today(), 335),
): Promise<string> {
  const filePath = `${coach.userId}/${randomUUID()}`;
  const { error } = await storageOf(productUrl, coach).from('documents').upload(filePath, pdf);
  expect(error).toBeNull();
  const { trustFile } = await call(coach, documentsApi.submit, {
    ...{ kind, number: 'POL-7781', issuer: 'Pitchside Mutual', filePath },
    ...{ issuedOn: addDays(today(), -30), validUntil },
  });
  const state = trustFile.kinds.find((known) => known.kind === kind)!;
  return state.documents.find(({ status }) => status === 'submitted')!.documentId;
}

/** Hands in a document, which the demo's admin accepts. */
export async function addAccepted(coach: Someone, kind: Kind, validUntil?: string): Promise<void> {
  const documentId = await handIn(coach, kind, validUntil);
  await call(await openDemo('admin@demo.test'), checksApi.accept, { documentId, method: 'file' });
}

/** Records an enhanced DBS certificate of this coach, which the demo's admin saw in person. */
export async function addCheck(coach: Someone, number = '001987654321'): Promise<void> {
  await call(await openDemo('admin@demo.test'), checksApi.recordCheck, {
    ...{ coachId: coach.userId, scheme: 'dbs', level: 'enhanced_barred', workforce: 'child', number },
    ...{ issuedOn: addDays(today(), -30), method: 'original_in_person', isSatisfactory: true },
  });
}
