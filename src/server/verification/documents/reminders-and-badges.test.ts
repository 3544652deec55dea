import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { defaultVerificationPolicy } from '#domain/settings/verification-policy.ts';
import { checksApi } from '#domain/verification/checks-contract.ts';
import { documentsApi } from '#domain/verification/documents-contract.ts';
import { packageRoot } from '#server/platform/package-root.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { addDocument, dayIn, submitDocument } from '../verification.test-support.ts';
import { remindOfEnds } from './remind.ts';

const app = setUpTestApp();

test('reminds coach and owner 60, 30 and 7 days before a document ends and on the day [VERIFY-9a]', async () => {
  const [owner, coach] = [await app.signIn('coach'), await app.signIn('coach')];
  await sql`
    with business as (
      insert into coaching_businesses (owner_user_id, business_name) values (${owner.userId}::uuid, 'Hill')
      returning business_id
    )
    update coaches set business_id = (select business_id from business),
      business_role = case when coach_id = ${owner.userId}::uuid then 'owner' else 'employee' end
    where coach_id in (${owner.userId}::uuid, ${coach.userId}::uuid)`.execute(app.db);
  const documentId = await addDocument(app, coach.userId, { endsOn: dayIn(61) });
  const readReminders = async (userId: string) => {
    const rows = await app.db
      .selectFrom('notifications')
      .select('version')
      .where('userId', '=', userId)
      .where('kind', '=', 'document_ending')
      .orderBy('createdAt')
      .execute();
    return rows.map(({ version }) => Number(version.split(' ')[1]));
  };
  // Moves the document's end one day closer at a time, together with the end that reminders were sent for.
  for (let days = 61; days >= -1; days -= 1) {
    await sql`update document_reminders set ends_on = ${dayIn(days)}::date`.execute(app.db);
    await sql`update coach_documents set valid_until = ${dayIn(days)}::date
      where document_id = ${documentId}::uuid`.execute(app.db);
    await remindOfEnds(app.db);
    if (days % 10 === 0) await remindOfEnds(app.db);
    const due = [60, 30, 7, 0].filter((before) => before >= days);
    for (const { userId } of [coach, owner]) expect(await readReminders(userId), `${days} days`).toEqual(due);
  }
});

test('sends one reminder after an outage, and none for a renewed document', async () => {
  const [late, renewed] = [await app.signIn('coach'), await app.signIn('coach')];
  await addDocument(app, late.userId, { endsOn: dayIn(5) });
  await addDocument(app, renewed.userId, { endsOn: dayIn(5) });
  await addDocument(app, renewed.userId, { issuedOn: dayIn(6), endsOn: dayIn(365) });
  await Promise.all([remindOfEnds(app.db), remindOfEnds(app.db)]);
  const sent = await app.db
    .selectFrom('notifications')
    .select(['userId', 'version'])
    .where('kind', '=', 'document_ending')
    .where('userId', 'in', [late.userId, renewed.userId])
    .execute();
  expect(sent).toEqual([{ userId: late.userId, version: `${dayIn(5)} 7` }]);
});

test('shows badges without numbers, barred lists, issuers or files [VERIFY-12a]', async () => {
  const coach = await app.signIn('coach');
  const read = () => app.call(null, documentsApi.listBadges, { coachId: coach.userId });
  expect((await read()).body.badges).toEqual([]);
  await addDocument(app, coach.userId, { kind: 'criminal_record_check', number: '001234567890' });
  await addDocument(app, coach.userId, { endsOn: dayIn(100), issuer: 'Sample Mutual', number: 'POL-77' });
  await addDocument(app, coach.userId, { kind: 'licence', status: 'submitted' });
  await addDocument(app, coach.userId, { kind: 'first_aid', issuedOn: dayIn(-30), endsOn: dayIn(-1) });
  expect((await submitDocument(app, coach, { kind: 'safeguarding' })).status).toBe(200);
  const { documentId, path } = await app.db
    .selectFrom('coachDocuments')
    .innerJoin('storageObjects', 'objectId', 'fileObjectId')
    .select(['documentId', 'path'])
    .where('coachId', '=', coach.userId)
    .executeTakeFirstOrThrow();
  const accepted = await app.call(await app.signIn('admin'), checksApi.accept, {
    documentId,
    method: 'file',
  });
  expect(accepted.status).toBe(200);
  const { badges } = (await read()).body;
  const month = new Intl.DateTimeFormat('en-GB', {
    month: 'long',
    year: 'numeric',
    timeZone: 'Europe/London',
  });
  const now = month.format(Date.now());
  const monthIn = (days: number) => `${dayIn(days).slice(5, 7)}/${dayIn(days).slice(0, 4)}`;
  const seen = 'The original was seen in person.';
  expect(badges.map(({ label, how }) => [label, how])).toEqual([
    [`Enhanced DBS seen · ${now}`, seen],
    [
      `Safeguarding training valid to ${monthIn(300)}`,
      'A copy that the coach uploaded was read. Nobody confirmed it with the issuer.',
    ],
    [`Public liability insurance valid to ${monthIn(100)}`, seen],
  ]);
  for (const { checked, limits } of badges) {
    expect(checked).toMatch(/^\S.* checked /);
    expect(limits).toMatch(/doesn't|isn't|says nothing/);
  }
  const text = JSON.stringify(badges);
  for (const hidden of ['001234567890', 'POL-77', 'Sample Mutual', 'LTA-204981', path, documentId]) {
    expect(text).not.toContain(hidden);
  }
  expect(text).not.toMatch(/barred|child|workforce|storage/i);
  const unknown = await app.call(null, documentsApi.listBadges, {
    coachId: '0199c1de-5f0a-7c3e-9d2b-6a1f0c3b7e55',
  });
  expect(unknown.status).toBe(404);
});

test('requires nothing of an existing club after an update until an admin decides [VERIFY-4c]', async () => {
  const file = await readFile(join(packageRoot, 'migrations', '0030_trust_file.sql'), 'utf8');
  const [first] = file.split(/^-- commit$/m);
  const readPolicy = async () => {
    const { rows } = await sql<{ askedOf: string[] }>`
      select array(select distinct value ->> 'askedOf' from jsonb_each(verification_policy())) as asked_of`.execute(
      app.db,
    );
    return rows[0]!.askedOf.sort();
  };
  await app.db.deleteFrom('siteSettings').where('key', '=', 'verification_policy').execute();
  expect(await readPolicy()).toEqual(['all', 'under_18s']);
  const update = () => sql.raw(first!).execute(app.db);
  await update();
  await update();
  expect(await readPolicy()).toEqual(['nobody']);
  const admin = await app.signIn('admin');
  const chosen = await app.call(admin, checksApi.updatePolicy, defaultVerificationPolicy);
  expect(chosen.status).toBe(200);
  await update();
  expect(await readPolicy()).toEqual(['all', 'under_18s']);
});
