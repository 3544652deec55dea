import { setTimeout as delay } from 'node:timers/promises';
import { classifyDatabaseFailure } from '#server/platform/db/database-failure.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import type { Commands } from './build.ts';
import { findBroken } from './check.ts';
import type { Client } from './client.ts';
import { openClub, type Slot } from './club.ts';
import { refundPart, returnPayment } from './desk-load.ts';
import type { FaultKind, FaultPointName } from './fault-points.ts';
import { createHistory } from './history.ts';
import { type Faults, openFaults } from './inject.ts';
import {
  book,
  bookForFamily,
  cancel,
  cancelLesson,
  createPayrun,
  listPayable,
  listUnpaid,
  markPaid,
} from './load.ts';
import { waitUntilIdle } from './pending-work.ts';
import type { KillablePostgres } from './postgres.ts';
import { createChance } from './random.ts';
import { openStage, type Side } from './stage.ts';

/**
 * The outcome of the faults at one fault point; `unreached` lists the faults that could not be injected in
 * time.
 */
export type ExactOutcome = {
  faultPoint: FaultPointName;
  faultKinds: number;
  unreached: FaultKind[];
  broken: string[];
};

const reachMs = 30_000;

/** Injects each fault at each fault point. After each fault point, waits for pending work and checks the invariants. */
export async function injectAtFaultPoints(
  postgres: KillablePostgres,
  commands: Commands,
  { faultPoints, faultKinds }: { faultPoints: readonly FaultPointName[]; faultKinds: readonly FaultKind[] },
  report: (outcome: ExactOutcome) => void,
): Promise<{ endings: string[] }> {
  const stage = await openStage(postgres, commands, 'faults_exact');
  try {
    const club = await openClub(stage);
    const client = { stage, club, history: createHistory(), chance: createChance(1, 'exact') };
    for (const faultPoint of faultPoints) {
      const unreached: FaultKind[] = [];
      const operations: Promise<void>[] = [];
      for (const faultKind of faultKinds) {
        const faults = openFaults(stage, 1);
        const { isReached, operation } = await injectOnce(client, faults, faultPoint, faultKind);
        operations.push(operation);
        if (!isReached) unreached.push(faultKind);
        await faults.heal();
      }
      // An operation may be retried after the fault, and then causes more work.
      await Promise.allSettled(operations);
      const pending = await waitUntilIdle(stage);
      const broken = await findBroken(stage, club, client.history);
      if (pending) broken.push(`Still unfinished a minute later: ${JSON.stringify(pending)}`);
      report({ faultPoint, faultKinds: faultKinds.length - unreached.length, unreached, broken });
    }
    return { endings: stage.sides.flatMap(({ app }) => app.endings) };
  } finally {
    await stage.stop();
  }
}

/**
 * Arms the fault point and runs the operation that passes it, which may still be running afterwards. `isReached`:
 * whether the point was reached in time.
 */
async function injectOnce(
  client: Client,
  faults: Faults,
  faultPoint: FaultPointName,
  faultKind: FaultKind,
): Promise<{ isReached: boolean; operation: Promise<void> }> {
  const onReached = await prepareWithRetries(client, faultPoint);
  // Either process may receive the job or the webhook.
  for (const side of [0, 1]) await faults.happen({ kind: 'at a fault point', faultPoint, faultKind, side });
  const [first] = client.stage.sides;
  const operation = onReached(first);
  operation.catch(() => {});
  for (const until = Date.now() + reachMs; faults.injected.size === 0 && Date.now() < until; )
    await delay(10);
  return { isReached: faults.injected.size > 0, operation };
}

/** Tries `prepare` up to five times, because our own connections notice the last fault only when they are next used. */
async function prepareWithRetries(
  client: Client,
  faultPoint: FaultPointName,
): Promise<(side: Side) => Promise<void>> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await prepare(client, faultPoint);
    } catch (error) {
      if (tries === 5 || !classifyDatabaseFailure(error)) throw error;
      await delay(200);
    }
  }
}

/**
 * Creates, without faults, the records that the operation needs; returns the operation that passes the fault
 * point.
 */
async function prepare(client: Client, faultPoint: FaultPointName): Promise<(side: Side) => Promise<void>> {
  const { club } = client;
  const slot = await club.publish(3);
  const good = club.customers[0]!;
  const declined = club.customers.at(-2)!;
  if (faultPoint.includes('joint checkout')) {
    const slots = [slot, await club.publish(3)];
    return (side) => bookForFamily(client, club.families[0]!, slots, side);
  }
  if (faultPoint.includes("admin's refund")) return preparePart(client, slot, good);
  if (faultPoint.includes('returned payment')) return prepareReturn(client, slot, good);
  if (faultPoint.includes('release')) return (side) => book(client, declined, slot, side);
  if (faultPoint.includes('payrun'))
    return preparePayrun(client, slot, good, faultPoint.includes('payment of'));
  if (faultPoint.includes('job of a webhook')) {
    return (side) => {
      // An event about a charge needs a job only if it arrives before the response to the charge.
      side.stripeWire.stopAt({
        call: 'POST /v1/payment_intents',
        side: 'after',
        onReached: async () => 'lose',
      });
      return book(client, good, slot, side);
    };
  }
  if (faultPoint.includes('slot cancellation')) {
    await book(client, good, slot);
    return (side) => cancelLesson(client, slot, side);
  }
  if (faultPoint.includes('cancellation') || faultPoint.includes('refund')) {
    await book(client, good, slot);
    const { bookingId } = client.history.booked.find(({ slotId }) => slotId === slot.slotId)!;
    return (side) => cancel(client, { userId: good.userId, bookingId, slot }, side);
  }
  return (side) => book(client, good, slot, side);
}

async function preparePart(client: Client, slot: Slot, customer: Someone) {
  await book(client, customer, slot);
  const { bookingId } = client.history.booked.find(({ slotId }) => slotId === slot.slotId)!;
  const amounts = { amountCents: 1_500, expectedLeftCents: slot.priceCents };
  const part = { bookingId, ...amounts, borneBy: 'coach' } as const;
  return (side: Side) => refundPart(client, part, client.club.admins[0]!, side);
}

async function prepareReturn(client: Client, slot: Slot, customer: Someone) {
  const pay = await preparePayrun(client, slot, customer, true);
  await pay(client.stage.sides[0]);
  const payment = { payrunId: client.history.paid.at(-1)!, coachId: slot.coach.userId };
  return (side: Side) => returnPayment(client, payment, client.club.admins[0]!, side);
}

async function preparePayrun(client: Client, slot: Slot, customer: Someone, isForPaying: boolean) {
  await book(client, customer, slot);
  await client.club.endLesson(slot);
  const bookingIds = await listPayable(client);
  if (!isForPaying) return (side: Side) => createPayrun(client, bookingIds, side);
  await createPayrun(client, bookingIds, client.stage.sides[0]);
  const [payrunId] = await listUnpaid(client);
  return (side: Side) => markPaid(client, client.club.admins[0]!, payrunId!, side);
}
