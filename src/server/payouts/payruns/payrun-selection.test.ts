import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { InputOf } from '#domain/endpoint.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { auditLedger } from '#server/bookings/checks/audit-ledger.ts';
import { writeRefund } from '#server/test-support/lessons.test-support.ts';
import { addPayableCoach, writeSoldLessons } from '#server/test-support/sold-lessons.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const admin = beforeTests(() => app.signIn('admin'));

const preview = async (matching: object) => {
  const { body, error } = await app.call(admin, payoutsApi.previewPayrun, { matching });
  expect(error).toBeUndefined();
  return body;
};
const create = (input: InputOf<typeof payoutsApi.createPayrun>) =>
  app.call(admin, payoutsApi.createPayrun, input);
const coachesOf = async (filter: InputOf<typeof payoutsApi.listPayableCoaches>) =>
  (await app.call(admin, payoutsApi.listPayableCoaches, filter)).body;
const itemsOf = async (payrunId: string) =>
  (await app.db.selectFrom('payrunItems').select('bookingId').where('payrunId', '=', payrunId).execute()).map(
    ({ bookingId }) => bookingId,
  );
const hoursAgo = (hours: number) => Date.now() - hours * 3_600_000;

test('pays thousands of bookings that match a filter in one payrun [ADM-3c]', async () => {
  const [one, two] = [await addPayableCoach(app), await addPayableCoach(app)];
  await writeSoldLessons(app, one, { count: 1500, endedAt: hoursAgo(1) });
  await writeSoldLessons(app, two, { count: 1600, endedAt: hoursAgo(2000) });
  const waiting = await app.signIn('coach');
  await writeSoldLessons(app, waiting, { count: 2, endedAt: hoursAgo(1) });

  const byCoach = await coachesOf({});
  expect(byCoach).toMatchObject({ bookingCount: 3100, amountCents: 3100 * 4900 });
  const named = Object.fromEntries(byCoach.coaches.map(({ coachId, ...coach }) => [coachId, coach]));
  expect(named[one.userId]).toMatchObject({ bookingCount: 1500, amountCents: 1500 * 4900, waitingCount: 0 });
  expect(named[waiting.userId]).toMatchObject({ bookingCount: 0, waitingCount: 2, hasBankDetails: false });

  const shown = await preview({});
  expect(shown).toMatchObject({ bookingCount: 3100, bookingsCents: 3100 * 4900, leftOut: [] });
  const { body, status } = await create({ matching: {}, fingerprint: shown.fingerprint });
  expect(status).toBe(200);
  expect(body.payrun).toMatchObject({
    bookingCount: 3100,
    coachCount: 2,
    totalAmountCents: shown.totalAmountCents,
  });
  const { payrunId } = body.payrun;
  expect((await app.call(admin, payoutsApi.markPayrunPaid, { payrunId })).status).toBe(200);
  expect(await coachesOf({})).toMatchObject({ bookingCount: 0, amountCents: 0 });
  expect(await auditLedger(app.db)).toEqual([]);
});

test('limits a payrun to coaches and London dates, including the first and last day [ADM-3c]', async () => {
  const [coach, other] = [await addPayableCoach(app), await addPayableCoach(app)];
  const bookingIds = await writeSoldLessons(app, coach, { count: 60, endedAt: hoursAgo(1) });
  await writeSoldLessons(app, other, { count: 3, endedAt: hoursAgo(1) });
  const { rows } = await sql<{ bookingId: string; endTime: string }>`
    select booking_id, end_time from bookings join lesson_slots using (slot_id)
    where booking_id = any(${bookingIds}::uuid[])`.execute(app.db);
  const day = addDays(wallTimeOf(Date.now()).date, -1);
  const onDay = rows.filter(({ endTime }) => wallTimeOf(endTime).date === day).map((row) => row.bookingId);
  expect(onDay.length).toBeGreaterThan(20);
  const period = { from: day, to: day, search: coach.email };
  const listed = await app.call(admin, payoutsApi.listPayableBookings, { ...period, limit: 100 });
  expect(listed.body.bookings.map(({ bookingId }) => bookingId).sort()).toEqual(onDay.sort());
  expect((await coachesOf(period)).bookingCount).toBe(onDay.length);

  const matching = { from: day, to: day, coachIds: [coach.userId], exceptBookingIds: [onDay[0]!] };
  const shown = await preview(matching);
  const { body } = await create({ matching, fingerprint: shown.fingerprint });
  expect((await itemsOf(body.payrun.payrunId)).sort()).toEqual(onDay.slice(1).sort());

  // In summer, London is an hour ahead of UTC: this lesson ends at 00:30 on the 11th.
  const year = new Date().getFullYear() - 1;
  const [late] = await writeSoldLessons(app, other, {
    count: 1,
    endedAt: Date.parse(`${year}-07-10T23:30:00Z`),
  });
  const endedOn = async (date: string) => {
    const { body } = await app.call(admin, payoutsApi.listPayableBookings, { from: date, to: date });
    return body.bookings.map(({ bookingId }) => bookingId);
  };
  expect(await endedOn(`${year}-07-10`)).toEqual([]);
  expect(await endedOn(`${year}-07-11`)).toEqual([late]);

  const backwards = { from: day, to: addDays(day, -1) };
  const refused = await app.call(admin, payoutsApi.listPayableBookings, backwards);
  expect([refused.status, refused.error?.fields]).toEqual([
    422,
    { to: "The last day can't be before the first day." },
  ]);
});

test('refuses a selection that changed after the preview, and returns a new preview [ADM-3d]', async () => {
  const coach = await addPayableCoach(app);
  await writeSoldLessons(app, coach, { count: 3, endedAt: hoursAgo(1) });
  const matching = { coachIds: [coach.userId] };
  const shown = await preview(matching);
  const [late] = await writeSoldLessons(app, coach, { count: 1, endedAt: hoursAgo(10) });
  const refused = await create({ matching, fingerprint: shown.fingerprint });
  expect([refused.status, refused.error?.code]).toEqual([409, 'selection_changed']);
  expect(refused.error?.message).toContain('4 bookings for £196.00');
  expect(refused.error?.details).toEqual({ preview: await preview(matching) });
  expect((await coachesOf({ search: coach.email })).bookingCount).toBe(4);

  const exceptLate = { ...matching, exceptBookingIds: [late!] };
  expect((await preview(exceptLate)).fingerprint).toBe(shown.fingerprint);
  // This selection has the same number of bookings and the same sum, but different bookings.
  const all = (await app.call(admin, payoutsApi.listPayableBookings, { search: coach.email })).body.bookings;
  const early = all.find(({ bookingId }) => bookingId !== late)!;
  const swapped = { ...matching, exceptBookingIds: [early.bookingId] };
  const other = await create({ matching: swapped, fingerprint: shown.fingerprint });
  expect([other.status, other.error?.code]).toEqual([409, 'selection_changed']);
  const byId = { bookingIds: all.map(({ bookingId }) => bookingId), fingerprint: shown.fingerprint };
  expect((await create(byId)).error?.code).toBe('selection_changed');
  const bare = await create({ matching });
  expect([bare.status, Object.keys(bare.error?.fields ?? {})]).toEqual([422, ['fingerprint']]);
  const neither = await create({});
  expect([neither.status, neither.error?.message]).toEqual([422, 'No bookings selected']);
  // The same bookings are worth less after a refund.
  await writeRefund(app.db, early.bookingId, { cents: 1000, feeCents: 20 });
  const cheaper = await create({ matching: exceptLate, fingerprint: shown.fingerprint });
  expect([cheaper.status, cheaper.error?.code]).toEqual([409, 'selection_changed']);
  const current = await preview(exceptLate);
  expect(cheaper.error?.details).toEqual({ preview: current });
  expect(current).toMatchObject({ bookingCount: 3, totalAmountCents: 3 * 4900 - 980 });
  const { body, status } = await create({ matching: exceptLate, fingerprint: current.fingerprint });
  expect([status, body.payrun.totalAmountCents]).toEqual([200, current.totalAmountCents]);
  const others = all.filter(({ bookingId }) => bookingId !== late).map(({ bookingId }) => bookingId);
  expect((await itemsOf(body.payrun.payrunId)).sort()).toEqual(others.sort());
});

test('leaves out and reports a coach who owes more than their bookings are worth', async () => {
  const [owing, fine] = [await addPayableCoach(app), await addPayableCoach(app)];
  const early = await writeSoldLessons(app, owing, { count: 2, endedAt: hoursAgo(30) });
  const { payrun } = (await create({ bookingIds: early })).body;
  await app.call(admin, payoutsApi.markPayrunPaid, { payrunId: payrun.payrunId });
  for (const bookingId of early) await writeRefund(app.db, bookingId, { cents: 5000, feeCents: 100 });
  await writeSoldLessons(app, owing, { count: 1, endedAt: hoursAgo(1) });
  await writeSoldLessons(app, fine, { count: 2, endedAt: hoursAgo(10) });
  const matching = { coachIds: [owing.userId, fine.userId] };
  const shown = await preview(matching);
  expect(shown.coaches.map(({ coachId }) => coachId)).toEqual([fine.userId]);
  expect(shown.leftOut).toEqual([expect.objectContaining({ coachId: owing.userId, owedCents: 4900 })]);
  const { body } = await create({ matching, fingerprint: shown.fingerprint });
  expect(body.payrun).toMatchObject({ bookingCount: 2, coachCount: 1, totalAmountCents: 9800 });

  await writeSoldLessons(app, owing, { count: 3, endedAt: hoursAgo(5) });
  const enough = await preview({ coachIds: [owing.userId] });
  expect(enough).toMatchObject({
    bookingCount: 4,
    bookingsCents: 19_600,
    totalAmountCents: 9800,
    leftOut: [],
  });
  expect(enough.coaches).toMatchObject([{ deductedCents: 9800, amountCents: 9800 }]);
});

test('creates only one payrun from three simultaneous requests for a selection', async () => {
  const coach = await addPayableCoach(app);
  await writeSoldLessons(app, coach, { count: 200, endedAt: hoursAgo(1) });
  const matching = { coachIds: [coach.userId] };
  const { fingerprint } = await preview(matching);
  const made = await Promise.all([1, 2, 3].map(() => create({ matching, fingerprint })));
  expect(made.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});
