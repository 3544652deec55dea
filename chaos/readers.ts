import { bookingsApi } from '#domain/bookings/contract.ts';
import { businessesApi } from '#domain/businesses/contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { discoverApi } from '#domain/discover/contract.ts';
import { anySide, ask, type Client, type LoadClient } from './client.ts';
import type { Slot } from './club.ts';
import { attemptKey, noteAttempt } from './history.ts';
import { beginReplicaFault, type ReplicaFaultName } from './replica-faults.ts';
import { clientTimeoutMs, type Target, untilReplicaIsUsed } from './stage.ts';

/**
 * Milliseconds that a visitor may wait while only the replica is down. The server waits up to 2.5 s for a connection
 * to the replica and up to 2.5 s for a response, then reads from the primary. The rest allows for a busy machine.
 */
const readBoundMs = 9_000;
const readsAtOnce = 3;

/** The result of a visitor's request that the replica may serve. Status 0: no response. */
type Read = { path: string; status: number; ms: number };

async function read({ app }: Target, path: string): Promise<Read> {
  const began = performance.now();
  const status = await fetch(app.url + path, { signal: AbortSignal.timeout(clientTimeoutMs) }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => 0,
  );
  return { path, status, ms: performance.now() - began };
}

/** The paths of all data that visitors read from the replica. */
function pathsOf({ club }: LoadClient): string[] {
  const { coach } = club.slots[0]!;
  return [
    discoverApi.discoverSlots.path,
    `${discoverApi.discoverSlots.path}?sport=tennis&sort=price_low`,
    `${businessesApi.searchCoaches.path}?search=person`,
    `${businessesApi.getCoach.path.replace(':coachId', coach.userId)}`,
    `/coaches/${coach.userId}`,
    '/',
  ];
}

/** Reads a random path as a visitor. Any outcome but a 200, a 503 or no response breaks an invariant. */
export async function browse(client: LoadClient): Promise<void> {
  const { chance, history } = client;
  const { path, status } = await read(anySide(client), chance.pick(pathsOf(client)));
  const kind = status === 0 ? 'no response' : String(status);
  history.answers.set(`read ${kind}`, (history.answers.get(`read ${kind}`) ?? 0) + 1);
  if (![0, 200, 503].includes(status))
    history.broken.push(`A visitor's request for ${path} returned ${status}`);
}

/**
 * Books a lesson that has just been published and that nobody else books. Its seats and price, read before and after,
 * must be current each time, however far behind the replica is. Returns the statuses of all requests.
 */
export async function bookUnseenLesson(client: LoadClient): Promise<number[]> {
  const { club, chance, history } = client;
  // While the database is down, no lesson can be published.
  const slot = await club.publish(2).catch(() => undefined);
  if (!slot) return [];
  const before = await readSeats(client, slot, 0);
  const customer = chance.pick(club.customers.slice(0, 10));
  const { slotId, priceCents } = slot;
  const input = { slotId, baseAmountCents: priceCents };
  const { status, body, error } = await ask(client, customer, bookingsApi.book, input);
  const isRefused = error && status < 500;
  noteAttempt(history, attemptKey(customer.userId, slotId), isRefused ? error.code : null);
  if (body?.outcome !== 'booked') return [...before, status];
  history.booked.push({ userId: customer.userId, slotId, bookingId: body.bookingId });
  return [...before, status, ...(await readSeats(client, slot, 1))];
}

async function readSeats(client: LoadClient, slot: Slot, bookedCount: number): Promise<number[]> {
  const { slotId, seats: maxCapacity, priceCents } = slot;
  const expected = { status: 'scheduled', bookedCount, maxCapacity, priceCents };
  const availability = await ask(client, null, slotsApi.readAvailability, { slotIds: slotId });
  const lesson = await ask(client, null, slotsApi.getOpenSlot, { slotId });
  const answers = [
    {
      path: slotsApi.readAvailability.path,
      status: availability.status,
      seen: availability.body?.slots[0],
    },
    { path: slotsApi.getOpenSlot.path, status: lesson.status, seen: lesson.body?.slot },
  ];
  for (const { path, status, seen } of answers) {
    const isTrue = Object.entries(expected).every(
      ([name, value]) => seen?.[name as keyof typeof expected] === value,
    );
    // A missing lesson counts as wrong, just like a wrong number of seats.
    const isAnswer = status === 200 || (status >= 400 && status < 500);
    if (isAnswer && !isTrue) {
      client.history.broken.push(
        `While booking, ${path} returned ${JSON.stringify(seen ?? status)} instead of ${JSON.stringify(expected)}`,
      );
    }
  }
  return answers.map(({ status }) => status);
}

/**
 * Injects this replica fault while everything else is healthy. Visitors must get every response within `readBoundMs`,
 * bookings must succeed, and both processes must read from the replica again once it is healthy. Anything else is
 * recorded as broken.
 */
export async function checkWithoutReplica(client: Client, fault: ReplicaFaultName): Promise<void> {
  const { sides } = client.stage;
  const { broken } = client.history;
  await untilBothUseReplica(client);
  const end = await beginReplicaFault(client.stage, fault);
  const browsing = sides.flatMap((side) =>
    Array.from({ length: readsAtOnce }, () => pathsOf(client)).flatMap((paths) =>
      paths.map((path) => read(side, path)),
    ),
  );
  const booking = await bookUnseenLesson(client);
  const reads = await Promise.all(browsing);
  await end();
  const late = reads.flatMap(({ path, status, ms }) => {
    if (status !== 200) return [`${path} returned ${status} while only the replica failed: ${fault}`];
    return ms > readBoundMs
      ? [`${path} took over ${readBoundMs} ms while only the replica failed: ${fault}`]
      : [];
  });
  broken.push(...new Set(late));
  if (booking.length === 0 || booking.some((status) => status === 0 || status >= 500)) {
    broken.push(`Booking a lesson returned ${booking.join(', ')} while only the replica failed: ${fault}`);
  }
  await untilBothUseReplica(client);
}

async function untilBothUseReplica({ stage, history }: Client): Promise<void> {
  const isUsed = await Promise.all(stage.sides.map(untilReplicaIsUsed));
  if (!isUsed.every(Boolean))
    history.broken.push('The replica is healthy, but a process does not read from it');
}
