import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { adminApi } from '#domain/admin/contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { addDays, instantOf, wallTimeOf } from '#domain/time.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { outputOf } from '#server/test-support/contract-client.test-support.ts';
import { bankAccount } from '#server/test-support/sold-lessons.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const admin = beforeTests(() => app.signIn('admin'));

const today = () => wallTimeOf(Date.now()).date;

async function readOverview() {
  const { status, body } = await app.call(admin, adminApi.getOverview, {});
  expect(status).toBe(200);
  return body;
}

const feeOf = async (slotId: string) => (await club.readBookings(slotId)).map(({ feeCents }) => feeCents);

test('keeps the fee that applied at booking and never adds it to the price [ADM-7]', async () => {
  const [before, after, free] = [await club.publish(), await club.publish(), await club.publish()];
  const customer = await club.join();
  async function bookAtShownPrice(slotId: string): Promise<void> {
    const { body } = await app.call(customer, slotsApi.getOpenSlot, { slotId });
    expect(body.slot.priceCents).toBe(5000);
    await club.bookUntilDecided(customer, slotId);
  }
  await bookAtShownPrice(before);
  const fee = { mode: 'percentage', percent: 12.5, enabled: true } as const;
  await app.call(admin, settingsApi.updatePlatformFee, fee);
  await bookAtShownPrice(after);
  await app.call(admin, settingsApi.updatePlatformFee, { ...fee, enabled: false });
  await bookAtShownPrice(free);

  expect([await feeOf(before), await feeOf(after), await feeOf(free)]).toEqual([[100], [625], [0]]);
  for (const slotId of [before, after, free]) expect(await club.netCharges(slotId)).toEqual([5000]);
  await app.call(admin, settingsApi.updatePlatformFee, { ...fee, percent: 2 });
  // The oldest lesson comes first. The fee deducted from each booking is the fee at the time of booking, not the
  // current fee.
  for (const [index, slotId] of [free, after, before].entries()) await club.putAt(slotId, -120 * (index + 1));
  const { body } = await app.call(admin, payoutsApi.listPayableBookings, {});
  expect(body.bookings.map(({ amountCents }) => amountCents)).toEqual([4900, 4375, 5000]);
});

test('keeps the cancellation policy that applied at booking', async () => {
  const [before, after] = [await club.publish(), await club.publish()];
  const customer = await club.join();
  await club.bookUntilDecided(customer, before);
  const policy = { freeUntilHours: 2, lateRefundPercent: 30, refundsEnabled: true };
  await app.call(admin, settingsApi.updateCancellationPolicy, policy);
  await club.bookUntilDecided(customer, after);
  expect(await club.readBookings(before)).toMatchObject([{ freeUntilHours: 24, lateRefundPercent: 0 }]);
  expect(await club.readBookings(after)).toMatchObject([policy]);
});

test('sums bookings, revenue, fees, users and lessons by day [ADM-8]', async () => {
  const before = await readOverview();
  expect(before.days.map(({ date }) => date)).toEqual(
    Array.from({ length: 30 }, (_, index) => addDays(today(), index - 29)),
  );
  const [kept, cancelled] = [await club.publish(), await club.publish()];
  const customer = await club.join();
  await club.bookUntilDecided(customer, kept);
  const { body } = await club.bookUntilDecided(customer, cancelled);
  await app.call(customer, bookingsApi.cancel, {
    ...{ bookingId: body.bookingId, expectedRefundCents: 5000 },
  });
  await club.expectLedgerInOrder();

  const now = await readOverview();
  const [was, is] = [before.days.at(-1)!, now.days.at(-1)!];
  expect({
    bookings: is.bookings - was.bookings,
    revenueCents: is.revenueCents - was.revenueCents,
    feeCents: is.feeCents - was.feeCents,
    newUsers: is.newUsers - was.newUsers,
  }).toEqual({ bookings: 2, revenueCents: 5000, feeCents: 100, newUsers: 1 });
  // Until the lesson is over, no payout is due and the lesson is not counted.
  expect(now.payoutsDueCents).toBe(before.payoutsDueCents);

  await moveBack(kept, 2);
  const later = await readOverview();
  const lessonsOn = (days: typeof now.days, date: string) => days.find((day) => day.date === date)?.lessons;
  const twoDaysAgo = addDays(today(), -2);
  expect(lessonsOn(later.days, twoDaysAgo)).toBe((lessonsOn(now.days, twoDaysAgo) ?? 0) + 1);
  expect(later.payoutsDueCents).toBe(before.payoutsDueCents + 4900);

  // A lesson still counts once it is completed, and a payout is no longer due once it is in a payrun.
  await outputOf(app.call(club.coach, lessonsApi.completeSlot, { slotId: kept }));
  expect(await readOverview()).toEqual(later);
  await outputOf(app.call(club.coach, payoutsApi.saveBankDetails, bankAccount));
  const bookingIds = (await club.readBookings(kept)).map(({ bookingId }) => bookingId);
  await outputOf(app.call(admin, payoutsApi.createPayrun, { bookingIds }));
  expect((await readOverview()).payoutsDueCents).toBe(before.payoutsDueCents);

  // Sign-ups and ledger entries of an earlier day count towards that day.
  const earlier = addDays(today(), -3);
  const createdAt = sql<string>`${`${earlier} 00:15`}::timestamp at time zone 'Europe/London'`;
  await app.db.updateTable('profiles').set({ createdAt }).where('userId', '=', customer.userId).execute();
  const entry = { bookingId: body.bookingId, sourceId: randomUUID(), createdAt };
  const entries = [
    { ...entry, kind: 'charged' as const, amountCents: 4000 },
    { ...entry, kind: 'fee' as const, amountCents: 80 },
  ];
  await app.db.insertInto('ledgerEntries').values(entries).execute();
  const { days } = await readOverview();
  expect(days).toEqual(
    later.days.map((day) => {
      const { date, bookings, revenueCents, feeCents, newUsers } = day;
      if (date === today()) return { ...day, newUsers: newUsers - 1 };
      if (date !== earlier) return day;
      const more = { revenueCents: revenueCents + 4000, feeCents: feeCents + 80, newUsers: newUsers + 1 };
      return { ...day, ...more, bookings: bookings + 1 };
    }),
  );
});

/** Moves a lesson this many days into the past. */
async function moveBack(slotId: string, days: number): Promise<void> {
  await club.putOn(
    slotId,
    Date.parse(instantOf({ date: addDays(today(), -days), hour: 12, minute: 0 }).instant),
  );
  await eventually(async () => (await club.readSlot(slotId)).endTime < new Date().toISOString());
}

test('shows the overview to admins only [ROLE-4]', async () => {
  for (const who of [club.coach, null]) {
    const { status, error } = await app.call(who, adminApi.getOverview, {});
    expect(status).toBe(who ? 403 : 401);
    if (who) expect(error?.message).toBe("You don't have permission to access this page.");
  }
});
