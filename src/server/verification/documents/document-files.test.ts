import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { adminApi } from '#domain/admin/contract.ts';
import { defaultVerificationPolicy } from '#domain/settings/verification-policy.ts';
import { checksApi } from '#domain/verification/checks-contract.ts';
import { documentsApi } from '#domain/verification/documents-contract.ts';
import { deleteExpired } from '#server/account/cleanup/delete-expired.ts';
import { createLog } from '#server/platform/log.ts';
import { removeBytes } from '#server/storage/files/remove-bytes.ts';
import { removeOrphans } from '#server/storage/files/remove-orphans.ts';
import { makePicture, storageOf } from '#server/storage/pictures.test-support.ts';
import { openStorage } from '#server/storage/storage.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { askOfCoaches, pdf, submitDocument } from '../verification.test-support.ts';

const app = setUpTestApp();
const admin = beforeTests(async () => {
  await askOfCoaches(app, defaultVerificationPolicy);
  return app.signIn('admin');
});

/** Creates a document that is waiting for an admin, and returns it with its file's object. */
async function openFile(coach: Someone, kind: 'insurance' | 'licence' = 'insurance') {
  const { body } = await submitDocument(app, coach, { kind });
  const { documentId } = body.trustFile.kinds.find((state) => state.kind === kind)!.documents[0]!;
  const object = await app.db
    .selectFrom('coachDocuments')
    .innerJoin('storageObjects', 'storageObjects.objectId', 'coachDocuments.fileObjectId')
    .selectAll('storageObjects')
    .where('documentId', '=', documentId)
    .executeTakeFirstOrThrow();
  return { documentId, object, path: object.path };
}

const folderOf = (contentId: string) => {
  const { storage } = app.config;
  if (storage.kind !== 'disk') throw new Error('the tests store files on the disk');
  return join(storage.folder, 'documents', contentId);
};
const filesOf = (contentId: string) => readdir(folderOf(contentId)).catch(() => []);
const open = (who: Someone, documentId: string) => app.call(who, checksApi.open, { documentId });

test('keeps files private and encrypted [VERIFY-8a]', async () => {
  const [coach, other] = [await app.signIn('coach'), await app.signIn('coach')];
  const { documentId, object, path } = await openFile(coach);
  const [name] = await filesOf(object.contentId);
  const stored = await readFile(join(folderOf(object.contentId), name!));
  expect(stored.includes('%PDF')).toBe(false);
  expect(stored.includes('certificate')).toBe(false);
  expect(
    Buffer.from(await (await storageOf(app.url, coach).from('documents').download(path)).data!.arrayBuffer()),
  ).toEqual(pdf);
  for (const who of [other, admin, null]) {
    const { data, error } = await storageOf(app.url, who).from('documents').download(path);
    expect([data, Boolean(error)]).toEqual([null, true]);
  }
  expect((await open(other, documentId)).status).toBe(403);
  await app.db
    .updateTable('storageObjects')
    .set({ keyEncrypted: null })
    .where('objectId', '=', object.objectId)
    .execute();
  const raw = await storageOf(app.url, coach).from('documents').download(path, {}, { cache: 'no-store' });
  expect(Buffer.from(await raw.data!.arrayBuffer())).toEqual(stored);
});

test('accepts pictures and PDFs of up to 8 MB, and refuses other files [VERIFY-8e]', async () => {
  const coach = await app.signIn('coach');
  const documents = storageOf(app.url, coach).from('documents');
  const upload = async (name: string, bytes: Buffer) =>
    (await documents.upload(`${coach.userId}/${name}`, bytes)).error?.message ?? null;
  expect(await upload('picture', await makePicture())).toBeNull();
  expect(
    await upload('largest', Buffer.concat([pdf, Buffer.alloc(8 * 1024 * 1024 - pdf.length)])),
  ).toBeNull();
  expect(await upload('larger', Buffer.concat([pdf, Buffer.alloc(8 * 1024 * 1024)]))).not.toBeNull();
  expect(await upload('text', Buffer.from('A certificate'))).not.toBeNull();
});

test('lets a URL open a file once, within a minute, and logs each URL issued [VERIFY-8b, FILE-8b]', async () => {
  const coach = await app.signIn('coach');
  const { documentId } = await openFile(coach);
  const first = (await open(admin, documentId)).body;
  expect(first.url).toMatch(/^\/storage\/v1\/documents\/[\da-f-]{36}$/);
  expect(Date.parse(first.expiresAt) - Date.now()).toBeGreaterThan(50_000);
  expect(Date.parse(first.expiresAt) - Date.now()).toBeLessThanOrEqual(60_000);
  const answers = await Promise.all([fetch(app.url + first.url), fetch(app.url + first.url)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
  const answer = answers.find(({ status }) => status === 200)!;
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(answer.headers.get('content-disposition')).toMatch(/^attachment/);
  expect(Buffer.from(await answer.arrayBuffer())).toEqual(pdf);
  expect((await fetch(app.url + first.url)).status).toBe(404);
  const second = (await open(admin, documentId)).body;
  await sql`update document_openings set opened_at = now() - interval '61 seconds' where used_at is null`.execute(
    app.db,
  );
  expect((await fetch(app.url + second.url)).status).toBe(404);
  const events = await app.db
    .selectFrom('auditLog')
    .select(['action', 'actorUserId', 'after'])
    .where('subjectId', '=', documentId)
    .where('action', '=', 'coach_document.opened')
    .execute();
  const event = { actorUserId: admin.userId, after: { kind: 'insurance', coachId: coach.userId } };
  expect(events).toMatchObject([event, event]);
});

test('keeps the file of a submitted or accepted document unchanged [VERIFY-8d]', async () => {
  const coach = await app.signIn('coach');
  const { documentId, object, path } = await openFile(coach);
  const documents = storageOf(app.url, coach).from('documents');
  const refusal =
    "This file belongs to a document that you've submitted, so it can't be replaced or removed.";
  const other = Buffer.from('%PDF-1.7 Another');
  for (const decide of [false, true]) {
    if (decide) await app.call(admin, checksApi.accept, { documentId, method: 'file' });
    expect((await documents.upload(path, other, { upsert: true })).error?.message).toBe(refusal);
    expect((await documents.update(path, other)).error?.message).toBe(refusal);
    expect((await documents.remove([path])).error?.message).toBe(refusal);
  }
  expect(await filesOf(object.contentId)).toHaveLength(1);
});

test('reports documents whose file is missing, and removes other rows without a file [FILE-10b]', async () => {
  const coach = await app.signIn('coach');
  const { object } = await openFile(coach);
  const documents = storageOf(app.url, coach).from('documents');
  expect((await documents.upload(`${coach.userId}/loose`, pdf)).error).toBeNull();
  const { objectId, contentId } = object;
  // The highest id, so that this object is checked and logged after the document's.
  const loose = await app.db
    .updateTable('storageObjects')
    .set({ objectId: 'ffffffff-ffff-4fff-bfff-ffffffffffff' })
    .where('path', '=', `${coach.userId}/loose`)
    .returning(['objectId', 'contentId'])
    .executeTakeFirstOrThrow();
  const { files } = openStorage(app.config);
  for (const lost of [contentId, loose.contentId]) await files.removeContent('documents', lost);
  const lines: [string, object][] = [];
  const write = (facts: object, text: string) => lines.push([text, facts]);
  const log = { ...createLog('silent'), warn: write, error: write };
  expect(await removeOrphans({ db: app.db, files, log: log as never })).toEqual({ contents: 0, objects: 1 });
  expect(lines).toEqual([
    ['bytes of a submitted document missing', { bucket: 'documents', objectId, contentId }],
    ['object without bytes removed', { bucket: 'documents', ...loose }],
  ]);
  // Deletes the document without a file, because the other tests need every document to have its file.
  expect((await app.call(coach, ownAccountApi.deleteAccount, {})).error).toBeUndefined();
});

test("deletes documents 30 days after replacement, refusal or the coach's departure [VERIFY-8c]", async () => {
  const coaches = await Promise.all(Array.from({ length: 4 }, () => app.signIn('coach')));
  const [replaced, declined, leaving, staying] = await Promise.all(coaches.map((coach) => openFile(coach)));
  const accept = (documentId: string) => app.call(admin, checksApi.accept, { documentId, method: 'file' });
  for (const { documentId } of [replaced!, leaving!, staying!]) await accept(documentId);
  await accept((await openFile(coaches[0]!)).documentId);
  await app.call(admin, checksApi.decline, { documentId: declined!.documentId, reason: 'Too dark.' });
  const given = { userId: coaches[2]!.userId, role: 'coach', isHeld: false } as const;
  const revoked = await app.call(admin, adminApi.changeRole, {
    ...given,
    ...{ expectedLessons: 0, expectedRefundCents: 0 },
  });
  expect(revoked.error).toBeUndefined();
  const isKept = async ({ documentId, object }: Awaited<ReturnType<typeof openFile>>) => {
    const row = await app.db
      .selectFrom('coachDocuments')
      .select('kind')
      .where('documentId', '=', documentId)
      .executeTakeFirst();
    return [Boolean(row), (await filesOf(object.contentId)).length > 0];
  };
  const clean = async () => {
    await deleteExpired(app.db);
    await removeBytes({ db: app.db, files: openStorage(app.config).files, log: createLog('silent') });
    return Promise.all([replaced!, declined!, leaving!, staying!].map(isKept));
  };
  const age = (days: number) =>
    sql`
    with closed as (
      update coach_documents set closed_at = now() - interval '1 day' * ${days} where closed_at is not null
    )
    update coaches set inactive_since = now() - interval '1 day' * ${days} where inactive_since is not null`.execute(
      app.db,
    );
  const [kept, gone] = [
    [true, true],
    [false, false],
  ];
  await age(29);
  expect(await clean()).toEqual([kept, kept, kept, kept]);
  await age(31);
  expect(await clean()).toEqual([gone, gone, gone, kept]);
});

test('erases documents, consents and files with the account', async () => {
  const coach = await app.signIn('coach');
  const { documentId, object } = await openFile(coach, 'licence');
  await app.call(coach, documentsApi.giveConsent, { textVersion: 1 });
  const answer = await app.call(coach, ownAccountApi.deleteAccount, {});
  expect(answer.error).toBeUndefined();
  for (const table of ['coach_documents', 'update_service_consents', 'document_openings'] as const) {
    const { rows } = await sql<{ found: string }>`
      select to_jsonb(one)::text as found from ${sql.id(table)} one
      where to_jsonb(one)::text like ${`%${coach.userId}%`} or to_jsonb(one)::text like ${`%${documentId}%`}`.execute(
      app.db,
    );
    expect(rows, table).toEqual([]);
  }
  await removeBytes({ db: app.db, files: openStorage(app.config).files, log: createLog('silent') });
  expect(await filesOf(object.contentId)).toEqual([]);
});
