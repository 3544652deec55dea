import { beforeEach, expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
beforeEach(async () => {
  await app.db.deleteFrom('rateLimits').execute();
});

const publishSome = (count: number) => Promise.all(Array.from({ length: count }, () => club.publish()));

/** The length of the first hold on a lesson, in minutes. */
async function holdMinutesOf(slotId: string): Promise<number> {
  const [booking] = await club.readBookings(slotId);
  return Math.round((Date.parse(booking!.holdExpiresAt) - Date.parse(booking!.createdAt)) / 60_000);
}

const release = async (customer: Someone, slotId: string) => {
  const [booking] = await club.readBookings(slotId);
  await app.call(customer, bookingsApi.release, { bookingId: booking!.bookingId });
};

test('allows each customer at most three unfinished payments', async () => {
  const customer = await club.join(testCards.asksAlways);
  const [first, second, third, fourth, free] = await publishSome(5);
  for (const slotId of [first!, second!, third!]) {
    expect((await club.book(customer, slotId)).body.outcome).toBe('requiresAction');
  }
  const refused = await club.book(customer, fourth!);
  expect(refused.status).toBe(429);
  expect(refused.error!.message).toMatch(
    /^Three of your payments haven't been completed yet\. Complete one of them in My Bookings, or try again in \d+ minutes\. You have not been charged for this lesson\.$/,
  );
  expect((await club.readSlot(fourth!)).bookedCount).toBe(0);
  // A payment in progress continues, a free lesson is not limited, and no other customer is blocked.
  expect((await club.book(customer, second!)).body.outcome).toBe('requiresAction');
  const { slotId: freeSlot } = { slotId: await club.publish({ priceCents: 0 }) };
  expect((await club.book(customer, freeSlot, 0)).body.outcome).toBe('booked');
  expect((await club.book(await club.join(), free!)).body.outcome).toBe('booked');
  await release(customer, first!);
  expect((await club.book(customer, fourth!)).body.outcome).toBe('requiresAction');
});

test('holds only three seats when a customer books twelve lessons simultaneously', async () => {
  const customer = await club.join(testCards.asksAlways);
  const slots = await publishSome(12);
  const answers = await Promise.all(slots.map((slotId) => club.book(customer, slotId)));
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(3).fill(200), ...Array(9).fill(429)]);
  const counts = await Promise.all(slots.map(async (slotId) => (await club.readSlot(slotId)).bookedCount));
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(3);
});

test("shortens a customer's next hold after one has expired", async () => {
  const customer = await club.join(testCards.asksAlways);
  const [abandoned, next, later] = await publishSome(3);
  await club.book(customer, abandoned!);
  expect(await holdMinutesOf(abandoned!)).toBe(15);
  await app.db
    .updateTable('bookings')
    .set({ holdExpiresAt: new Date(0).toISOString() })
    .where('slotId', '=', abandoned!)
    .execute();
  await club.sweep();
  await eventually(async () => (await club.readBookings(abandoned!))[0]!.status === 'released');
  await club.book(customer, next!);
  expect(await holdMinutesOf(next!)).toBe(5);
  // A hold that the customer released does not shorten the next hold.
  const other = await club.join(testCards.asksAlways);
  await club.book(other, next!);
  await app.call(other, bookingsApi.release, {
    bookingId: (await club.readBookings(next!))[1]!.bookingId,
  });
  await club.book(other, later!);
  expect(await holdMinutesOf(later!)).toBe(15);
});
