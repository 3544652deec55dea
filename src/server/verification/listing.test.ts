import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import type { Nation } from '#domain/catalogue/nations.ts';
import { deskApi } from '#domain/desk/contract.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import { recurringJobs } from '#domain/jobs.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import {
  type AbsenceEffect,
  type AskedOf,
  type DocumentKind,
  defaultVerificationPolicy,
  documentKinds,
} from '#domain/settings/verification-policy.ts';
import { checksApi } from '#domain/verification/checks-contract.ts';
import type { CheckLevel, CheckScheme } from '#domain/verification/documents.ts';
import { documentsApi } from '#domain/verification/documents-contract.ts';
import { listPublicCoachAddresses } from '#server/businesses/queries.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { openFamily } from '#server/test-support/family.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { renewListings } from './documents/hide-coaches.ts';
import { verificationJobs } from './jobs.ts';
import { addDocument, askOfCoaches, dayIn } from './verification.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const family = openFamily(app);
const policy = beforeTests(async () => {
  await askOfCoaches(app, defaultVerificationPolicy);
  return {};
});

/** Creates a coach with a template (for adults unless `minAge` says otherwise) and a lesson in a few days. */
async function openCoach({ minAge = 18, nation }: { minAge?: number | null; nation?: Nation | null } = {}) {
  expect(policy).toEqual({});
  const coach = await app.signIn('coach');
  const { body } = await app.call(coach, catalogueApi.createTemplate, {
    ...{ title: 'Serve and volley', durationMinutes: 60, basePriceCents: 5000, lessonType: 'group', minAge },
    ...{ sport: 'tennis', minCapacity: 2, maxCapacity: 4 },
  });
  const slotId = await club.publish({ coachId: coach.userId });
  const { templateId } = body.template;
  let locationId: string | null = null;
  if (nation !== undefined) {
    const pitch = { name: 'Pitch', city: 'Berwick', postcode: 'TD15 1AA', nation };
    locationId = (await app.call(coach, catalogueApi.createLocation, pitch)).body.location.locationId;
  }
  await app.db
    .updateTable('lessonSlots')
    .set({ templateId, locationId })
    .where('slotId', '=', slotId)
    .execute();
  return { coach, coachId: coach.userId, slotId, templateId };
}

const isShown = async (coachId: string) => {
  const lessons = (await app.call(null, discoverApi.discoverSlots, { coachId })).body.slots.length;
  const page = await fetch(`${app.url}/coaches/${coachId}`);
  const badges = await app.call(null, documentsApi.listBadges, { coachId });
  // The sitemap is cached, so this runs its query instead.
  const isListed = (await listPublicCoachAddresses(app.db, 1_000)).some((coach) => coach.coachId === coachId);
  const seen = [lessons > 0, page.status === 200, badges.status === 200, isListed];
  return new Set(seen).size === 1 ? seen[0] : seen;
};
const setEnd = (coachId: string, kind: string, endsOn: string) =>
  sql`update coach_documents set valid_until = ${endsOn}::date, issued_on = least(issued_on, ${endsOn}::date)
    where coach_id = ${coachId}::uuid and kind = ${kind}`.execute(app.db);

test('requires insurance from all coaches and checks for under-18s by default [VERIFY-4b]', async () => {
  const { rows } = await sql<{ policy: unknown }>`
    select verification_policy() as policy`.execute(app.db);
  expect(rows[0]!.policy).toEqual(defaultVerificationPolicy);
  await app.db.deleteFrom('siteSettings').where('key', '=', 'verification_policy').execute();
  const admin = await app.signIn('admin');
  const { body } = await app.call(admin, settingsApi.getSettings, {});
  expect(body.verificationPolicy).toEqual({
    criminal_record_check: { askedOf: 'under_18s', effect: 'hidden' },
    safeguarding: { askedOf: 'under_18s', effect: 'hidden' },
    insurance: { askedOf: 'all', effect: 'hidden' },
    first_aid: { askedOf: 'all', effect: 'badge' },
    licence: { askedOf: 'all', effect: 'badge' },
  });
  const stored = await sql<{ policy: unknown }>`select verification_policy() as policy`.execute(app.db);
  expect(stored.rows[0]!.policy).toEqual(body.verificationPolicy);
});

test('hides coaches according to the kind, audience and effect in the policy [VERIFY-4a]', async () => {
  const admin = await app.signIn('admin');
  const adults = await openCoach();
  const everyone = await openCoach({ minAge: null });
  await addDocument(app, adults.coachId);
  await addDocument(app, everyone.coachId);
  const shown = async () => [await isShown(adults.coachId), await isShown(everyone.coachId)];
  expect(await shown()).toEqual([true, false]);
  const update = async (change: object) => {
    const answer = await app.call(admin, checksApi.updatePolicy, { ...defaultVerificationPolicy, ...change });
    expect(answer.status).toBe(200);
  };
  const hides = { askedOf: 'all', effect: 'hidden' } as const;
  const { coachId } = await openCoach();
  const askFor = (kinds: readonly DocumentKind[], askedOf: AskedOf, effect: AbsenceEffect) =>
    update({
      ...Object.fromEntries(documentKinds.map((kind) => [kind, { askedOf: 'nobody', effect: 'badge' }])),
      ...Object.fromEntries(kinds.map((kind) => [kind, { askedOf, effect }])),
    });
  for (const kind of documentKinds) {
    await askFor([kind], 'all', 'hidden');
    expect(await isShown(coachId), kind).toBe(false);
  }
  for (const [askedOf, effect] of [
    ['all', 'badge'],
    ['under_18s', 'hidden'],
    ['nobody', 'hidden'],
  ] as const) {
    await askFor(documentKinds, askedOf, effect);
    expect(await isShown(coachId), `${askedOf} ${effect}`).toBe(true);
  }
  await update({ criminal_record_check: hides });
  expect(await shown()).toEqual([false, false]);
  const badge = { askedOf: 'under_18s', effect: 'badge' } as const;
  await update({ criminal_record_check: badge, safeguarding: badge });
  expect(await shown()).toEqual([true, true]);
  await update({ licence: hides });
  expect(await shown()).toEqual([false, false]);
  await update({ insurance: { askedOf: 'nobody', effect: 'badge' } });
  expect(await shown()).toEqual([true, false]);
  await update({});
  for (const [minAge, isListed] of [
    [17, false],
    [18, true],
  ] as const) {
    await app.db
      .updateTable('lessonTemplates')
      .set({ minAge })
      .where('templateId', '=', everyone.templateId)
      .execute();
    expect(await shown()).toEqual([true, isListed]);
  }
});

test('previews how many coaches and lessons a policy would hide [VERIFY-4d]', async () => {
  const { coachId } = await openCoach();
  const admin = await app.signIn('admin');
  const preview = async (insurance: 'all:hidden' | 'nobody:badge') => {
    const rest = { criminal_record_check: 'nobody:badge', safeguarding: 'nobody:badge' } as const;
    const more = { first_aid: 'nobody:badge', licence: 'nobody:badge' } as const;
    return (await app.call(admin, checksApi.previewPolicy, { ...rest, ...more, insurance })).body;
  };
  const none = await preview('nobody:badge');
  expect([none.hiddenCoaches, none.hiddenLessons]).toEqual([0, 0]);
  const before = await preview('all:hidden');
  expect(before.coaches).toBe(none.coaches);
  await addDocument(app, coachId);
  const after = await preview('all:hidden');
  expect(before.hiddenCoaches - after.hiddenCoaches).toBe(1);
  expect(before.hiddenLessons - after.hiddenLessons).toBe(1);
});

test('refuses bookings from the day after a document ends; hides the coach at 00:05 [VERIFY-10a]', async () => {
  const { coachId, slotId } = await openCoach();
  await addDocument(app, coachId, { endsOn: dayIn(0) });
  const customer = await club.join();
  expect((await club.bookUntilDecided(customer, slotId)).body.outcome).toBe('booked');
  expect(await isShown(coachId)).toBe(true);
  // The state just after midnight: the day has begun and the job hasn't run yet.
  await app.db
    .updateTable('coaches')
    .set({ listedUntil: dayIn(-1) })
    .where('coachId', '=', coachId)
    .execute();
  const other = await club.join();
  const refused = await club.book(other, slotId);
  expect([refused.status, refused.error!.code]).toEqual([409, 'slot_unavailable']);
  expect(refused.error!.message).toBe(
    "This coach isn't taking bookings at the moment. You have not been charged.",
  );
  expect((await club.readSlot(slotId)).bookedCount).toBe(1);
  await setEnd(coachId, 'insurance', dayIn(-1));
  // Changing the document hides the coach at once; at midnight, nothing but the job does.
  await app.db
    .updateTable('coaches')
    .set({ isListed: true, listedUntil: dayIn(-1) })
    .where('coachId', '=', coachId)
    .execute();
  expect(await isShown(coachId)).toBe(true);
  expect(recurringJobs['verification.day-begun'], '00:05 in London, in UTC').toBe('5 23,0 * * *');
  await verificationJobs(app)['verification.day-begun']();
  expect(await isShown(coachId)).toBe(false);
  expect((await club.book(other, slotId)).status).toBe(409);
});

test('keeps booked lessons, and emails a list of them to coach, owner and admins [VERIFY-10b]', async () => {
  const admin = await app.signIn('admin');
  const owner = await app.signIn('coach');
  const { coach, coachId, slotId } = await openCoach();
  await sql`
    with business as (
      insert into coaching_businesses (owner_user_id, business_name) values (${owner.userId}::uuid, 'Hill')
      returning business_id
    )
    update coaches set business_id = (select business_id from business),
      business_role = case when coach_id = ${owner.userId}::uuid then 'owner' else 'employee' end
    where coach_id in (${owner.userId}::uuid, ${coachId}::uuid)`.execute(app.db);
  await addDocument(app, coachId, { endsOn: dayIn(1) });
  const customer = await club.join();
  const { bookingId } = (await club.bookUntilDecided(customer, slotId)).body;
  await setEnd(coachId, 'insurance', dayIn(-1));
  for (const _ of [1, 2]) await renewListings(app.db);
  for (const [person, subject] of [
    [coach, "Your lessons can't be booked at the moment"],
    [owner, "'s lessons can't be booked at the moment"],
    [admin, "'s lessons can't be booked at the moment"],
  ] as const) {
    const emails = await eventually(async () => {
      const found = await app.emailsTo(person.email);
      return found.filter((email) => email.subject.includes(subject)).length > 0 && found;
    });
    const lists = emails.filter(
      (email) => email.subject.endsWith(subject) && email.text.includes('Serve and volley'),
    );
    expect(lists, person.email).toHaveLength(1);
  }
  const booking = await app.call(customer, bookingsApi.getMine, { bookingId });
  expect(booking.body.booking.status).toBe('booked');
  for (const reader of [coach, owner]) {
    const { body } = await app.call(reader, documentsApi.listUncovered, {});
    expect(body.lessons).toMatchObject([{ slotId, coachId, title: 'Serve and volley', seats: 1, minors: 0 }]);
  }
});

test('lists lessons as soon as the missing document is accepted [VERIFY-10c]', async () => {
  const admin = await app.signIn('admin');
  const { coachId, slotId } = await openCoach();
  const documentId = await addDocument(app, coachId, { status: 'submitted' });
  const customer = await club.join();
  expect((await club.book(customer, slotId)).status).toBe(409);
  const accepted = await app.call(admin, checksApi.accept, { documentId, method: 'original_in_person' });
  expect(accepted.body.trustFile.isListed).toBe(true);
  expect(await isShown(coachId)).toBe(true);
  expect((await club.bookUntilDecided(customer, slotId)).body.outcome).toBe('booked');
});

test("refuses to move an under-18's booking to a day that the checks don't cover [VERIFY-11]", async () => {
  const { coachId, slotId, templateId } = await openCoach({ nation: 'england', minAge: null });
  for (const kind of ['insurance', 'safeguarding', 'criminal_record_check'] as const) {
    await addDocument(app, coachId, { kind, endsOn: dayIn(30) });
  }
  const later = await club.publish({ coachId });
  const { locationId } = await club.readSlot(slotId);
  await app.db
    .updateTable('lessonSlots')
    .set({ templateId, locationId })
    .where('slotId', '=', later)
    .execute();
  await club.putOn(later, Date.parse(`${dayIn(31)}T15:00:00Z`));
  const { bookingId } = (await bookFor(slotId, '2015-05-05')).body;
  await eventually(async () => (await club.readBookings(slotId))[0]!.status === 'booked');
  const admin = await app.signIn('admin');
  const move = () => app.call(admin, deskApi.move, { bookingId, slotId: later });
  expect((await move()).error).toMatchObject({ code: 'age_range' });
  // Neither result depends on whether the coach is listed.
  await setEnd(coachId, 'insurance', dayIn(-1));
  expect((await move()).error).toMatchObject({ code: 'age_range' });
  await club.putOn(later, Date.parse(`${dayIn(30)}T15:00:00Z`));
  expect((await move()).status).toBe(200);
});

test('refuses to rebook a cancelled booking with a hidden coach [VERIFY-10a]', async () => {
  const { coachId, slotId, templateId } = await openCoach();
  await addDocument(app, coachId, { endsOn: dayIn(30) });
  const other = await club.publish({ coachId });
  await app.db.updateTable('lessonSlots').set({ templateId }).where('slotId', '=', other).execute();
  const customer = await club.join();
  const { bookingId } = (await club.bookUntilDecided(customer, slotId)).body;
  await app.db
    .updateTable('bookings')
    .set({ refundsEnabled: false })
    .where('bookingId', '=', bookingId)
    .execute();
  const cancelled = await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 0 });
  expect(cancelled.error?.message).toBeUndefined();
  const admin = await app.signIn('admin');
  const move = (to: string) => app.call(admin, deskApi.move, { bookingId, slotId: to });
  await setEnd(coachId, 'insurance', dayIn(-1));
  for (const to of [slotId, other]) {
    const refused = await move(to);
    expect([refused.status, refused.error?.code, refused.error?.message]).toEqual([
      ...[409, 'slot_unavailable', "This coach isn't taking bookings at the moment."],
    ]);
  }
  await setEnd(coachId, 'insurance', dayIn(30));
  expect((await move(slotId)).status).toBe(200);
  // An existing booking stays, so it can still be moved.
  await setEnd(coachId, 'insurance', dayIn(-1));
  expect((await move(other)).status).toBe(200);
});

async function bookFor(slotId: string, dateOfBirth: string) {
  const parent = await club.join();
  const participantId = await family.addChild(parent, { dateOfBirth });
  await family.saveCare(parent, participantId);
  return app.call(parent, bookingsApi.book, { slotId, participantId, baseAmountCents: 5000 });
}

test("refuses under-18s on days that the coach's checks don't cover [VERIFY-11]", async () => {
  const { coachId, slotId } = await openCoach({ nation: 'england', minAge: null });
  const day = dayIn(20);
  const startMs = Date.parse(`${day}T15:00:00Z`);
  await club.putOn(slotId, startMs);
  const yearsBefore = (date: string, years: number) => `${Number(date.slice(0, 4)) - years}${date.slice(4)}`;
  const child = yearsBefore(dayIn(21), 18);
  const grown = yearsBefore(day, 18);
  const refusal = 'in this lesson at the moment. You have not been charged.';
  await addDocument(app, coachId);
  await addDocument(app, coachId, { kind: 'criminal_record_check', endsOn: dayIn(400) });
  await addDocument(app, coachId, { kind: 'safeguarding', endsOn: dayIn(19) });
  // The coach is listed, but the training ends before the lesson.
  expect(await isShown(coachId)).toBe(true);
  const refused = await bookFor(slotId, child);
  expect([refused.status, refused.error!.code]).toEqual([409, 'age_range']);
  expect(refused.error!.message).toContain(refusal);
  expect(refused.error!.message).not.toMatch(/check|safeguard|DBS|document|training/i);
  expect((await bookFor(slotId, grown)).status).toBe(200);
  await setEnd(coachId, 'safeguarding', day);
  expect((await bookFor(slotId, child)).status).toBe(200);
  await sql`update coach_documents set recheck_on = ${dayIn(19)}::date
    where coach_id = ${coachId}::uuid and kind = 'criminal_record_check'`.execute(app.db);
  expect((await bookFor(slotId, child)).error!.message).toContain(refusal);
});

test('counts DBS, PVG and AccessNI checks only in the nations that they are for [VERIFY-5a]', async () => {
  const nations = ['england', 'wales', 'scotland', 'northern_ireland'] as const;
  const expected = {
    dbs: [true, true, false, false],
    pvg: [false, false, true, false],
    access_ni: [false, false, false, true],
  };
  type Opened = { coachId: string; slotId: string };
  const opened = new Map<CheckScheme, Opened[]>();
  for (const scheme of ['dbs', 'pvg', 'access_ni'] as const) {
    opened.set(scheme, []);
    for (const nation of nations) {
      const { coachId, slotId } = await openCoach({ nation, minAge: null });
      await addDocument(app, coachId);
      await addDocument(app, coachId, { kind: 'safeguarding' });
      const check = { scheme, level: scheme === 'pvg' ? 'pvg' : 'enhanced' } as const;
      await addDocument(app, coachId, { kind: 'criminal_record_check', ...check });
      opened.get(scheme)!.push({ coachId, slotId });
    }
  }
  const expectMatrix = async (answer: (one: Opened) => Promise<unknown>) => {
    for (const [scheme, all] of opened) {
      const answers = [];
      for (const one of all) answers.push(await answer(one));
      expect(answers, scheme).toEqual(expected[scheme]);
    }
  };
  await expectMatrix(({ coachId }) => isShown(coachId));
  // A listed coach's lesson is refused only because of the under-18.
  onTestFinished(() => askOfCoaches(app, defaultVerificationPolicy));
  const badge = { askedOf: 'under_18s', effect: 'badge' } as const;
  await askOfCoaches(app, { ...defaultVerificationPolicy, criminal_record_check: badge });
  await expectMatrix(async ({ coachId, slotId }) => {
    expect(await isShown(coachId)).toBe(true);
    const { status, error } = await bookFor(slotId, '2015-05-05');
    expect(error?.code).toBe(status === 200 ? undefined : 'age_range');
    return status === 200;
  });
});

test("requires the checks of every nation if a location's nation isn't stated [VERIFY-5b]", async () => {
  const { coach, coachId, slotId } = await openCoach({ nation: null, minAge: null });
  for (const kind of ['insurance', 'safeguarding'] as const) await addDocument(app, coachId, { kind });
  const addCheck = (scheme: CheckScheme, level: CheckLevel) =>
    addDocument(app, coachId, { kind: 'criminal_record_check', scheme, level });
  await addCheck('dbs', 'enhanced');
  expect((await bookFor(slotId, '2015-05-05')).error!.code).toBe('age_range');
  const pvg = await addCheck('pvg', 'pvg');
  expect((await bookFor(slotId, '2015-05-05')).error!.code).toBe('age_range');
  const accessNi = await addCheck('access_ni', 'enhanced');
  expect((await bookFor(slotId, '2015-05-05')).status).toBe(200);
  await app.db.deleteFrom('coachDocuments').where('documentId', 'in', [pvg, accessNi]).execute();
  expect((await bookFor(slotId, '2015-05-05')).status).toBe(409);
  const { locations } = (await app.call(coach, catalogueApi.listLocations, {})).body;
  const stated = { ...locations[0]!, nation: 'england' } as const;
  const inScotland = await app.call(coach, catalogueApi.updateLocation, { ...stated, nation: 'scotland' });
  expect(inScotland.body.location.nation).toBe('scotland');
  expect((await bookFor(slotId, '2015-05-05')).status).toBe(409);
  expect((await app.call(coach, catalogueApi.updateLocation, stated)).body.location.nation).toBe('england');
  expect((await bookFor(slotId, '2015-05-05')).status).toBe(200);
});
