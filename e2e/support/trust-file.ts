import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { sql } from 'kysely';
import type { DocumentKind, VerificationPolicy } from '#domain/settings/verification-policy.ts';
import { addDays } from '#domain/time.ts';
import { checksApi } from '#domain/verification/checks-contract.ts';
import { documentsApi, type submittedKinds } from '#domain/verification/documents-contract.ts';
import { storageOf } from '#server/storage/pictures.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { call, productUrl } from './api.ts';
import { today } from './coaching.ts';
import { changeDatabase } from './database.ts';
import { expect } from './fixtures.ts';
import { openDemo } from './people.ts';
import { changeResponse } from './responses.ts';

/** The bytes of a small PDF. */
export const pdf = Buffer.from('%PDF-1.7\n1 0 obj << /Type /Catalog >> endobj\ntrailer << >>\n%%EOF\n');

type Kind = (typeof submittedKinds)[number];

/** Submits a document, by default valid for a year from a month ago, and returns its id. */
export async function submitDocument(
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

/** Submits a document and has the demo's admin accept it. */
export async function addAccepted(coach: Someone, kind: Kind, validUntil?: string): Promise<void> {
  const documentId = await submitDocument(coach, kind, validUntil);
  await call(await openDemo('admin@demo.test'), checksApi.accept, { documentId, method: 'file' });
}

/** Records an enhanced DBS certificate of this coach, which the demo's admin saw in person. */
export async function addCheck(coach: Someone, number = '001987654321'): Promise<void> {
  await call(await openDemo('admin@demo.test'), checksApi.recordCheck, {
    ...{ coachId: coach.userId, scheme: 'dbs', level: 'enhanced_barred', workforce: 'child', number },
    ...{ issuedOn: addDays(today(), -30), method: 'original_in_person', isSatisfactory: true },
  });
}

/** The section of a kind of document on a page of checks. */
export const partOf = (page: Page, name: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { level: 2, name, exact: true }) });

/** A date as pages of checks show it: "21 Nov 2026". */
export const shownDate = (date: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' },
  }).format(new Date(`${date}T12:00:00Z`));

/** Chooses a file in the open dialog. */
export async function chooseFile(page: Page, name: string, mimeType: string, buffer: Buffer): Promise<void> {
  const chooser = page.waitForEvent('filechooser');
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Choose (a|another) file$/ })
    .click();
  await (await chooser).setFiles({ name, mimeType, buffer });
}

/**
 * Sets how long this coach is listed and may teach under-18s, as `policy` would. Changes only this coach, because other
 * tests share the club.
 */
export const applyPolicy = ({ userId }: Someone, policy: Partial<VerificationPolicy>): Promise<void> =>
  changeDatabase((db) =>
    sql`
      update coaches set listed_until = clear.listed_until, minors_until = clear.minors_until,
        minors_until_dbs = clear.minors_until_dbs, minors_until_pvg = clear.minors_until_pvg,
        minors_until_access_ni = clear.minors_until_access_ni,
        is_listed = clear.listed_until >= (now() at time zone 'Europe/London')::date
      from coach_clearance(${userId}::uuid, ${JSON.stringify(policy)}::jsonb) clear
      where coach_id = ${userId}::uuid`.execute(db),
  );

/** Changes responses about this kind to say that all coaches need it; the rest comes from the server. */
export const showAsAsked = (page: Page, kind: DocumentKind) =>
  changeResponse(page, documentsApi.getMine, ({ trustFile }) => ({
    trustFile: {
      ...trustFile,
      kinds: trustFile.kinds.map((state) => ({
        ...state,
        ...(state.kind === kind && { askedOf: 'all' as const, isAsked: true, effect: 'hidden' as const }),
      })),
    },
  }));
