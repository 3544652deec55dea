import { setTimeout as delay } from 'node:timers/promises';
import { checkoutApi } from '#domain/bookings/checkout-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { answerBank } from '#server/test-support/stripe-simulator.test-support.ts';
import { ask, type LoadClient } from './client.ts';
import type { Family, Slot } from './club.ts';
import { refundAtDesk, returnSomePayment } from './desk-load.ts';
import { attemptKey, noteAttempt } from './history.ts';
import { bookUnseenLesson, browse } from './readers.ts';
import type { Target } from './stage.ts';

type Operation = (client: LoadClient) => Promise<unknown>;

const operations: [number, Operation][] = [
  [30, bookSomething],
  [10, bookSeveral],
  [25, bookForSomeFamily],
  [8, bookTwiceAtOnce],
  [20, cancelSomething],
  [3, cancelSomeLesson],
  [12, paySomeCoaches],
  [10, markSomethingPaid],
  [8, refundAtDesk],
  [3, returnSomePayment],
  [5, endLesson],
  [8, browse],
  [4, bookUnseenLesson],
];
const totalWeight = operations.reduce((sum, [weight]) => sum + weight, 0);

/** Repeats random operations until `isOver`, with pauses of up to 80 ms between them. */
export async function runClient(client: LoadClient, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    let number = client.chance.between(1, totalWeight);
    const onReached = operations.find(([weight]) => {
      number -= weight;
      return number <= 0;
    })![1];
    await onReached(client);
    await delay(client.chance.between(0, 80));
  }
}

async function bookSomething(client: LoadClient): Promise<void> {
  await book(client, client.chance.pick(client.club.customers), client.chance.pick(client.club.slots));
}

/** Books two or three lessons with one payment. */
async function bookSeveral(client: LoadClient): Promise<void> {
  const { chance, club } = client;
  const slots = new Set(Array.from({ length: chance.between(2, 3) }, () => chance.pick(club.slots)));
  const customer = chance.pick(club.customers);
  const requested = [...slots].map((slot) => ({ slot, participantId: customer.userId }));
  await bookSeats(client, customer, requested);
}

/** Books one or two lessons for some members of a family with one payment. */
async function bookForSomeFamily(client: LoadClient): Promise<void> {
  const { chance, club } = client;
  const family = chance.pick(club.families);
  const slots = new Set(Array.from({ length: chance.between(1, 2) }, () => chance.pick(club.slots)));
  const people = family.people.filter(() => chance.hits(0.7));
  await bookForFamily(client, { ...family, people }, [...slots]);
}

/** Books each of these lessons for each of these people with one payment. */
export async function bookForFamily(
  client: LoadClient,
  { parent, people }: Family,
  slots: Slot[],
  first?: Target,
): Promise<void> {
  const requested = slots.flatMap((slot) => people.map((participantId) => ({ slot, participantId })));
  if (requested.length > 0) await bookSeats(client, parent, requested, first);
}

/** Requests the same booking from both processes simultaneously, as an impatient customer might. */
async function bookTwiceAtOnce(client: LoadClient): Promise<void> {
  const { chance, club, stage } = client;
  const [customer, slot] = [chance.pick(club.customers), chance.pick(club.slots)];
  await Promise.all(stage.sides.map((side) => book(client, customer, slot, side)));
}

/** Books a lesson; see {@link bookSeats}. */
export const book = (client: LoadClient, customer: Someone, slot: Slot, first?: Target): Promise<void> =>
  bookSeats(client, customer, [{ slot, participantId: customer.userId }], first);

type SeatFor = { slot: Slot; participantId: string };

/**
 * Books seats with one payment, as the browser does, and records the outcome; if there are several seats, as
 * a booking of the first. Makes at most three calls after the first.
 */
async function bookSeats(
  client: LoadClient,
  customer: Someone,
  requested: SeatFor[],
  first?: Target,
): Promise<void> {
  const { history, chance } = client;
  const { userId } = customer;
  const seats = requested.map(({ slot, participantId }) => ({
    ...{ slotId: slot.slotId, baseAmountCents: slot.priceCents },
    ...(participantId !== userId && { participantId }),
  }));
  const [seat] = seats;
  const note = (refusal: string | null) => {
    for (const { slot, participantId } of requested) {
      noteAttempt(history, attemptKey(participantId, slot.slotId), refusal);
    }
  };
  const start = (side?: Target) =>
    seats.length === 1
      ? ask(client, customer, bookingsApi.book, seat!, side)
      : ask(client, customer, checkoutApi.book, { seats }, side);
  let answer = await start(first);
  for (let attempt = 1; ; attempt++) {
    const { body, error } = answer;
    const details = (error?.details ?? {}) as { bookingId?: string; slotId?: string };
    if (body?.outcome === 'booked' || error?.code === 'already_booked') {
      const bookingId = body?.bookingId ?? details.bookingId!;
      history.booked.push({ userId, slotId: details.slotId ?? seat!.slotId, bookingId });
      return note(null);
    }
    if (error?.code === 'payment_failed' && details.bookingId) history.failed.push(details.bookingId);
    const isRefused = error && answer.status < 500 && error.code !== 'not_found';
    if (isRefused) return note(error.code);
    if (attempt > 3) return note(null);
    if (!body) {
      // After no response, or a response that asks for a retry, 60% of clients retry, on either process.
      if (chance.hits(0.4)) return note(null);
      await delay(chance.between(50, 300));
      answer = await start();
    } else if (body.outcome === 'requiresAction') {
      if (chance.hits(0.15)) return note(null);
      await authenticate(client, body.clientSecret, chance.hits(0.8));
      answer = await ask(client, customer, bookingsApi.settle, { bookingId: body.bookingId });
    } else {
      if (chance.hits(0.15)) {
        const isReleased = await release(client, customer, body.bookingId);
        return note(isReleased ? 'given_up' : null);
      }
      await delay(chance.between(50, 300));
      answer = await ask(client, customer, bookingsApi.settle, { bookingId: body.bookingId });
    }
  }
}

/** Releases an unpaid booking and the others of its payment. Returns false if that failed. */
async function release(client: LoadClient, customer: Someone, bookingId: string): Promise<boolean> {
  const { status } = await ask(client, customer, bookingsApi.release, { bookingId });
  if (status === 200) client.history.failed.push(bookingId);
  return status === 200;
}

async function authenticate({ stage }: LoadClient, clientSecret: string, isMine: boolean): Promise<void> {
  await answerBank(stage, clientSecret, isMine ? 'succeeded' : 'failed').catch(() => {});
}

async function cancelSomething(client: LoadClient): Promise<void> {
  const { history, chance, club } = client;
  const open = history.booked.flatMap(({ slotId, ...booking }) => {
    const slot = club.slots.find((known) => known.slotId === slotId);
    return slot && !history.requestedCancellations.has(booking.bookingId) ? [{ ...booking, slot }] : [];
  });
  if (open.length > 0) await cancel(client, chance.pick(open));
}

/** Cancels a booking as the customer, who expects a refund of everything that an admin hasn't refunded yet. */
export async function cancel(
  client: LoadClient,
  { userId, bookingId, slot }: { userId: string; bookingId: string; slot: Slot },
  side?: Target,
): Promise<void> {
  const { history, club } = client;
  const customer = club.customers.find((someone) => someone.userId === userId)!;
  const refundedCents = history.deskRefunds
    .filter((refund) => refund.bookingId === bookingId && refund.isMade)
    .reduce((sum, refund) => sum + refund.amountCents, 0);
  const refundCents = slot.priceCents - refundedCents;
  history.requestedCancellations.add(bookingId);
  const input = { bookingId, expectedRefundCents: refundCents };
  const answer = await ask(client, customer, bookingsApi.cancel, input, side);
  if (answer.status === 200) history.cancelled.push({ bookingId, refundCents });
}

async function cancelSomeLesson(client: LoadClient): Promise<void> {
  await cancelLesson(client, client.chance.pick(client.club.slots));
}

/** Cancels a lesson as its coach. */
export async function cancelLesson(
  client: LoadClient,
  { slotId, coach }: Slot,
  side?: Target,
): Promise<void> {
  const { history } = client;
  history.requestedSlotCancellations.add(slotId);
  const { body } = await ask(client, coach, lessonsApi.cancelSlot, { slotId }, side);
  if (body) history.slotsCancelled.push({ slotId, people: body.people, refundCents: body.refundCents });
}

async function endLesson({ chance, club }: LoadClient): Promise<void> {
  // While the database is down, this fails and the lesson doesn't end.
  await club.endLesson(chance.pick(club.slots)).catch(() => {});
}

/**
 * Creates a payrun of payable bookings. Half the time, two admins create payruns of the same bookings
 * simultaneously.
 */
async function paySomeCoaches(client: LoadClient): Promise<void> {
  const { chance, club, stage } = client;
  const bookingIds = (await listPayable(client)).filter(() => chance.hits(0.6));
  const [first, second] = stage.sides;
  await Promise.all([
    createPayrun(client, bookingIds, first),
    ...(chance.hits(0.5) ? [createPayrun(client, bookingIds, second, club.admins[1]!)] : []),
  ]);
}

/** The ids of the bookings that an admin can select: the list of payable bookings without those that are withheld. */
export async function listPayable(client: LoadClient): Promise<string[]> {
  const { body } = await ask(client, client.club.admins[0]!, payoutsApi.listPayableBookings, {});
  return (body?.bookings ?? [])
    .filter(({ disputedCents, refundedOutsideCents }) => disputedCents === 0 && refundedOutsideCents === 0)
    .map(({ bookingId }) => bookingId);
}

export async function createPayrun(
  client: LoadClient,
  bookingIds: string[],
  side: Target,
  admin = client.club.admins[0]!,
): Promise<void> {
  if (bookingIds.length === 0) return;
  const { body } = await ask(client, admin, payoutsApi.createPayrun, { bookingIds }, side);
  if (body) client.history.payruns.push({ ...body.payrun, bookingIds });
}

/** Has two admins mark the same payrun as paid simultaneously, each on a different process. */
async function markSomethingPaid(client: LoadClient): Promise<void> {
  const { chance, club, stage } = client;
  const open = await listUnpaid(client);
  if (open.length === 0) return;
  const payrunId = chance.pick(open);
  await compareFile(client, payrunId);
  await Promise.all(
    club.admins.map((admin, index) => markPaid(client, admin, payrunId, stage.sides[index]!)),
  );
}

export async function listUnpaid(client: LoadClient): Promise<string[]> {
  const { body } = await ask(client, client.club.admins[0]!, payoutsApi.listPayruns, {});
  const open = (body?.payruns ?? []).filter(({ status }) => status === 'pending');
  return open.map(({ payrunId }) => payrunId);
}

export async function markPaid(
  client: LoadClient,
  admin: Someone,
  payrunId: string,
  side: Target,
): Promise<void> {
  const { history } = client;
  const { status } = await ask(client, admin, payoutsApi.markPayrunPaid, { payrunId }, side);
  if (status !== 200) return;
  if (history.paid.includes(payrunId)) history.broken.push(`Payrun ${payrunId} was marked as paid twice`);
  history.paid.push(payrunId);
}

async function compareFile(client: LoadClient, payrunId: string): Promise<void> {
  const { files, broken } = client.history;
  const { body } = await ask(client, client.club.admins[1]!, payoutsApi.getPayrunCsvRows, { payrunId });
  if (!body) return;
  const known = files.get(payrunId);
  if (known !== undefined && known !== body.csv) broken.push(`The file of payrun ${payrunId} changed`);
  files.set(payrunId, body.csv);
}
