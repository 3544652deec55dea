import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { type Payrun, payoutsApi } from '#domain/payouts/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { payrunApi } from '#domain/payouts/payrun-contract.ts';
import { refundBooking } from '#server/bookings/refunds/refund-booking.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { outputOf, type Someone } from '#server/test-support/contract-client.test-support.ts';
import { addPayableCoach } from '#server/test-support/sold-lessons.test-support.ts';
import {
  beforeTests,
  eventually,
  setUpTestApp,
  untilLockIsAwaited,
} from '#server/test-support/test-app.test-support.ts';
import { createPayrun } from './create-payrun.ts';
import { enterPayrunReturn } from './enter-payrun-return.ts';

let ended = 0;
const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const admin = beforeTests(() => app.signIn('admin'));
afterEach(() => club.expectLedgerInOrder());

/** Books and pays for a lesson of this coach, then moves it into the past. The coach's share is £49. */
async function bookEnded({ userId: coachId }: Someone): Promise<string> {
  const slotId = await club.publish({ coachId });
  const { bookingId } = (await club.book(await club.join(), slotId)).body;
  ended += 1;
  await club.putAt(slotId, -120 * ended);
  return bookingId;
}

const ask = <E extends Parameters<typeof app.call>[1]>(
  endpoint: E,
  input: Parameters<typeof app.call<E>>[2],
) => outputOf(app.call(admin, endpoint, input));
async function pay(bookingIds: string[]): Promise<string> {
  const { payrunId } = (await ask(payoutsApi.createPayrun, { bookingIds })).payrun;
  await ask(payoutsApi.markPayrunPaid, { payrunId });
  return payrunId;
}
const enter = (payrunId: string, coach: Someone, reason = 'Account closed') =>
  app.call(admin, payrunApi.enterReturn, { payrunId, coachId: coach.userId, reason });
const refund = (bookingId: string, cents: number) =>
  app.db.transaction().execute((tx) => refundBooking(tx, { bookingId, cents, borneBy: 'coach' }));
const earningsOf = (coach: Someone) => outputOf(app.call(coach, earningsApi.getEarnings, {}));
async function listPayable(coach: Someone) {
  const { bookings } = await ask(payoutsApi.listPayableBookings, { limit: 100 });
  return bookings
    .filter(({ coachId }) => coachId === coach.userId)
    .map(({ bookingId, amountCents }) => ({ bookingId, amountCents }));
}

test('makes bookings of a returned payment payable again exactly once [ADM-5, ADM-10b]', async () => {
  const [coach, other] = [await addPayableCoach(app), await addPayableCoach(app)];
  const [one, two, others] = [await bookEnded(coach), await bookEnded(coach), await bookEnded(other)];
  const payrunId = await pay([one, two, others]);
  expect(await earningsOf(coach)).toMatchObject({ paidOutCents: 9800, toComeCents: 0 });

  const answers = await Promise.all([1, 2, 3, 4].map(() => enter(payrunId, coach)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  const refused = answers.find(({ status }) => status === 409)!;
  expect(refused.error!.message).toBe('This payment has already been marked as returned.');
  const { payrun } = answers.find(({ status }) => status === 200)!.body;
  expect(payrun).toMatchObject({ status: 'paid', returnedCount: 1, returnedCents: 9800 });

  expect(await earningsOf(coach)).toMatchObject({ netCents: 9800, paidOutCents: 0, toComeCents: 9800 });
  expect(await earningsOf(other)).toMatchObject({ paidOutCents: 4900, toComeCents: 0 });
  expect((await listPayable(coach)).map(({ amountCents }) => amountCents)).toEqual([4900, 4900]);
  expect(await listPayable(other)).toEqual([]);
  const { lines } = await outputOf(app.call(coach, earningsApi.listEarnings, {}));
  expect(lines.slice(0, 2)).toMatchObject([
    { kind: 'returned', netCents: 4900, balanceCents: 9800 },
    { kind: 'returned', netCents: 4900, balanceCents: 4900 },
  ]);

  await pay([one, two]);
  expect(await earningsOf(coach)).toMatchObject({ paidOutCents: 9800, toComeCents: 0 });
  expect((await enter(payrunId, coach)).status).toBe(409);
  const { payments } = await outputOf(app.call(coach, earningsApi.listPayments, {}));
  expect(payments).toMatchObject([
    { amountCents: 9800, returned: null },
    { payrunId, amountCents: 9800, returned: { reason: 'Account closed' } },
  ]);
  const { csv } = await outputOf(app.call(coach, earningsApi.exportPayments, {}));
  expect(csv.match(/,49\.00,GBP,\d{4}-\d\d-\d\d\r\n/g)).toHaveLength(2);
  expect(csv.match(/,49\.00,GBP,\r\n/g)).toHaveLength(2);
});

test('notifies the coach and all admins of a returned payment, and audits it [ADM-10c]', async () => {
  const [coach, second] = [await addPayableCoach(app), await app.signIn('admin')];
  const payrunId = await pay([await bookEnded(coach)]);
  await outputOf(enter(payrunId, coach, 'Sort code unknown'));
  const toCoach = await eventually(async () =>
    (await app.emailsTo(coach.email)).find(({ subject }) => subject.includes('was returned')),
  );
  expect(toCoach.subject).toMatch(/^Your payment of £49\.00 from .* was returned$/);
  expect(toCoach.text).toContain('Sort code unknown');
  expect(toCoach.text).toContain('••••4958');
  expect(toCoach.text).not.toContain('66374958');
  for (const someone of [second, admin]) {
    const toAdmin = await eventually(async () =>
      (await app.emailsTo(someone.email)).find(({ text }) => text.includes('Sort code unknown')),
    );
    expect(toAdmin.subject).toContain('was returned');
    expect(toAdmin.text).toContain('Its bookings are payable again.');
  }
  const inApp = await outputOf(app.call(coach, notificationsApi.listNotifications, {}));
  // The job that records the payout itself may run later, so the order isn't certain.
  const titles = inApp.notifications.flatMap(({ kind, title }) => (kind === 'payout_returned' ? title : []));
  expect(titles).toEqual([toCoach.subject]);
  const event = await app.db
    .selectFrom('auditLog')
    .select(['action', 'actorUserId', 'after'])
    .where('subjectId', '=', payrunId)
    .orderBy('auditId', 'desc')
    .executeTakeFirstOrThrow();
  expect(event).toEqual({
    ...{ action: 'payrun.payment-returned', actorUserId: admin.userId },
    after: { coachId: coach.userId, amountCents: 4900, reason: 'Sort code unknown' },
  });
});

test('repays a deduction if the payout that it corrected has been returned [ADM-10b]', async () => {
  const coach = await addPayableCoach(app);
  const [early, later] = [await bookEnded(coach), await bookEnded(coach)];
  const first = await pay([early]);
  await refund(early, 2500);
  const second = await pay([later]);
  // £49 less £24.50, the coach's part of the refund.
  expect(await earningsOf(coach)).toMatchObject({ paidOutCents: 7350, toComeCents: 0 });

  await outputOf(enter(first, coach));
  expect(await earningsOf(coach)).toMatchObject({ paidOutCents: 2450, toComeCents: 4900 });
  expect(await listPayable(coach)).toEqual([{ bookingId: early, amountCents: 4900 }]);
  await refund(early, 2500);
  expect(await listPayable(coach)).toEqual([{ bookingId: early, amountCents: 2450 }]);
  await pay([early]);
  expect(await earningsOf(coach)).toMatchObject({ netCents: 4900, paidOutCents: 4900, toComeCents: 0 });

  // The payment with the deduction is returned too: the deduction is owed again and the lesson is payable.
  await outputOf(enter(second, coach));
  expect(await earningsOf(coach)).toMatchObject({ paidOutCents: 2450, toComeCents: 2450 });
  expect(await listPayable(coach)).toEqual([{ bookingId: later, amountCents: 4900 }]);
  const last = await pay([later]);
  expect(await earningsOf(coach)).toMatchObject({ netCents: 4900, paidOutCents: 4900, toComeCents: 0 });
  const { payments } = await ask(payrunApi.getPayrun, { payrunId: last });
  expect(payments).toMatchObject([{ bookingsCents: 4900, deductedCents: 2450, amountCents: 2450 }]);
});

test('deducts nothing for a payout whose return is being entered [ADM-10b]', async () => {
  const coach = await addPayableCoach(app);
  const [early, later] = [await bookEnded(coach), await bookEnded(coach)];
  const payrunId = await pay([early]);
  await refund(early, 2500);
  const by = { userId: admin.userId, roles: ['admin' as const], sessionId: randomUUID() };
  const parts = { db: app.db, config: app.config };
  let [entered, created]: Promise<Payrun>[] = [];
  await app.db.transaction().execute(async (tx) => {
    await sql`select from bookings where booking_id = ${early}::uuid for update`.execute(tx);
    entered = enterPayrunReturn(parts, by, { payrunId, coachId: coach.userId, reason: 'Account closed' });
    await untilLockIsAwaited(app.db);
    created = createPayrun(app.db, by, { bookingIds: [later], currency: 'GBP' });
    await Promise.race([created, untilLockIsAwaited(app.db, 2)]);
  });
  await entered;
  const { payments } = await ask(payrunApi.getPayrun, { payrunId: (await created!).payrunId });
  expect(payments).toMatchObject([{ bookingsCents: 4900, deductedCents: 0, amountCents: 4900 }]);
});

test('refuses returns of payments that were never made [ADM-10b]', async () => {
  const [coach, other] = [await addPayableCoach(app), await addPayableCoach(app)];
  const { payrunId } = (await ask(payoutsApi.createPayrun, { bookingIds: [await bookEnded(coach)] })).payrun;
  const pending = await enter(payrunId, coach);
  expect([pending.status, pending.error!.message]).toEqual([
    409,
    "This payrun isn't marked as paid yet. Mark it as paid, then enter the payments that the bank returned.",
  ]);
  const missing = await enter(payrunId, other);
  expect([missing.status, missing.error!.message]).toEqual([
    404,
    'This payrun has no payment to this coach.',
  ]);
  expect((await enter(payrunId, coach, ' ')).error!.fields).toEqual({ reason: "Enter the bank's reason." });
  await ask(payoutsApi.cancelPayrun, { payrunId, reason: 'Wrong month' });
  const cancelled = await enter(payrunId, coach);
  expect([cancelled.status, cancelled.error!.message]).toEqual([
    409,
    'This payrun has been cancelled, so none of it was paid.',
  ]);
});

test("shows a payrun's payments and admins, and its bookings page by page [ADM-10a]", async () => {
  const [coach, other] = [await addPayableCoach(app), await addPayableCoach(app)];
  const bookingIds = [await bookEnded(coach), await bookEnded(other), await bookEnded(coach)];
  const payer = await app.signIn('admin');
  const { payrunId } = (await ask(payoutsApi.createPayrun, { bookingIds })).payrun;
  await outputOf(app.call(payer, payoutsApi.markPayrunPaid, { payrunId }));
  const { payrun, payments } = await ask(payrunApi.getPayrun, { payrunId });
  const nameOf = async ({ userId }: Someone) => {
    const { fullName } = await app.db
      .selectFrom('profiles')
      .select('fullName')
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow();
    return fullName;
  };
  const [createdBy, paidBy] = [await nameOf(admin), await nameOf(payer)];
  expect(paidBy).not.toBe(createdBy);
  expect(payrun).toMatchObject({
    ...{ status: 'paid', totalAmountCents: 14_700, bookingCount: 3, coachCount: 2, returnedCount: 0 },
    ...{ createdBy: { userId: admin.userId, fullName: createdBy }, paidBy, cancelledBy: null },
  });
  const { createdAt, paidAt } = payrun;
  expect(Date.parse(paidAt!)).toBeGreaterThanOrEqual(Date.parse(createdAt));
  expect(Date.now() - Date.parse(createdAt)).toBeLessThan(60_000);
  expect(payments).toHaveLength(2);
  expect(payments.find(({ coachId }) => coachId === coach.userId)).toMatchObject({
    ...{ accountName: 'Ana Souza', maskedAccountNumber: '••••4958', returned: null },
    ...{ bookingCount: 2, bookingsCents: 9800, deductedCents: 0, amountCents: 9800 },
  });
  expect(JSON.stringify(payments)).not.toContain('66374958');
  const { coachName } = payments[0]!;
  const found = await ask(payrunApi.getPayrun, { payrunId, search: coachName.toUpperCase() });
  expect(found.payments.map((payment) => payment.coachName)).toContain(coachName);
  expect((await ask(payrunApi.getPayrun, { payrunId, search: '%' })).payments).toEqual([]);

  const first = await ask(payrunApi.listPayrunLines, { payrunId, limit: 2 });
  const rest = await ask(payrunApi.listPayrunLines, { payrunId, limit: 2, cursor: first.nextCursor! });
  const lines = [...first.lines, ...rest.lines];
  // The lesson that was booked last ended first.
  expect(lines.map(({ bookingId }) => bookingId)).toEqual(bookingIds.toReversed());
  expect(lines[0]).toMatchObject({ kind: 'lesson', title: 'Tennis basics', amountCents: 4900 });
  expect(rest.nextCursor).toBeNull();
  const own = await ask(payrunApi.listPayrunLines, { payrunId, coachId: other.userId });
  expect(own.lines.map(({ bookingId }) => bookingId)).toEqual([bookingIds[1]]);
  const nowhere = { payrunId: '00000000-0000-4000-8000-000000000000' };
  for (const endpoint of [payrunApi.getPayrun, payrunApi.listPayrunLines]) {
    expect((await app.call(admin, endpoint, nowhere)).status).toBe(404);
  }
});
