import { randomUUID } from 'node:crypto';
import { sql, type Updateable } from 'kysely';
import { expect, test } from 'vitest';
import { adminHomeApi, maxCounted } from '#domain/admin/home-contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { applicationQueueApi } from '#domain/verification/applications-contract.ts';
import { checksApi } from '#domain/verification/checks-contract.ts';
import type { Disputes, ReviewCases } from '#server/platform/db/db-types.ts';
import { addPayableCoach, writeSoldLessons } from '#server/test-support/sold-lessons.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { submitCompleteApplication } from '#server/verification/applications/applications.test-support.ts';
import { addDocument } from '#server/verification/verification.test-support.ts';

const app = setUpTestApp();
const admin = beforeTests(() => app.signIn('admin'));

const read = async () => {
  const { status, body } = await app.call(admin, adminHomeApi.getAdminHome, {});
  expect(status).toBe(200);
  return body;
};
const nothing = {
  payoutsDue: { lessons: 0, amountCents: 0, isMore: false },
  failedRefunds: { refunds: 0, amountCents: 0 },
  openDisputes: { disputes: 0, dueBy: null },
  pendingPayruns: { payruns: 0, amountCents: 0 },
  withheldBookings: 0,
  welfareConcerns: 0,
  waitingDocuments: 0,
  waitingApplications: 0,
  reviewCases: { open: 0, overdue: 0 },
};
const twoHoursAgo = () => Date.now() - 2 * 3_600_000;
const paymentOf = async (bookingId: string) =>
  (
    await app.db
      .selectFrom('bookings')
      .select('paymentId')
      .where('bookingId', '=', bookingId)
      .executeTakeFirstOrThrow()
  ).paymentId;

test("counts an admin's open tasks and omits those that are done [DASH-6]", async () => {
  expect(await read()).toMatchObject(nothing);
  const before = (await read()).week;
  const coach = await addPayableCoach(app);
  const bookings = await writeSoldLessons(app, coach, { count: 4, endedAt: twoHoursAgo() });
  expect(await read()).toMatchObject({
    ...nothing,
    week: {
      bookings: before.bookings + 4,
      revenueCents: before.revenueCents + 20_000,
      feeCents: before.feeCents + 400,
      // The coach and the customer of the lessons are new users.
      newUsers: before.newUsers + 2,
    },
    payoutsDue: { lessons: 4, amountCents: 4 * 4900, isMore: false },
  });

  await app.db
    .insertInto('disputes')
    .values({
      ...{ disputeId: `dp_${randomUUID()}`, paymentId: await paymentOf(bookings[0]!) },
      ...{ status: 'needs_response', amountCents: 5000, evidenceDueBy: '2030-01-01T12:00:00Z' },
    })
    .execute();
  expect(await read()).toMatchObject({ withheldBookings: 1, payoutsDue: { lessons: 3 } });
  expect((await read()).openDisputes).toEqual({ disputes: 1, dueBy: '2030-01-01T12:00:00Z' });
  const change = (changes: Updateable<Disputes>) => app.db.updateTable('disputes').set(changes).execute();
  await change({ evidenceBy: admin.userId, evidenceAskedAt: new Date().toISOString() });
  expect((await read()).openDisputes).toEqual({ disputes: 0, dueBy: null });
  await change({ evidenceRefusal: 'The evidence is too long.' });
  expect((await read()).openDisputes.disputes, 'the evidence can be sent again').toBe(1);
  await change({ status: 'under_review' });
  expect((await read()).openDisputes.disputes, 'the bank takes no more evidence').toBe(0);
  // A refund made directly in Stripe withholds another booking.
  await app.db
    .insertInto('externalRefunds')
    .values({
      ...{ stripeRefundId: `re_${randomUUID()}`, paymentId: await paymentOf(bookings[1]!) },
      ...{ status: 'succeeded', amountCents: 5000, madeAt: new Date().toISOString() },
    })
    .execute();
  expect(await read()).toMatchObject({ withheldBookings: 2, payoutsDue: { lessons: 2 } });
  await change({ status: 'lost' });
  expect((await read()).openDisputes).toEqual({ disputes: 1, dueBy: null });
  await change({ status: 'won' });
  expect((await read()).openDisputes.disputes).toBe(0);
  expect(await read()).toMatchObject({ withheldBookings: 1, payoutsDue: { lessons: 3 } });
  await app.db.deleteFrom('externalRefunds').execute();
  expect(await read()).toMatchObject({ withheldBookings: 0, payoutsDue: { lessons: 4 } });

  const dropped = await app.call(admin, payoutsApi.createPayrun, { bookingIds: bookings });
  const reason = 'Created with the wrong dates';
  const { payrunId: droppedId } = dropped.body.payrun;
  expect(
    (await app.call(admin, payoutsApi.cancelPayrun, { payrunId: droppedId, reason })).error,
  ).toBeUndefined();
  expect(await read()).toMatchObject({ pendingPayruns: nothing.pendingPayruns, payoutsDue: { lessons: 4 } });

  const created = await app.call(admin, payoutsApi.createPayrun, { bookingIds: bookings });
  expect(created.error).toBeUndefined();
  expect(await read()).toMatchObject({ ...nothing, pendingPayruns: { payruns: 1, amountCents: 4 * 4900 } });
  const { payrunId } = created.body.payrun;
  expect((await app.call(admin, payoutsApi.markPayrunPaid, { payrunId })).error).toBeUndefined();
  expect(await read()).toMatchObject(nothing);

  const payments = await Promise.all(bookings.slice(1).map(paymentOf));
  await sql`insert into refunds (payment_id, amount_cents, reason, status, failure_message, given_up_at)
    values (${payments[0]}, 1500, 'customer_cancelled', 'failed', 'refused', now()),
      (${payments[1]}, 1600, 'customer_cancelled', 'pending', null, null),
      (${payments[2]}, 1700, 'customer_cancelled', 'succeeded', null, null)`.execute(app.db);
  expect(await read()).toMatchObject({ ...nothing, failedRefunds: { refunds: 1, amountCents: 1500 } });
  await app.db
    .updateTable('refunds')
    .set({ status: 'succeeded' })
    .where('paymentId', '=', payments[0]!)
    .execute();
  expect(await read()).toMatchObject(nothing);
});

test('counts the bookings and new users of the last 7 days in London time [DASH-6]', async () => {
  const coach = await addPayableCoach(app);
  const [bookingId] = await writeSoldLessons(app, coach, { count: 1, endedAt: twoHoursAgo() });
  const person = await app.signIn('customer');
  const addOn = async (daysAgo: number, clock: string) => {
    const day = addDays(wallTimeOf(Date.now()).date, -daysAgo);
    const createdAt = sql<string>`${`${day} ${clock}`}::timestamp at time zone 'Europe/London'`;
    const { userId } = person;
    await app.db.updateTable('profiles').set({ createdAt }).where('userId', '=', userId).execute();
    const entry = { bookingId: bookingId!, sourceId: randomUUID(), createdAt };
    await app.db
      .insertInto('ledgerEntries')
      .values([
        { ...entry, kind: 'charged', amountCents: 5000 },
        { ...entry, kind: 'fee', amountCents: 100 },
      ])
      .execute();
    return (await read()).week;
  };
  const { bookings, revenueCents, feeCents, newUsers } = (await read()).week;
  const first = { bookings: bookings + 1, revenueCents: revenueCents + 5000, feeCents: feeCents + 100 };
  expect(await addOn(6, '00:00')).toEqual({ ...first, newUsers });
  expect(await addOn(7, '23:59')).toEqual({ ...first, newUsers: newUsers - 1 });
});

test('counts applications to become a coach until they are decided [DASH-6]', async () => {
  const applicant = await app.signIn('customer');
  const { applicationId, submittedAt } = await submitCompleteApplication(app, applicant);
  expect((await read()).waitingApplications).toBe(1);
  const decision = {
    applicationId,
    submittedAt: submittedAt!,
    decision: 'decline',
    message: 'Later',
  } as const;
  expect((await app.call(admin, applicationQueueApi.decide, decision)).error).toBeUndefined();
  expect((await read()).waitingApplications).toBe(0);
});

test("counts coaches' documents until they are checked [DASH-6]", async () => {
  const coach = await app.signIn('coach');
  const documents = [
    await addDocument(app, coach.userId, { kind: 'insurance', status: 'submitted' }),
    await addDocument(app, coach.userId, { kind: 'licence', status: 'submitted' }),
  ] as const;
  await addDocument(app, (await app.signIn('coach')).userId);
  expect((await read()).waitingDocuments).toBe(2);
  const accepted = { documentId: documents[0], method: 'original_in_person' } as const;
  expect((await app.call(admin, checksApi.accept, accepted)).error).toBeUndefined();
  expect((await read()).waitingDocuments).toBe(1);
  const declined = { documentId: documents[1], reason: 'Too dark.' };
  expect((await app.call(admin, checksApi.decline, declined)).error).toBeUndefined();
  expect((await read()).waitingDocuments).toBe(0);
});

test('counts open and overdue review cases [DASH-6]', async () => {
  const coach = await addPayableCoach(app);
  const [bookingId] = await writeSoldLessons(app, coach, { count: 1, endedAt: twoHoursAgo() });
  const { reviewCases: before } = await read();
  const { caseId } = await app.db
    .insertInto('reviewCases')
    .values({
      kind: 'attendance',
      about: 'attendance',
      bookingId,
      dueAt: new Date(Date.now() + 60_000).toISOString(),
    })
    .returning('caseId')
    .executeTakeFirstOrThrow();
  const change = (changes: Updateable<ReviewCases>) =>
    app.db.updateTable('reviewCases').set(changes).where('caseId', '=', caseId).execute();
  expect((await read()).reviewCases).toEqual({ ...before, open: before.open + 1 });
  await change({ dueAt: new Date(Date.now() - 60_000).toISOString() });
  expect((await read()).reviewCases).toEqual({ open: before.open + 1, overdue: before.overdue + 1 });
  await change({ outcome: 'declined', decidedAt: new Date().toISOString() });
  expect((await read()).reviewCases).toEqual(before);
});

test('counts payable lessons up to a limit and reports that there are more [DASH-6]', async () => {
  const coach = await addPayableCoach(app);
  await writeSoldLessons(app, coach, { count: maxCounted + 1, endedAt: twoHoursAgo() });
  expect((await read()).payoutsDue).toEqual({
    ...{ lessons: maxCounted, amountCents: maxCounted * 4900, isMore: true },
  });
});

test('shows the admin home to admins only [ROLE-4]', async () => {
  for (const who of [await app.signIn('customer', 'coach'), null]) {
    expect((await app.call(who, adminHomeApi.getAdminHome, {})).status).toBe(who ? 403 : 401);
  }
});
