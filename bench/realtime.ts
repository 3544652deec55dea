import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { openPool } from '#server/platform/db/db.ts';
import { type BenchProduct, openBenchDatabase, openBenchServer, serveBenchProduct } from './bench-product.ts';
import { createCustomers, createSlots, freeHours, requestOf } from './booking.ts';
import { median, runLoad, stopLoad } from './load.ts';
import type { WatcherAnswer, WatcherCommand } from './watchers.ts';

const watchersFile = fileURLToPath(new URL('./watchers.ts', import.meta.url));

async function ask<Key extends string>(child: ChildProcess, command: WatcherCommand, key: Key) {
  child.send(command);
  for (;;) {
    const [answer] = (await once(child, 'message')) as [WatcherAnswer];
    if (key in answer) return answer as Extract<WatcherAnswer, Record<Key, unknown>>;
  }
}

/**
 * Measures live updates: how soon after its commit a change reaches all `sockets` connections to one process, the
 * memory per connection, and how many seats per second are booked with 500 watchers compared with none.
 */
export async function benchRealtime(size: {
  sockets: number;
  rounds: number;
  bookings: number;
}): Promise<void> {
  const server = await openBenchServer();
  const { url } = await openBenchDatabase(server.url, 'app_bench_realtime', { isFresh: true });
  const db = openPool(url, { size: 4 });
  const product = await serveBenchProduct(url);
  const child = fork(watchersFile, { execArgv: ['--import', 'tsx'] });
  try {
    await measureFanOut(child, db, product, size);
    await measureHolds(child, db, product, size);
  } finally {
    child.kill();
    await stopLoad();
    await db.end();
    await product.stop();
    await server.stop();
  }
}

async function measureFanOut(
  child: ChildProcess,
  db: pg.Pool,
  { port }: BenchProduct,
  { sockets, rounds }: { sockets: number; rounds: number },
): Promise<void> {
  const [slot] = await createSlots(db, 1, 20);
  const slotIds = [[slot!.slotId]];
  await ask(child, { open: 100, port, slotIds }, 'opened');
  const before = process.memoryUsage().rss;
  await ask(child, { open: sockets - 100, port, slotIds }, 'opened');
  const bytes = (process.memoryUsage().rss - before) / (sockets - 100);
  const latencies: { middle: number; last: number }[] = [];
  for (let round = 0; round < rounds * 3; round++) {
    await ask(child, { arm: true }, 'armed');
    // This pause is longer than the shortest time between two messages about one slot. It is random, because changes
    // are read at regular intervals.
    await new Promise((resolve) => setTimeout(resolve, 600 + Math.random() * 250));
    const arriving = once(child, 'message') as Promise<[{ arrivals: number[] }]>;
    await db.query('update lesson_slots set price_cents = price_cents + 1 where slot_id = $1', [
      slot!.slotId,
    ]);
    const committedAt = performance.timeOrigin + performance.now();
    const [{ arrivals }] = await arriving;
    const sorted = arrivals.map((at) => at - committedAt).sort((a, b) => a - b);
    latencies.push({ middle: sorted[Math.floor(sorted.length / 2)]!, last: sorted.at(-1)! });
  }
  await ask(child, { close: true }, 'closed');
  const [middle, last] = [latencies.map((one) => one.middle), latencies.map((one) => one.last)];
  console.log(
    `${sockets} connections: half of them get a change ${Math.round(median(middle))} ms after its commit, all of them ` +
      `after ${Math.round(median(last))} ms (slowest of ${last.length}: ${Math.round(Math.max(...last))} ms); ` +
      `${(bytes / 1_000).toFixed(1)} kB per connection`,
  );
}

/**
 * Measures bookings in alternating rounds with and without watchers, so that the load of the machine affects both
 * alike.
 */
async function measureHolds(
  child: ChildProcess,
  db: pg.Pool,
  product: BenchProduct,
  { rounds, bookings }: { rounds: number; bookings: number },
): Promise<void> {
  const customers = await createCustomers(db, product, 500);
  async function measure(watchers: number): Promise<number> {
    const slots = await createSlots(db, bookings, 20);
    const slotIds = Array.from({ length: 50 }, (_, list) =>
      // About as many slots as are visible on the discover page.
      Array.from({ length: 20 }, (_, n) => slots[(list * 37 + n) % slots.length]!.slotId),
    );
    if (watchers > 0) await ask(child, { open: watchers, port: product.port, slotIds }, 'opened');
    await freeHours(db);
    const requests = slots.map((slot, n) => requestOf(customers[n % customers.length]!, slot));
    const { perSecond, statuses } = await runLoad({ port: product.port, requests, clients: 32 });
    if (statuses['200'] !== bookings) console.log('responses', statuses);
    if (watchers > 0) await ask(child, { close: true }, 'closed');
    return perSecond;
  }
  await measure(0);
  const pairs: [watched: number, alone: number][] = [];
  for (let round = 0; round < rounds; round++) {
    const isFirst = round % 2 === 0;
    const first = await measure(isFirst ? 500 : 0);
    const second = await measure(isFirst ? 0 : 500);
    pairs.push(isFirst ? [first, second] : [second, first]);
  }
  console.log('seats booked per second with 500 watchers | with none | ratio');
  console.log(
    [
      Math.round(median(pairs.map(([watched]) => watched))),
      Math.round(median(pairs.map(([, alone]) => alone))),
      median(pairs.map(([watched, alone]) => watched / alone)).toFixed(3),
    ].join(' | '),
  );
}
