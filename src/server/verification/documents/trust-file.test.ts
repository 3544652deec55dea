import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { InputOf } from '#domain/endpoint.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import type { DocumentKind } from '#domain/settings/verification-policy.ts';
import { defaultVerificationPolicy } from '#domain/settings/verification-policy.ts';
import { addMonths } from '#domain/time.ts';
import { checksApi } from '#domain/verification/checks-contract.ts';
import { documentsApi, type TrustFile } from '#domain/verification/documents-contract.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { addDocument, askOfCoaches, dayIn, submitDocument } from '../verification.test-support.ts';
import { renewListings } from './hide-coaches.ts';

const app = setUpTestApp();
const admin = beforeTests(async () => {
  await askOfCoaches(app, defaultVerificationPolicy);
  return app.signIn('admin');
});

const documentsOf = (trustFile: TrustFile, kind: DocumentKind) =>
  trustFile.kinds.find((state) => state.kind === kind)!.documents;
const readMine = async (coach: Someone) => (await app.call(coach, documentsApi.getMine, {})).body.trustFile;
const rowOf = (documentId: string) =>
  app.db.selectFrom('coachDocuments').selectAll().where('documentId', '=', documentId).executeTakeFirst();

const dbs = {
  ...({ scheme: 'dbs', level: 'enhanced_barred', workforce: 'child', number: '0012 3456 7890' } as const),
  ...({ issuedOn: dayIn(-40), method: 'original_in_person', isSatisfactory: true } as const),
};
const record = (coachId: string, change: Partial<InputOf<typeof checksApi.recordCheck>> = {}) =>
  app.call(admin, checksApi.recordCheck, { coachId, ...dbs, ...change });

test('stores the number, dates, admin, time and method of every kind of document [VERIFY-3a]', async () => {
  const coach = await app.signIn('coach');
  for (const kind of ['safeguarding', 'insurance', 'first_aid', 'licence'] as const) {
    const { body } = await submitDocument(app, coach, { kind, number: `No ${kind}` });
    const [waiting] = documentsOf(body.trustFile, kind);
    expect(waiting).toMatchObject({ status: 'submitted', method: null, checkedAt: null, hasFile: true });
    await app.call(admin, checksApi.accept, { documentId: waiting!.documentId, method: 'governing_body' });
  }
  expect((await record(coach.userId)).status).toBe(200);
  const trustFile = await readMine(coach);
  for (const { kind, documents, coveredUntil } of trustFile.kinds) {
    const isCheck = kind === 'criminal_record_check';
    const [document] = documents;
    const endsOn = isCheck ? addMonths(dayIn(-40), 36) : dayIn(300);
    expect(coveredUntil).toBe(endsOn);
    expect(document).toMatchObject({
      ...{ status: 'accepted', number: isCheck ? '001234567890' : `No ${kind}` },
      ...{ issuedOn: isCheck ? dayIn(-40) : dayIn(-30), endsOn },
      method: isCheck ? 'original_in_person' : 'governing_body',
    });
    expect(Date.now() - Date.parse(document!.checkedAt!)).toBeLessThan(60_000);
    const row = await rowOf(document!.documentId);
    expect(row).toMatchObject({ checkedBy: admin.userId });
    expect(JSON.stringify(row)).not.toMatch(/001234567890|No /);
  }
  const { body: seen } = await app.call(admin, checksApi.getCoach, { coachId: coach.userId });
  expect(seen.trustFile).toEqual(trustFile);
});

test("shows the PVG and AccessNI checks in a coach's file [VERIFY-3]", async () => {
  const coach = await app.signIn('coach');
  const checks = [
    { scheme: 'pvg', level: 'pvg', number: '1234123412341234' },
    { scheme: 'access_ni', level: 'enhanced', number: 'NI1234567' },
  ] as const;
  for (const check of checks) expect((await record(coach.userId, check)).error).toBeUndefined();
  const documents = documentsOf(await readMine(coach), 'criminal_record_check');
  const shown = documents.map(({ scheme, level, number, status }) => ({ scheme, level, number, status }));
  expect(shown).toHaveLength(2);
  for (const check of checks) expect(shown).toContainEqual({ ...check, status: 'accepted' });
});

test('lets only one of two admins decide, and no admin decide on their own documents [VERIFY-3b]', async () => {
  const both = await app.signIn('coach', 'admin');
  const coach = await app.signIn('coach');
  const second = await app.signIn('admin');
  const [document] = documentsOf((await submitDocument(app, coach)).body.trustFile, 'insurance');
  const { documentId } = document!;
  const answers = await Promise.all(
    [admin, second].map((who) => app.call(who, checksApi.accept, { documentId, method: 'file' })),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const again = await app.call(second, checksApi.accept, { documentId, method: 'file' });
  expect([again.status, again.error!.message]).toEqual([
    409,
    expect.stringMatching(/^Someone has already decided on this document/),
  ]);
  const [own] = documentsOf((await submitDocument(app, both)).body.trustFile, 'insurance');
  const mine = { documentId: own!.documentId };
  expect((await app.call(both, checksApi.accept, { ...mine, method: 'file' })).status).toBe(409);
  expect((await app.call(both, checksApi.decline, { ...mine, reason: 'No' })).status).toBe(409);
  const checked = await app.call(both, checksApi.recordCheck, { coachId: both.userId, ...dbs });
  expect(checked.status).toBe(409);
});

test('records only what an admin saw of a criminal record check [VERIFY-6a]', async () => {
  const coach = await app.signIn('coach');
  const coachId = coach.userId;
  const refused = await record(coachId, { offences: 'none' } as object);
  expect([refused.status, refused.error!.message]).toEqual([422, 'offences is not a known field.']);
  for (const method of ['original_in_person', 'original_by_video', 'governing_body'] as const) {
    const { body } = await record(coachId, { method });
    expect(documentsOf(body.trustFile, 'criminal_record_check')[0]).toMatchObject({
      ...{ scheme: 'dbs', level: 'enhanced_barred', workforce: 'child', number: '001234567890' },
      ...{ issuedOn: dbs.issuedOn, method, status: 'accepted', hasFile: false, issuer: null },
    });
  }
  const unsatisfactory = await record(coachId, { isSatisfactory: false });
  const declined = documentsOf(unsatisfactory.body.trustFile, 'criminal_record_check').filter(
    ({ status }) => status === 'declined',
  );
  expect(declined).toMatchObject([{ declineReason: null }]);
  const { rows } = await sql<{ after: unknown }>`
    select after from audit_log where action = 'coach_document.recorded'
      and after ->> 'coachId' = ${coachId}`.execute(app.db);
  expect(rows).toHaveLength(4);
  expect(JSON.stringify(rows)).not.toMatch(/1234567890|barred/);
});

test('refuses uploads and free text for criminal record checks [VERIFY-6b]', async () => {
  const coach = await app.signIn('coach');
  const upload = await submitDocument(app, coach, { kind: 'criminal_record_check' as 'insurance' });
  expect([upload.status, Object.keys(upload.error!.fields!)]).toEqual([422, ['kind']]);
  for (const more of [{ note: 'One entry' }, { issuer: 'DBS' }, { number: 'caution in 2019' }]) {
    expect((await record(coach.userId, more as object)).status).toBe(422);
  }
  const { body } = await record(coach.userId);
  const { documentId } = documentsOf(body.trustFile, 'criminal_record_check')[0]!;
  const reasoned = await app.call(admin, checksApi.decline, { documentId, reason: 'One entry' });
  expect([reasoned.status, Object.keys(reasoned.error!.fields!)]).toEqual([422, ['reason']]);
  const set = (column: string, value: string) =>
    sql`update coach_documents set ${sql.id(column)} = ${value} where document_id = ${documentId}::uuid`.execute(
      app.db,
    );
  const constraint = 'coach_documents_check_has_no_file_or_text';
  for (const column of ['issuer', 'decline_reason']) {
    await expect(set(column, 'One entry'), column).rejects.toMatchObject({ constraint });
  }
  const submitted = await submitDocument(app, coach);
  const { fileObjectId, fileContentId } = (await rowOf(
    documentsOf(submitted.body.trustFile, 'insurance')[0]!.documentId,
  ))!;
  await app.db
    .deleteFrom('coachDocuments')
    .where('kind', '=', 'insurance')
    .where('coachId', '=', coach.userId)
    .execute();
  const attach =
    sql`update coach_documents set file_object_id = ${fileObjectId}, file_content_id = ${fileContentId}
    where document_id = ${documentId}::uuid`.execute(app.db);
  await expect(attach).rejects.toMatchObject({ constraint });
  const declined = await app.call(admin, checksApi.decline, { documentId });
  expect(documentsOf(declined.body.trustFile, 'criminal_record_check')[0]!.status).toBe('declined');
});

test("requires consent and the certificate's workforce and level for status checks [VERIFY-7a]", async () => {
  const coach = await app.signIn('coach');
  const coachId = coach.userId;
  const online = () => record(coachId, { method: 'update_service' });
  const refused = await online();
  expect([refused.status, refused.error!.message]).toEqual([
    409,
    "The coach hasn't agreed to the DBS Update Service. Ask the coach to agree first.",
  ]);
  const { body: seen } = await record(coachId);
  const { documentId } = documentsOf(seen.trustFile, 'criminal_record_check')[0]!;
  const same = { documentId, level: 'enhanced_barred', workforce: 'child', isUnchanged: true } as const;
  expect((await app.call(admin, checksApi.recordStatusCheck, same)).status).toBe(409);
  const given = await app.call(coach, documentsApi.giveConsent, { textVersion: 1 });
  expect(Date.parse(given.body.trustFile.consent!.givenAt)).toBeGreaterThan(Date.now() - 60_000);
  for (const other of [{ workforce: 'adult' }, { level: 'enhanced' }] as const) {
    expect((await app.call(admin, checksApi.recordStatusCheck, { ...same, ...other })).status).toBe(422);
  }
  const asked = await app.call(admin, checksApi.recordStatusCheck, same);
  expect(documentsOf(asked.body.trustFile, 'criminal_record_check')[0]).toMatchObject({
    ...{ status: 'accepted', method: 'update_service', recheckOn: addMonths(dayIn(0), 12) },
  });
  const withdrawn = await app.call(coach, documentsApi.withdrawConsent, {});
  expect(withdrawn.body.trustFile.consent).toBeNull();
  expect(documentsOf(withdrawn.body.trustFile, 'criminal_record_check')[0]!.status).toBe('accepted');
  expect((await app.call(admin, checksApi.recordStatusCheck, same)).status).toBe(409);
  expect((await online()).status).toBe(409);
  const write = sql`update coach_documents set checked_at = now()
    where document_id = ${documentId}::uuid`.execute(app.db);
  await expect(write).rejects.toMatchObject({ constraint: 'coach_documents_update_service_has_consent' });
  await app.call(coach, documentsApi.giveConsent, { textVersion: 1 });
  const changed = await app.call(admin, checksApi.recordStatusCheck, { ...same, isUnchanged: false });
  expect(documentsOf(changed.body.trustFile, 'criminal_record_check')[0]!.status).toBe('declined');
});

test('renews a document without a gap [VERIFY-9b]', async () => {
  const coach = await app.signIn('coach');
  const first = await addDocument(app, coach.userId, { endsOn: dayIn(20) });
  const state = async () => {
    const { kinds, isListed, listedUntil } = await readMine(coach);
    const { documents, coveredUntil } = kinds.find(({ kind }) => kind === 'insurance')!;
    return { isListed, listedUntil, coveredUntil, statuses: documents.map(({ status }) => status).sort() };
  };
  const renewal = { issuedOn: dayIn(21), validUntil: dayIn(380) };
  const [waiting] = documentsOf((await submitDocument(app, coach, renewal)).body.trustFile, 'insurance');
  const before = { isListed: true, listedUntil: dayIn(20), coveredUntil: dayIn(20) };
  expect(await state()).toEqual({ ...before, statuses: ['accepted', 'submitted'] });
  await app.call(admin, checksApi.accept, { documentId: waiting!.documentId, method: 'file' });
  // The old document counts until the new one begins.
  const after = { isListed: true, listedUntil: dayIn(380), coveredUntil: dayIn(380) };
  expect(await state()).toEqual({ ...after, statuses: ['accepted', 'accepted'] });
  const [now] = documentsOf(
    (await submitDocument(app, coach, { validUntil: dayIn(700) })).body.trustFile,
    'insurance',
  );
  await app.call(admin, checksApi.accept, { documentId: now!.documentId, method: 'file' });
  expect((await rowOf(first))!.status).toBe('replaced');
  expect((await state()).listedUntil).toBe(dayIn(700));
});

test('refuses to accept a document that ended while it was waiting', async () => {
  const coach = await app.signIn('coach');
  const documentId = await addDocument(app, coach.userId, { status: 'submitted', endsOn: dayIn(-1) });
  const answer = await app.call(admin, checksApi.accept, { documentId, method: 'file' });
  expect([answer.status, answer.error!.message]).toEqual([
    409,
    expect.stringMatching(/^This document has now ended/),
  ]);
  expect((await rowOf(documentId))!.status).toBe('submitted');
  expect((await readMine(coach)).isListed).toBe(false);
});

test('keeps a coach listed when a renewal is accepted while the hiding job runs', async () => {
  const coaches = await Promise.all(Array.from({ length: 4 }, () => app.signIn('coach')));
  await Promise.all(
    coaches.map(async ({ userId: coachId }) => {
      const old = await addDocument(app, coachId, { endsOn: dayIn(1) });
      const documentId = await addDocument(app, coachId, { status: 'submitted', endsOn: dayIn(300) });
      // As at midnight: the old document has ended, and the job that hides coaches has not run.
      await sql`update coach_documents set valid_until = ${dayIn(-1)}::date where document_id = ${old}::uuid`.execute(
        app.db,
      );
      await sql`update coaches set is_listed = true where coach_id = ${coachId}::uuid`.execute(app.db);
      const accept = () => app.call(admin, checksApi.accept, { documentId, method: 'file' });
      const [accepted] = await Promise.all([accept(), renewListings(app.db), renewListings(app.db)]);
      expect(accepted.error).toBeUndefined();
    }),
  );
  for (const coach of coaches) {
    const { isListed, listedUntil } = await readMine(coach);
    expect({ isListed, listedUntil }).toEqual({ isListed: true, listedUntil: dayIn(300) });
  }
});

test('lists waiting documents oldest first, and coaches by state', async () => {
  const coaches = [await app.signIn('coach'), await app.signIn('coach'), await app.signIn('coach')];
  for (const coach of coaches) await submitDocument(app, coach, { kind: 'licence' });
  const { body: first } = await app.call(admin, checksApi.listWaiting, { limit: 2 });
  const { body: rest } = await app.call(admin, checksApi.listWaiting, {
    cursor: first.nextCursor!,
    limit: 100,
  });
  const listed = [...first.documents, ...rest.documents];
  const ids = coaches.map(({ userId }) => userId);
  expect(listed.map(({ coachId }) => coachId).filter((id) => ids.includes(id))).toEqual(ids);
  const list = async (state: 'all' | 'waiting' | 'hidden' | 'ending') =>
    (await app.call(admin, checksApi.listCoaches, { state })).body.coaches.find(
      ({ coachId }) => coachId === ids[0],
    );
  expect(await list('waiting')).toMatchObject({
    waiting: 1,
    isListed: false,
    missing: ['insurance', 'first_aid', 'licence'],
  });
  expect(await list('hidden')).toBeDefined();
  expect(await list('ending')).toBeUndefined();
  await addDocument(app, ids[0]!, { endsOn: dayIn(59) });
  expect(await list('hidden')).toBeUndefined();
  expect(await list('ending')).toMatchObject({ isListed: true, nextEndsOn: dayIn(59) });
});

test('notifies admins of a submitted document, and the coach of the decision', async () => {
  const coach = await app.signIn('coach');
  const [document] = documentsOf(
    (await submitDocument(app, coach, { kind: 'first_aid' })).body.trustFile,
    'first_aid',
  );
  const titlesOf = async (who: Someone) =>
    (await app.call(who, notificationsApi.listNotifications, {})).body.notifications.map(
      ({ title }) => title,
    );
  expect(await titlesOf(admin)).toContain('A coach submitted a document: first aid training');
  await app.call(admin, checksApi.decline, { documentId: document!.documentId, reason: 'Too dark to read.' });
  expect(await titlesOf(coach)).toEqual(['Not accepted: first aid training']);
  const email = await eventually(async () => (await app.emailsTo(coach.email))[0]);
  expect(email.text).toContain('Too dark to read.');
  const withdrawn = await app.call(coach, documentsApi.withdraw, { documentId: document!.documentId });
  expect(withdrawn.status).toBe(409);
});
