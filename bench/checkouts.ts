import type pg from 'pg';
import { openPool } from '#server/platform/db/db.ts';
import { recordStatements, type Statement } from '#server/test-support/record-statements.test-support.ts';
import { openBenchDatabase, openBenchServer, serveBenchProduct } from './bench-product.ts';
import {
  type Customer,
  createCustomers,
  createSlots,
  freeHours,
  postOnce,
  priceCents,
  requestOf,
  type Slot,
} from './booking.ts';
import { type LoadRequest, median, runLoad, stopLoad } from './load.ts';

const seatsEach = 3;

/** The request with which a customer books several slots with one payment. */
const checkoutOf = (customer: Customer, slots: Slot[]): LoadRequest => ({
  method: 'POST',
  path: '/api/checkouts',
  headers: { authorization: `Bearer ${customer.token}`, 'content-type': 'application/json' },
  body: JSON.stringify({ seats: slots.map(({ slotId }) => ({ slotId, baseAmountCents: priceCents })) }),
});

/**
 * Whether a statement reads, holds or confirms seats. The statements of jobs that send messages, which run at
 * the same time, don't count.
 */
const isOfBooking = ({ text }: Statement) =>
  /is_open|booked_count \+|status = 'booked', booked_at/.test(text);

/**
 * Resolves once no job is due or running, so that no message of an earlier request is written during the measurement.
 */
async function finishJobs(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ left: number }>(
    'select count(*)::int as left from graphile_worker.jobs where run_at <= now()',
  );
  if (rows[0]!.left === 0) return;
  await new Promise((resolve) => setTimeout(resolve, 5));
  await finishJobs(pool);
}

/**
 * Compares one checkout of three seats with single bookings, in turn: the number of statements, how long one customer
 * waits while nothing else runs, and the requests per second while jobs send the messages.
 */
export async function benchCheckouts({
  checkouts,
  rounds,
}: {
  checkouts: number;
  rounds: number;
}): Promise<void> {
  const server = await openBenchServer();
  const { url } = await openBenchDatabase(server.url, 'app_bench_checkouts', { isFresh: true });
  const db = openPool(url, { size: 4 });
  const product = await serveBenchProduct(url);
  // Enough customers that none of them reaches the limit of bookings in ten minutes.
  const customers = await createCustomers(db, product, 300);
  const post = (request: LoadRequest) => postOnce(product.port, request);
  const customer = customers[0]!;
  const sample = await createSlots(db, 1 + seatsEach, 20);
  const record = async (request: LoadRequest) =>
    (await recordStatements(() => post(request))).filter(isOfBooking);
  const single = await record(requestOf(customer, sample[0]!));
  const joint = await record(checkoutOf(customer, sample.slice(1)));
  const ratio = (joint.length / single.length).toFixed(2);
  console.log(
    `three seats in one checkout run ${joint.length} statements, one booking ${single.length}: ratio ${ratio}`,
  );
  const waits: { joint: number; single: number }[] = [];
  const timeOf = async (request: LoadRequest) => {
    await finishJobs(db);
    const startedAt = performance.now();
    await post(request);
    return performance.now() - startedAt;
  };
  const alone = await createSlots(db, checkouts * (seatsEach + 1), 20);
  for (let index = 0; index < checkouts; index++) {
    const [slot, ...others] = alone.slice(index * (seatsEach + 1), (index + 1) * (seatsEach + 1));
    const booker = customers[index % customers.length]!;
    waits.push({
      single: await timeOf(requestOf(booker, slot!)),
      joint: await timeOf(checkoutOf(booker, others)),
    });
  }
  const waited = median(waits.map(({ joint, single }) => joint / single)).toFixed(2);
  console.log(
    `one customer waits ${median(waits.map((wait) => wait.joint)).toFixed(1)} ms for three seats, ${median(waits.map((wait) => wait.single)).toFixed(1)} ms for one: ratio ${waited}`,
  );
  console.log('clients | checkouts/s | bookings/s | time per checkout ÷ time per booking');
  for (const clients of [1, 8]) {
    const pairs: { joint: number; single: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const slots = await createSlots(db, checkouts * (seatsEach + 1), 20);
      const ofJoint = slots.slice(checkouts);
      const requests = slots
        .slice(0, checkouts)
        .map((slot, index) => requestOf(customers[index % customers.length]!, slot));
      const together = requests.map((_, index) =>
        checkoutOf(
          customers[index % customers.length]!,
          ofJoint.slice(index * seatsEach, (index + 1) * seatsEach),
        ),
      );
      await freeHours(db);
      const ours = await runLoad({ port: product.port, requests: together, clients });
      await freeHours(db);
      const theirs = await runLoad({ port: product.port, requests, clients });
      for (const { statuses } of [ours, theirs]) {
        if (statuses['200'] !== checkouts) console.log('responses', statuses);
      }
      pairs.push({ joint: ours.perSecond, single: theirs.perSecond });
    }
    console.log(
      [
        clients,
        Math.round(median(pairs.map((pair) => pair.joint))),
        Math.round(median(pairs.map((pair) => pair.single))),
        median(pairs.map((pair) => pair.single / pair.joint)).toFixed(2),
      ].join(' | '),
    );
  }
  await stopLoad();
  await db.end();
  await product.stop();
  await server.stop();
}
