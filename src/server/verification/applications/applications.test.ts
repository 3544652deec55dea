import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { accountsApi } from '#domain/accounts/contract.ts';
import { adminApi } from '#domain/admin/contract.ts';
import { businessesApi } from '#domain/businesses/contract.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { applicationQueueApi, applicationsApi } from '#domain/verification/applications-contract.ts';
import { documentsApi } from '#domain/verification/documents-contract.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { dayIn, submitDocument } from '../verification.test-support.ts';
import { completeApplication, submitCompleteApplication } from './applications.test-support.ts';

const app = setUpTestApp();
const admin = beforeTests(() => app.signIn('admin'));

const decide = (
  { applicationId, submittedAt }: { applicationId: string; submittedAt: string | null },
  decision: 'approve' | 'changes' | 'decline',
  { message = '', by = admin as Someone } = {},
) =>
  app.call(by, applicationQueueApi.decide, { applicationId, decision, message, submittedAt: submittedAt! });
const rolesOf = async (who: Someone) => (await app.call(who, accountsApi.getProfile, {})).body.profile!.roles;
const actionsAbout = async (subjectId: string) =>
  (
    await app.db
      .selectFrom('auditLog')
      .select(['action', 'actorUserId'])
      .where('subjectId', '=', subjectId)
      .orderBy('auditId')
      .execute()
  ).map(({ action }) => action);

test('saves a draft, names what is missing, and submits a complete application [VERIFY-1a]', async () => {
  const person = await app.signIn('customer');
  expect((await app.call(person, applicationsApi.getOwn, {})).body.application).toBeNull();
  expect((await app.call(person, applicationsApi.submit, {})).status).toBe(404);
  const partial = { headline: 'Rowing coach', sports: ['rowing' as const] };
  await app.call(person, applicationsApi.saveDraft, partial);
  const { body } = await app.call(person, applicationsApi.getOwn, {});
  expect(body).toMatchObject({ joining: 'applications', application: { ...partial, status: 'draft' } });
  const refused = await app.call(person, applicationsApi.submit, {});
  expect(refused.status).toBe(422);
  expect(Object.keys(refused.error?.fields ?? {})).toEqual([
    ...['bio', 'nations', 'experience', 'coachesJuniors', 'hasAcceptedTerms'],
  ]);
  const submitted = await submitCompleteApplication(app, person);
  expect(submitted).toMatchObject({ ...completeApplication, status: 'submitted' });
  const countNotifications = async () => {
    const { rows } = await sql`select from notifications
      where kind = 'coach_application' and subject_id = ${submitted.applicationId}`.execute(app.db);
    return rows.length;
  };
  const notified = await countNotifications();
  expect(notified).toBeGreaterThan(0);
  const again = await app.call(person, applicationsApi.submit, {});
  expect(again.body.application).toEqual(submitted);
  expect(await countNotifications()).toBe(notified);
  expect(await actionsAbout(submitted.applicationId)).toEqual(['coach_application.submitted']);
  expect((await app.call(person, applicationsApi.saveDraft, partial)).status).toBe(409);
});

test('keeps only one open application when three tabs save simultaneously [VERIFY-1a]', async () => {
  const person = await app.signIn('customer');
  const saved = await Promise.all(
    [1, 2, 3].map((n) => app.call(person, applicationsApi.saveDraft, { headline: `Coach ${n}` })),
  );
  expect(saved.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(new Set(saved.map(({ body }) => body.application.applicationId)).size).toBe(1);
});

test('refuses documents until approval grants the role and fills in the profile [VERIFY-1, VERIFY-1b, VERIFY-2b]', async () => {
  const person = await app.signIn('customer');
  const application = await submitCompleteApplication(app, person);
  const early = await app.call(person, documentsApi.submit, {
    ...{
      kind: 'insurance',
      number: 'POL-77',
      issuer: 'Insurer',
      filePath: `${person.userId}/${randomUUID()}`,
    },
    ...{ issuedOn: dayIn(-30), validUntil: dayIn(300) },
  });
  expect([early.status, (await app.call(person, documentsApi.getMine, {})).status]).toEqual([403, 403]);
  const approved = await decide(application, 'approve');
  expect(approved.body.application).toMatchObject({ status: 'approved', userId: person.userId });
  expect(await rolesOf(person)).toContain('coach');
  expect((await submitDocument(app, person)).status).toBe(200);
  expect((await app.call(person, businessesApi.getCoachProfile, {})).body.coachProfile).toMatchObject({
    coachType: completeApplication.headline,
    bio: completeApplication.bio,
    sports: completeApplication.sports,
  });
  const [email] = await eventually(async () => {
    const all = await app.emailsTo(person.email);
    return all.length > 0 && all;
  });
  expect(email!.text).toContain('Your application has been approved');
  expect(await actionsAbout(application.applicationId)).toEqual([
    ...['coach_application.submitted', 'coach_application.approved'],
  ]);
});

test('lists waiting applications, oldest first, with what each one lacks [VERIFY-2a]', async () => {
  const people = [await app.signIn('customer'), await app.signIn('customer'), await app.signIn('customer')];
  for (const person of people) await submitCompleteApplication(app, person);
  const drafting = await app.signIn('customer');
  await app.call(drafting, applicationsApi.saveDraft, {});
  const first = await app.call(admin, applicationQueueApi.list, { limit: 2 });
  const rest = await app.call(admin, applicationQueueApi.list, {
    limit: 100,
    cursor: first.body.nextCursor!,
  });
  const listed = [...first.body.applications, ...rest.body.applications];
  expect(listed.map(({ submittedAt }) => submittedAt)).toEqual(
    listed.map(({ submittedAt }) => submittedAt).toSorted(),
  );
  const ids = listed.map(({ userId }) => userId);
  expect(ids.filter((id) => people.some(({ userId }) => userId === id))).toEqual(
    people.map(({ userId }) => userId),
  );
  expect(ids).not.toContain(drafting.userId);
  expect(first.body.waiting).toBe(listed.length);
  expect(listed.at(-1)!.missing).toEqual(['No profile picture']);
});

test('requires a message, emailed to the applicant, to ask for changes or decline [VERIFY-2b]', async () => {
  const person = await app.signIn('customer');
  const application = await submitCompleteApplication(app, person);
  const silent = await decide(application, 'changes');
  expect(silent.error?.fields).toEqual({ message: 'Enter what has to change.' });
  const sent = await decide(application, 'changes', { message: 'Please say where.' });
  expect(sent.body.application).toMatchObject({ status: 'changes', decisionMessage: 'Please say where.' });
  const again = await submitCompleteApplication(app, person);
  expect(again).toMatchObject({ applicationId: application.applicationId, decisionMessage: null });
  expect((await decide(application, 'approve')).error?.message).toContain('changed and submitted again');
  expect((await decide(again, 'decline')).error?.fields).toEqual({ message: 'Enter the reason.' });
  expect((await decide(again, 'decline', { message: 'Only rowers here.' })).status).toBe(200);
  const emails = await eventually(async () => {
    const all = await app.emailsTo(person.email);
    return all.length >= 2 && all.map(({ text }) => text).join();
  });
  expect(emails).toContain('Please say where.');
  expect(emails).toContain('Only rowers here.');
  expect(await rolesOf(person)).not.toContain('coach');
  expect(await actionsAbout(application.applicationId)).toEqual([
    ...['coach_application.submitted', 'coach_application.changes_asked'],
    ...['coach_application.submitted', 'coach_application.declined'],
  ]);
});

test('refuses a second decision and reports the first one [VERIFY-2c]', async () => {
  const other = await app.signIn('admin');
  const application = await submitCompleteApplication(app, await app.signIn('customer'));
  const both = await Promise.all([
    decide(application, 'approve'),
    decide(application, 'decline', { message: 'No', by: other }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const refused = both.find(({ status }) => status === 409)!;
  expect(refused.error!.message).toMatch(/has already (approved|declined) this application\./);
  expect((await decide(application, 'approve')).status).toBe(409);
});

test('refuses a decision on a withdrawn application [VERIFY-2b, VERIFY-2c]', async () => {
  const person = await app.signIn('customer');
  const application = await submitCompleteApplication(app, person);
  const [withdrawn, approved] = await Promise.all([
    app.call(person, applicationsApi.withdraw, {}),
    decide(application, 'approve'),
  ]);
  expect([withdrawn.status, approved.status].sort()).toEqual([200, 409]);
  expect((await rolesOf(person)).includes('coach')).toBe(approved.status === 200);

  const leaving = await app.signIn('customer');
  const left = await submitCompleteApplication(app, leaving);
  expect((await app.call(leaving, applicationsApi.withdraw, {})).status).toBe(200);
  for (const decision of ['approve', 'changes', 'decline'] as const) {
    expect((await decide(left, decision, { message: 'No' })).status, decision).toBe(409);
  }
  expect(await rolesOf(leaving)).not.toContain('coach');
  expect(await actionsAbout(left.applicationId)).toEqual([
    ...['coach_application.submitted', 'coach_application.withdrawn'],
  ]);
});

test('approves an open application when the role is granted; logs what was missing [VERIFY-2d]', async () => {
  const [applied, absent] = [await app.signIn('customer'), await app.signIn('customer')];
  const { applicationId } = await submitCompleteApplication(app, applied);
  const missing: Record<string, unknown> = {};
  for (const { userId } of [applied, absent]) {
    const granted = await app.call(admin, adminApi.changeRole, { userId, role: 'coach', isHeld: true });
    expect(granted.status).toBe(200);
    const { after } = await app.db
      .selectFrom('auditLog')
      .select('after')
      .where('subjectId', '=', userId)
      .where('action', '=', 'role.granted')
      .executeTakeFirstOrThrow();
    missing[userId] = (after as { missing?: string[] }).missing;
  }
  expect(missing).toEqual({ [applied.userId]: [], [absent.userId]: ['No application'] });
  const { body } = await app.call(admin, applicationQueueApi.get, { applicationId });
  expect(body.application.status).toBe('approved');
  const { before } = await app.db
    .selectFrom('auditLog')
    .select('before')
    .where('subjectId', '=', applicationId)
    .where('action', '=', 'coach_application.approved')
    .executeTakeFirstOrThrow();
  expect(before).toEqual({ status: 'submitted' });
  expect((await app.call(applied, applicationsApi.saveDraft, {})).status).toBe(409);
});

test('keeps the coach profile of an applicant who already has the role', async () => {
  const person = await app.signIn('customer');
  const application = await submitCompleteApplication(app, person);
  await sql`update profiles set roles = roles || '{coach}' where user_id = ${person.userId}`.execute(app.db);
  await sql`insert into coaches (coach_id, bio) values (${person.userId}, 'Mine')`.execute(app.db);
  expect((await decide(application, 'approve')).status).toBe(200);
  const { body } = await app.call(person, businessesApi.getCoachProfile, {});
  expect(body.coachProfile.bio).toBe('Mine');
});

test('grants the coach role on submission if the operator lets coaches join at once [VERIFY-1c]', async () => {
  await app.call(admin, settingsApi.updateCoachJoining, { joining: 'at_once' });
  const person = await app.signIn('customer');
  expect(await submitCompleteApplication(app, person)).toMatchObject({ status: 'approved' });
  expect(await rolesOf(person)).toContain('coach');
  expect((await app.call(person, applicationsApi.submit, {})).body.application.status).toBe('approved');
  await app.call(admin, settingsApi.updateCoachJoining, { joining: 'applications' });
});
