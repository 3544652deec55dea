import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { auditBooks } from './checks/audit-books.ts';
import { closeMonths } from './close-months.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const daysAgo = (days: number) => -days * 24 * 60;
let customer: Someone;
let slotIds: string[];

// Lessons 130, 100 and 70 days ago are in closed months; those of 2 hours ago and of tomorrow are not.
beforeAll(async () => {
  customer = await club.join();
  const other = (await app.signIn('coach')).userId;
  const coaches = [club.coach.userId, other, club.coach.userId, other, other];
  slotIds = [];
  for (const coachId of coaches) slotIds.push(await club.publish({ coachId }));
  for (const slotId of slotIds) await club.book(customer, slotId);
  for (const [index, days] of [130, 100, 70].entries()) await club.putAt(slotIds[index]!, daysAgo(days));
  await club.putAt(slotIds[3]!, -120);
}, 60_000);

async function readFigures() {
  const { lessonsBooked, upcoming, totalMinutes } = (await app.call(customer, bookingsApi.getMyStats, {}))
    .body;
  const { coaches } = (await app.call(customer, bookingsApi.listMyCoaches, {})).body;
  const order = coaches.map(({ coachId, ownLessons }) => [coachId === club.coach.userId, ownLessons]);
  return { lessonsBooked, upcoming, totalMinutes, order };
}

const readClosed = () =>
  app.db.selectFrom('customerCoaches').selectAll().where('customerUserId', '=', customer.userId).execute();

test('counts the same before and after months are closed, and closes each once [DASH-4]', async () => {
  const before = await readFigures();
  const order = [
    [false, 3],
    [true, 2],
  ];
  expect(before).toEqual({ lessonsBooked: 5, upcoming: 1, totalMinutes: 240, order });
  expect(await readClosed()).toEqual([]);
  await Promise.all([closeMonths(app.db), closeMonths(app.db)]);
  expect((await readClosed()).map(({ lessons }) => lessons).sort()).toEqual([1, 2]);
  expect(await readFigures()).toEqual(before);
  await closeMonths(app.db);
  expect(await readFigures()).toEqual(before);
  await club.expectBooksInOrder();
});

test('keeps the figures right when bookings of closed months change', async () => {
  const [first, second, third, , ahead] = slotIds;
  // The club moves a lesson that was entered at a wrong date, into and out of closed months.
  await club.putAt(first!, daysAgo(101), 45);
  expect(await readFigures()).toMatchObject({ lessonsBooked: 5, totalMinutes: 225 });
  await club.putAt(third!, -300);
  expect(await readFigures()).toMatchObject({ lessonsBooked: 5, totalMinutes: 225 });
  await club.putAt(ahead!, daysAgo(80));
  expect(await readFigures()).toMatchObject({ lessonsBooked: 5, upcoming: 0, totalMinutes: 285 });
  await club.expectBooksInOrder();

  // A cancellation entered afterwards keeps the coach in the list, without the lesson.
  await sql`update bookings set status = 'cancelled', cancelled_at = now(), cancelled_by = 'platform'
    where slot_id in (${second!}, ${ahead!})`.execute(app.db);
  const figures = await readFigures();
  expect(figures).toMatchObject({ lessonsBooked: 3, totalMinutes: 165 });
  expect(figures.order).toEqual([
    [false, 1],
    [true, 2],
  ]);
  const broken = (await auditBooks(app.db)).map(({ rule }) => rule);
  expect(broken.filter((rule) => /closed months/.test(rule))).toEqual([]);
});

test('refuses to close a month that is not over, and to reopen one', async () => {
  for (const until of [`now() - interval '1 day'`, `'-infinity'`, `now() - interval '40 days'`]) {
    const moved = sql`update closed_sums set until = ${sql.raw(until)}`.execute(app.db);
    await expect(moved, until).rejects.toThrow('closed_sums only moves to the end of a month that is over');
  }
});
