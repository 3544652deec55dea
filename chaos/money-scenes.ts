// Scenes of bookings, refunds and payruns for the mutation test of the checker.
import { bookingsApi } from '#domain/bookings/contract.ts';
import type { Client } from './client.ts';
import { refundPart, returnPayment } from './desk-load.ts';
import { payers } from './live-and-email-scenes.ts';
import { book, bookForFamily, createPayrun, listPayable, listUnpaid, markPaid } from './load.ts';

/** Has eight customers book the only seat of a lesson simultaneously. Does this for four lessons. */
export async function rushForOneSeat(client: Client): Promise<void> {
  const { club, stage } = client;
  for (let round = 0; round < 4; round++) {
    const slot = await club.publish(1);
    await Promise.all(
      payers(client).map((customer, number) => book(client, customer, slot, stage.sides[number % 2]!)),
    );
  }
}

export async function clickTwice(client: Client): Promise<void> {
  const { club, stage } = client;
  for (let round = 0; round < 2; round++) {
    const slot = await club.publish(20);
    await Promise.all(
      payers(client).flatMap((customer) => stage.sides.map((side) => book(client, customer, slot, side))),
    );
  }
}

/**
 * Has five families of three book two lessons simultaneously. The second lesson has seats for only one
 * family.
 */
export async function rushOfFamilies(client: Client): Promise<void> {
  const { club, stage } = client;
  for (let round = 0; round < 4; round++) {
    const slots = [await club.publish(20), await club.publish(3)];
    await Promise.all(
      club.families
        .slice(0, 5)
        .map((family, number) => bookForFamily(client, family, slots, stage.sides[number % 2]!)),
    );
  }
}

export async function refundTheSamePartTwice(client: Client): Promise<void> {
  const { club, stage, history } = client;
  const slot = await club.publish(2);
  await book(client, payers(client)[0]!, slot);
  const { bookingId } = history.booked.find(({ slotId }) => slotId === slot.slotId)!;
  const part = {
    bookingId,
    amountCents: 1_000,
    expectedLeftCents: slot.priceCents,
    borneBy: 'coach',
  } as const;
  await Promise.all(club.admins.map((admin, index) => refundPart(client, part, admin, stage.sides[index]!)));
}

export async function returnTheSamePaymentTwice(client: Client): Promise<void> {
  const { club, stage } = client;
  await sellAndGive(client);
  await createPayrun(client, await listPayable(client), stage.sides[0]);
  const [payrunId] = await listUnpaid(client);
  await markPaid(client, club.admins[0]!, payrunId!, stage.sides[0]);
  const payment = { payrunId: payrunId!, coachId: club.slots[0]!.coach.userId };
  for (const side of stage.sides) await returnPayment(client, payment, club.admins[0]!, side);
}

export async function payWhileResponsesAreLost(client: Client): Promise<void> {
  const slot = await client.club.publish(20);
  await client.stage.stripeSimulator.control({ dropAfterChargeRate: 0.6, seed: 1 });
  await Promise.all(payers(client).map((customer) => book(client, customer, slot)));
}

export async function giveUpWhileTheChargeIsOnItsWay(client: Client): Promise<void> {
  const { club, stage } = client;
  const slot = await club.publish(2);
  const customer = club.customers[0]!;
  const [first, second] = stage.sides;
  first.stripeWire.stopAt({
    call: 'POST /v1/payment_intents',
    side: 'before',
    onReached: async () => {
      const { bookingId } = await stage
        .db()
        .selectFrom('bookings')
        .select('bookingId')
        .where('slotId', '=', slot.slotId)
        .executeTakeFirstOrThrow();
      await stage.call(second, customer, bookingsApi.release, { bookingId });
      return 'pass';
    },
  });
  await book(client, customer, slot, first);
}

async function sellAndGive(client: Client): Promise<void> {
  const slot = await client.club.publish(4);
  for (const customer of payers(client).slice(0, 3)) await book(client, customer, slot);
  await client.club.endLesson(slot);
}

export async function createTheSamePayrunTwice(client: Client): Promise<void> {
  await sellAndGive(client);
  const bookingIds = await listPayable(client);
  for (const side of client.stage.sides) await createPayrun(client, bookingIds, side);
}

export async function markTheSamePayrunTwice(client: Client): Promise<void> {
  await sellAndGive(client);
  await createPayrun(client, await listPayable(client), client.stage.sides[0]);
  const [payrunId] = await listUnpaid(client);
  for (const side of client.stage.sides) await markPaid(client, client.club.admins[0]!, payrunId!, side);
}
