import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { adminApi } from '#domain/admin/contract.ts';
import { businessesApi } from '#domain/businesses/contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { recurringJobs } from '#domain/jobs.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import type { DocumentKind, VerificationPolicy } from '#domain/settings/verification-policy.ts';
import { applicationQueueApi } from '#domain/verification/applications-contract.ts';
import { checksApi } from '#domain/verification/checks-contract.ts';
import { documentsApi } from '#domain/verification/documents-contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { submitCompleteApplication } from '../applications/applications.test-support.ts';
import { addDocument, submitDocument } from '../verification.test-support.ts';
import { notifyOfHiddenLessons } from './notify-of-hidden-lessons.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const admin = beforeTests(() => app.signIn('admin'));

const kinds = ['criminal_record_check', 'safeguarding', 'insurance', 'first_aid', 'licence'] as const;
/** Saves a policy that hides coaches without these kinds and requires nothing else. */
async function ask(hiding: Partial<Record<DocumentKind, 'all' | 'under_18s'>>) {
  const policy = Object.fromEntries(
    kinds.map((kind) => [
      kind,
      hiding[kind] ? { askedOf: hiding[kind], effect: 'hidden' } : { askedOf: 'nobody', effect: 'badge' },
    ]),
  ) as VerificationPolicy;
  expect((await app.call(admin, checksApi.updatePolicy, policy)).status).toBe(200);
}
const runJob = () => notifyOfHiddenLessons(app.db, { lastedSeconds: 0 });

const about = ['lessons_hidden', 'coach_hidden', 'lessons_listed'];
/** The titles of a person's notifications about hidden and listed lessons, newest first. */
async function titlesOf(who: Someone): Promise<string[]> {
  const { body } = await app.call(who, notificationsApi.listNotifications, { limit: 100 });
  return body.notifications.filter(({ kind }) => about.includes(kind)).map(({ title }) => title);
}
const emailOf = (who: Someone, subject: string | RegExp) =>
  eventually(async () => {
    const emails = await app.emailsTo(who.email);
    return emails.find((email) =>
      subject instanceof RegExp ? subject.test(email.subject) : email.subject === subject,
    );
  });

/** Makes these people the coaches of a business. */
const formBusiness = (owner: Someone, coaches: Someone[]) =>
  sql`
    with business as (
      insert into coaching_businesses (owner_user_id, business_name) values (${owner.userId}::uuid, 'Hill')
      returning business_id
    )
    update coaches set business_id = (select business_id from business),
      business_role = case when coach_id = ${owner.userId}::uuid then 'owner' else 'employee' end
    where coach_id = any(${[owner, ...coaches].map(({ userId }) => userId)}::uuid[])`.execute(app.db);

const hidden = "Your lessons can't be booked at the moment";
const back = 'Your lessons can be booked again';
const template = {
  ...{ title: 'Serve and volley', durationMinutes: 60, basePriceCents: 5000, lessonType: 'group' as const },
  ...{ sport: 'tennis' as const, minCapacity: 2, maxCapacity: 4 },
};

test('notifies each coach, the owner and the admins once when a policy hides lessons [VERIFY-10e]', async () => {
  await ask({});
  const owner = await app.signIn('coach');
  const coaches = [await app.signIn('coach'), await app.signIn('coach'), await app.signIn('coach')];
  await formBusiness(owner, coaches);
  await addDocument(app, owner.userId);
  const slotId = await club.publish({ coachId: coaches[0]!.userId });
  const customer = await club.join();
  expect((await club.bookUntilDecided(customer, slotId)).body.outcome).toBe('booked');

  await ask({ insurance: 'all' });
  await Promise.all([runJob(), runJob(), runJob()]);
  await runJob();
  const others = "3 coaches' lessons can't be booked at the moment";
  for (const coach of coaches) expect(await titlesOf(coach)).toEqual([hidden]);
  expect(await titlesOf(owner)).toEqual([others]);
  // The test club already has a coach without insurance.
  const [own, ...more] = await titlesOf(admin);
  expect([own, more]).toEqual([expect.stringMatching(/^\d coaches' lessons can't be booked/), []]);

  const email = await emailOf(coaches[0]!, hidden);
  expect(email.text).toContain('This is missing or has ended: public liability insurance.');
  expect(email.text).toContain('These lessons stay booked.');
  expect(email.text).toMatch(/1 booked place/);
  expect(email.text).toContain('/coach/verification');
  for (const [who, page] of [
    [owner, '/coach/team'],
    [admin, '/admin/panel?tab=verification'],
  ] as const) {
    const { text } = await emailOf(who, /^\d coaches' lessons can't be booked/);
    for (const part of ['public liability insurance', 'as soon as an admin has accepted', page])
      expect(text).toContain(part);
    expect(text).toMatch(/1 booked place/);
  }
  const { body } = await app.call(coaches[0]!, documentsApi.listUncovered, {});
  expect(body.lessons).toMatchObject([{ slotId }]);

  // A policy that requires more doesn't hide any of them again.
  await ask({ insurance: 'all', licence: 'all' });
  await runJob();
  for (const coach of coaches) expect(await titlesOf(coach)).toEqual([hidden]);
});

test('notifies the coach and the owner when lessons are listed or hidden again [VERIFY-10e]', async () => {
  await ask({});
  const [owner, coach] = [await app.signIn('coach'), await app.signIn('coach')];
  await addDocument(app, owner.userId);
  await formBusiness(owner, [coach]);
  await ask({ insurance: 'all' });
  for (const expected of [[hidden], [hidden, back, hidden]]) {
    await runJob();
    expect(await titlesOf(coach)).toEqual(expected);
    expect(await titlesOf(owner)).toHaveLength(expected.length);
    await ask({});
    for (const _ of [1, 2]) await runJob();
    expect(await titlesOf(coach)).toEqual([back, ...expected]);
    const [again, before, ...more] = await titlesOf(owner);
    expect(again).toMatch(/^Person \d+'s lessons can be booked again$/);
    expect(before).toMatch(/^Person \d+'s lessons can't be booked at the moment$/);
    expect(more).toHaveLength(expected.length - 1);
    await ask({ insurance: 'all' });
  }
});

test('notifies a new owner instead of the former one when lessons are listed again', async () => {
  await ask({});
  const [former, next, coach] = [
    await app.signIn('coach'),
    await app.signIn('coach'),
    await app.signIn('coach'),
  ];
  for (const { userId } of [former, next]) await addDocument(app, userId);
  await formBusiness(former, [next, coach]);
  await ask({ insurance: 'all' });
  await runJob();
  const promotion = { coachId: next.userId, businessRole: 'owner' } as const;
  expect((await app.call(former, businessesApi.changeBusinessRole, promotion)).status).toBe(200);
  expect((await app.call(former, businessesApi.leaveTeam, {})).status).toBe(200);
  await ask({});
  await runJob();
  expect(await titlesOf(former)).toEqual([expect.stringMatching(/can't be booked at the moment$/)]);
  expect(await titlesOf(next)).toEqual([expect.stringMatching(/lessons can be booked again$/)]);
});

test('notifies a coach within two minutes if a policy keeps lessons hidden [VERIFY-10e]', async () => {
  await ask({});
  const coach = await app.signIn('coach');
  await ask({ insurance: 'all' });
  const age = (seconds: number) =>
    sql`update hidden_coaches set hidden_at = now() - make_interval(secs => ${seconds})
      where coach_id = ${coach.userId}::uuid`.execute(app.db);
  expect(recurringJobs['verification.hidings-due'], 'every minute').toBe('* * * * *');
  await age(59);
  await notifyOfHiddenLessons(app.db);
  expect(await titlesOf(coach)).toEqual([hidden]);
});

test('notifies nobody of a policy that is reverted within seconds', async () => {
  await ask({});
  const coach = await app.signIn('coach');
  const before = await titlesOf(admin);
  await ask({ insurance: 'all' });
  await notifyOfHiddenLessons(app.db);
  await ask({});
  await runJob();
  expect(await titlesOf(coach)).toEqual([]);
  // The lessons were listed only for a moment, so nobody who was notified before is notified again.
  await ask({ insurance: 'all' });
  await runJob();
  await ask({});
  await notifyOfHiddenLessons(app.db);
  await ask({ insurance: 'all' });
  await runJob();
  expect(await titlesOf(coach)).toEqual([hidden]);
  expect((await titlesOf(admin)).length).toBe(before.length + 1);
});

test('notifies coaches hidden by a declined document, lower minimum age or new nation [VERIFY-10e]', async () => {
  await ask({});
  const [declined, younger, abroad] = [
    await app.signIn('coach'),
    await app.signIn('coach'),
    await app.signIn('coach'),
  ];
  for (const { userId } of [declined, younger, abroad]) {
    await addDocument(app, userId, { kind: 'insurance' });
    await addDocument(app, userId, { kind: 'criminal_record_check', workforce: 'adult' });
  }
  const { body } = await app.call(younger, catalogueApi.createTemplate, { ...template, minAge: 18 });
  const pitch = { name: 'Pitch', city: 'Berwick', postcode: 'TD15 1AA', nation: 'england' } as const;
  const { location } = (await app.call(abroad, catalogueApi.createLocation, pitch)).body;
  await ask({ insurance: 'all', criminal_record_check: 'all' });
  await runJob();
  for (const coach of [declined, younger, abroad]) expect(await titlesOf(coach)).toEqual([]);

  const { rows } = await sql<{ documentId: string }>`
    select document_id from coach_documents
    where coach_id = ${declined.userId}::uuid and kind = 'insurance'`.execute(app.db);
  await app.call(admin, checksApi.decline, { documentId: rows[0]!.documentId, reason: 'Not yours.' });
  const lowered = { ...body.template, minAge: 16 };
  expect((await app.call(younger, catalogueApi.updateTemplate, lowered)).status).toBe(200);
  const moved = { ...location, nation: 'scotland' } as const;
  expect((await app.call(abroad, catalogueApi.updateLocation, moved)).status).toBe(200);
  for (const _ of [1, 2]) await runJob();
  for (const [coach, missing] of [
    [declined, 'public liability insurance'],
    [younger, 'criminal record check'],
    [abroad, 'criminal record check'],
  ] as const) {
    expect(await titlesOf(coach)).toEqual([hidden]);
    const { text } = await emailOf(coach, hidden);
    expect(text.includes('counts only in the nations it is for')).toBe(coach !== declined);
    expect(text).toContain(`missing or has ended: ${missing}.`);
  }
});

test('sends each notification once, even if the job fails between two coaches', async () => {
  await ask({});
  const coaches = [await app.signIn('coach'), await app.signIn('coach')];
  const before = (await titlesOf(admin)).length;
  await ask({ insurance: 'all' });
  // The second coach's notification fails after the admins' notification is written.
  await sql`alter table notifications add constraint test_outage
    check (user_id <> ${sql.lit(coaches[1]!.userId)}::uuid) not valid`.execute(app.db);
  await expect(runJob()).rejects.toThrow('test_outage');
  await sql`alter table notifications drop constraint test_outage`.execute(app.db);
  for (const _ of [1, 2]) await runJob();
  for (const coach of coaches) expect(await titlesOf(coach)).toEqual([hidden]);
  expect((await titlesOf(admin)).length).toBe(before + 1);
});

test('never notifies new coaches of hidden lessons before they have been listed [VERIFY-10f]', async () => {
  await ask({ insurance: 'all' });
  const coach = await app.signIn('coach');
  await runJob();
  await submitDocument(app, coach);
  await runJob();
  const { body } = await app.call(admin, checksApi.listWaiting, { limit: 100 });
  const { documentId } = body.documents.find(({ coachId }) => coachId === coach.userId)!;
  await app.call(admin, checksApi.accept, { documentId, method: 'original_in_person' });
  await runJob();
  expect(await titlesOf(coach)).toEqual([]);
  await app.call(admin, checksApi.decline, { documentId, reason: 'It is no longer valid.' });
  await runJob();
  expect(await titlesOf(coach)).toEqual([hidden]);
});

test('emails new coaches which documents they need before their lessons are listed [VERIFY-10f]', async () => {
  await ask({ insurance: 'all', criminal_record_check: 'under_18s', safeguarding: 'under_18s' });
  const grant = (userId: string) =>
    app.call(admin, adminApi.changeRole, { userId, role: 'coach', isHeld: true });
  const first = 'Before your lessons can be found and booked, an admin has to accept your';
  const minors = 'criminal record check and safeguarding training';

  // The application says that the person coaches under-18s.
  const applicant = await app.signIn('customer');
  const { applicationId, submittedAt } = await submitCompleteApplication(app, applicant);
  const decision = { applicationId, decision: 'approve', message: '', submittedAt: submittedAt! } as const;
  expect((await app.call(admin, applicationQueueApi.decide, decision)).status).toBe(200);
  const approved = await emailOf(applicant, /^You're a coach on/);
  expect(approved.text).toContain(
    `${first} public liability insurance, criminal record check and safeguarding training.`,
  );
  expect(approved.text).toContain('/coach/verification');

  const granted = await app.signIn('customer');
  await grant(granted.userId);
  const role = await emailOf(granted, /^You are now a coach at/);
  expect(role.text).toContain(
    `${first} public liability insurance. If any of them are open to under-18s, an admin also has to accept your ${minors}.`,
  );
  expect(role.text).toContain('/coach/verification');

  await ask({ licence: 'under_18s' });
  const later = await app.signIn('customer');
  await grant(later.userId);
  expect((await emailOf(later, /^You are now a coach at/)).text).toContain(
    'If any of your lessons are open to under-18s, an admin has to accept your governing-body licence before',
  );
  await ask({});
  const free = await app.signIn('customer');
  await grant(free.userId);
  expect((await emailOf(free, /^You are now a coach at/)).text).not.toContain('has to accept');
  await runJob();
  for (const person of [applicant, granted, later, free]) expect(await titlesOf(person)).toEqual([]);
});
