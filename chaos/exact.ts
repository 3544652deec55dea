import { setTimeout as delay } from 'node:timers/promises';
import { findDatabaseTrouble } from '#server/platform/db/database-failure.ts';
import type { Commands } from './build.ts';
import { createChance } from './chance.ts';
import { findBroken } from './check.ts';
import type { Client } from './client.ts';
import { openClub, type Slot, type Someone } from './club.ts';
import { openDiary } from './diary.ts';
import { type Faults, openFaults } from './inject.ts';
import { book, cancel, cancelLesson, createPayrun, listPayable, listUnpaid, markPaid } from './load.ts';
import type { Blow, PlaceName } from './places.ts';
import type { KillablePostgres } from './postgres.ts';
import { waitForQuiet } from './quiet.ts';
import { openStage, type Side } from './stage.ts';

/** What came of the blows at one place: where nobody came by in time, the place was not reached. */
export type ExactOutcome = { place: PlaceName; blows: number; unreached: Blow[]; broken: string[] };

const reachMs = 30_000;

/** Lets each of these blows fall at each place, and after each place heals, waits and checks. */
export async function strikeAtPlaces(
  postgres: KillablePostgres,
  commands: Commands,
  { places, blows }: { places: readonly PlaceName[]; blows: readonly Blow[] },
  report: (outcome: ExactOutcome) => void,
): Promise<{ endings: string[] }> {
  const stage = await openStage(postgres, commands, 'faults_exact');
  try {
    const club = await openClub(stage);
    const client = { stage, club, diary: openDiary(), chance: createChance(1, 'exact') };
    for (const place of places) {
      const unreached: Blow[] = [];
      for (const blow of blows) {
        const faults = openFaults(stage, 1);
        if (!(await strikeOnce(client, faults, place, blow))) unreached.push(blow);
        await faults.heal();
      }
      const unrest = await waitForQuiet(stage);
      const broken = await findBroken(stage, club, client.diary);
      if (unrest) broken.push(`Still unfinished a minute later: ${JSON.stringify(unrest)}`);
      report({ place, blows: blows.length - unreached.length, unreached, broken });
    }
    return { endings: stage.sides.flatMap(({ app }) => app.endings) };
  } finally {
    await stage.stop();
  }
}

/** Arms the place, does what leads there, and waits for the blow; false where it did not fall. */
async function strikeOnce(client: Client, faults: Faults, place: PlaceName, blow: Blow): Promise<boolean> {
  const act = await prepareCalmly(client, place);
  // Jobs and webhooks come to either process.
  for (const side of [0, 1]) await faults.happen({ kind: 'at a place', place, blow, side });
  const [first] = client.stage.sides;
  void act(first);
  for (const until = Date.now() + reachMs; faults.injected.size === 0 && Date.now() < until; )
    await delay(10);
  return faults.injected.size > 0;
}

/** Our own connections learn of the last blow only when they are used: what has to be there is then done again. */
async function prepareCalmly(client: Client, place: PlaceName): Promise<(side: Side) => Promise<void>> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await prepare(client, place);
    } catch (error) {
      if (tries === 5 || !findDatabaseTrouble(error)) throw error;
      await delay(200);
    }
  }
}

/** Does, in calm, what has to be there first; answers the act on the way of which the place is. */
async function prepare(client: Client, place: PlaceName): Promise<(side: Side) => Promise<void>> {
  const { club } = client;
  const slot = await club.publish(3);
  const good = club.customers[0]!;
  const declined = club.customers.at(-2)!;
  if (place.includes('release')) return (side) => book(client, declined, slot, side);
  if (place.includes('payrun')) return preparePayrun(client, slot, good, place.includes('payment of'));
  if (place.includes('job of a webhook')) {
    return (side) => {
      // News of a charge takes a job only where it comes before the answer to the charge itself.
      side.networkWire.stopAt({ call: 'POST /v1/payment_intents', side: 'after', act: async () => 'lose' });
      return book(client, good, slot, side);
    };
  }
  if (place.includes('slot cancellation')) {
    await book(client, good, slot);
    return (side) => cancelLesson(client, slot, side);
  }
  if (place.includes('cancellation') || place.includes('refund')) {
    await book(client, good, slot);
    const { bookingId } = client.diary.booked.find(({ slotId }) => slotId === slot.slotId)!;
    return (side) => cancel(client, { userId: good.userId, bookingId, slot }, side);
  }
  return (side) => book(client, good, slot, side);
}

async function preparePayrun(client: Client, slot: Slot, customer: Someone, isForPaying: boolean) {
  await book(client, customer, slot);
  await client.club.endLesson(slot);
  const bookingIds = await listPayable(client);
  if (!isForPaying) return (side: Side) => createPayrun(client, bookingIds, side);
  await createPayrun(client, bookingIds, client.stage.sides[0]);
  const [payrunId] = await listUnpaid(client);
  return (side: Side) => markPaid(client, payrunId!, side);
}
