import { expect, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { catalogueApi } from '#domain/catalogue/contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { createFactsReader } from './booking-facts.ts';
import { holdSeats, type RequestedSeat } from './hold-seat.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));

const minuteMs = 60_000;
const set = (
  slotId: string,
  values: { priceCents: number } | { status: 'cancelled' } | { locationId: string },
) => app.db.updateTable('lessonSlots').set(values).where('slotId', '=', slotId).execute();
const startOf = async (slotId: string) => Date.parse((await club.readSlot(slotId)).startTime);

/** What can happen to a lesson or its customer between the read of the facts and the statement that takes the seat. */
const changes: Record<string, (slotId: string, customer: Someone) => Promise<unknown>> = {
  'the price has just changed': (slotId) => set(slotId, { priceCents: 6000 }),
  'the lesson has just been cancelled': (slotId) => set(slotId, { status: 'cancelled' }),
  'the location has just changed': async (slotId) => {
    const elsewhere = { name: 'Elsewhere', city: 'Leeds' };
    const { locationId } = (await app.call(club.coach, catalogueApi.createLocation, elsewhere)).body.location;
    await set(slotId, { locationId });
  },
  'the lesson now starts earlier': async (slotId) =>
    club.putOn(slotId, (await startOf(slotId)) - 30 * minuteMs, 90),
  'the lesson now ends later': async (slotId) => club.putOn(slotId, await startOf(slotId), 90),
  'the account has just been deleted': async (_, customer) =>
    expect((await app.call(customer, ownAccountApi.deleteAccount, {})).status).toBe(200),
};

/** Reads the facts about two lessons. Returns two choices of seats: both lessons, or the second alone. */
async function readSeats(userId: string, slotIds: string[]) {
  const readFacts = createFactsReader(app.db);
  const seats = await Promise.all(
    slotIds.map(async (slotId): Promise<RequestedSeat> => {
      const facts = (await readFacts({ slotId, userId, participantId: userId, ipAddress: null }))!;
      return { slotId, participantId: userId, facts };
    }),
  );
  return [seats, seats.slice(1)];
}

async function expectNoSeat(userId: string, choices: RequestedSeat[][]): Promise<void> {
  for (const seats of choices) {
    expect(await holdSeats(app.db, userId, seats), `${seats.length} seats`).toBeNull();
    for (const { slotId } of seats) expect((await club.readSlot(slotId)).bookedCount).toBe(0);
  }
}

test.each(Object.keys(changes))('takes no seat, alone or with another, if %s', async (what) => {
  const slotIds = [await club.publish(), await club.publish()];
  const customer = await club.join();
  const choices = await readSeats(customer.userId, slotIds);
  await changes[what]!(slotIds[1]!, customer);
  await expectNoSeat(customer.userId, choices);
});

test('takes no seat in a lesson that has started', async () => {
  const slotIds = [await club.publish(), await club.publish()];
  await club.putAt(slotIds[1]!, -5);
  const { userId } = await club.join();
  await expectNoSeat(userId, await readSeats(userId, slotIds));
});
