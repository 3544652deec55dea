import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { auditLedger } from './checks/audit-ledger.ts';
import { closeMonths } from './close-months.ts';
import { refundBooking } from './refunds/refund-booking.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const daysAgo = (days: number) => -days * 24 * 60;
let customer: Someone;
let slotIds: string[];

// Lessons 130, 100 and 70 days ago are in closed months. The lessons of 2 hours ago and of the coming days are not.
beforeAll(async () => {
  customer = await club.join();
  const other = (await app.signIn('coach')).userId;
  const coaches = [club.coach.userId, other, club.coach.userId, other, other];
  slotIds = [];
  for (const coachId of coaches) slotIds.push(await club.publish({ coachId }));
  for (const slotId of slotIds) await club.book(customer, slotId);
  // As long as no booking is in the past, the recurring job closes nothing. From here on it fails, until the first test
  // has read the figures.
  await sql`alter function close_next_month rename to close_next_month_later`.execute(app.db);
  for (const [index, days] of [130, 100, 70].entries()) await club.putAt(slotIds[index]!, daysAgo(days));
  await club.putAt(slotIds[3]!, -120);
});

async function readFigures() {
  const { lessonsBooked, upcoming, totalMinutes } = (await app.call(customer, bookingsApi.getMyStats, {}))
    .body;
  const { coaches } = (await app.call(customer, bookingsApi.listMyCoaches, {})).body;
  const order = coaches.map(({ coachId, ownLessons }) => [coachId === club.coach.userId, ownLessons]);
  return { lessonsBooked, upcoming, totalMinutes, order };
}

const readEarnings = async () => (await app.call(club.coach, earningsApi.getEarnings, {})).body;

/** The coach's share in minor units and number of lessons, for each month with lessons, oldest first. */
const readMonths = async () =>
  (await readEarnings()).months
    .filter(({ lessons }) => lessons > 0)
    .map((month) => [month.netCents, month.lessons]);

async function expectSumsInOrder() {
  const rules = (await auditLedger(app.db)).map(({ rule }) => rule);
  expect(rules.filter((rule) => /closed months/.test(rule))).toEqual([]);
}

const readClosed = () =>
  app.db.selectFrom('customerCoaches').selectAll().where('customerUserId', '=', customer.userId).execute();

test('leaves all figures unchanged when months are closed, and closes each month once [DASH-2b]', async () => {
  const [before, earnings] = [await readFigures(), await readEarnings()];
  const order = [
    [false, 3],
    [true, 2],
  ];
  expect(before).toEqual({ lessonsBooked: 5, upcoming: 1, totalMinutes: 240, order });
  expect(await readClosed()).toEqual([]);
  await sql`alter function close_next_month_later rename to close_next_month`.execute(app.db);
  await Promise.all([closeMonths(app.db), closeMonths(app.db)]);
  expect((await readClosed()).map(({ lessons }) => lessons).sort()).toEqual([1, 2]);
  expect(await app.db.selectFrom('coachLessonMonths').select('shareCents').execute()).toHaveLength(3);
  await closeMonths(app.db);
  expect(await readFigures()).toEqual(before);
  expect(await readEarnings()).toEqual(earnings);
  await club.expectLedgerInOrder();
});

test('keeps the figures correct when bookings in closed months change', async () => {
  const [first, second, third, , ahead] = slotIds;
  // The club corrects the dates of lessons, which moves them into and out of closed months.
  await club.putAt(first!, daysAgo(101), 45);
  expect(await readFigures()).toMatchObject({ lessonsBooked: 5, totalMinutes: 225 });
  await club.putAt(third!, -300);
  expect(await readFigures()).toMatchObject({ lessonsBooked: 5, totalMinutes: 225 });
  await club.putAt(ahead!, daysAgo(80));
  expect(await readFigures()).toMatchObject({ lessonsBooked: 5, upcoming: 0, totalMinutes: 285 });
  await club.expectLedgerInOrder();

  // Lessons cancelled afterwards no longer count, but their coach stays in the list.
  await sql`update bookings set status = 'cancelled', cancelled_at = now(), cancelled_by = 'platform'
    where slot_id in (${second!}, ${ahead!})`.execute(app.db);
  const figures = await readFigures();
  expect(figures).toMatchObject({ lessonsBooked: 3, totalMinutes: 165 });
  expect(figures.order).toEqual([
    [false, 1],
    [true, 2],
  ]);
  await expectSumsInOrder();
});

test('keeps earnings correct when lessons in closed months are refunded or moved', async () => {
  const slotId = await club.publish();
  const { bookingId } = (await club.book(await club.join(), slotId)).body;
  await club.putAt(slotId, daysAgo(200));
  const before = await readMonths();
  expect(before[0]).toEqual([4900, 1]);
  const refund = (cents: number, borneBy: 'coach' | 'platform') =>
    app.db.transaction().execute((tx) => refundBooking(tx, { bookingId, cents, borneBy }));
  await refund(1000, 'coach');
  await refund(500, 'platform');
  expect(await readMonths()).toEqual([[3920, 1], ...before.slice(1)]);
  await club.putAt(slotId, daysAgo(300));
  expect(await readMonths()).toEqual([[3920, 1], ...before.slice(1)]);
  await expectSumsInOrder();
});

test('adds backdated ledger entries to the sums of their month', async () => {
  const entry = (days: number) =>
    sql`
    insert into ledger_entries (booking_id, kind, amount_cents, source_id, created_at)
    select booking_id, 'paid_back', 70, gen_random_uuid(), now() - ${days} * interval '24 hours'
    from bookings where slot_id = ${slotIds[0]!}`.execute(app.db);
  await entry(150);
  await closeMonths(app.db);
  await entry(90);
  const { paidOutCents } = await readEarnings();
  const sums = await app.db.selectFrom('coachLedgerMonths').select('paidOutCents').execute();
  expect([paidOutCents, sums]).toEqual([-140, [{ paidOutCents: -70 }, { paidOutCents: -70 }]]);
  await expectSumsInOrder();
});

test("refuses to close a month that isn't over or to reopen a closed month", async () => {
  for (const until of [`now() - interval '1 day'`, `'-infinity'`, `now() - interval '40 days'`]) {
    const moved = sql`update closed_sums set until = ${sql.raw(until)}`.execute(app.db);
    await expect(moved, until).rejects.toThrow('closed_sums only moves to the end of a month that is over');
  }
});
