// One side of `npm run bench -- compare`: serves the commit whose folder it runs in, and answers the parent process. It
// is copied into the folder of the other commit, so it imports only modules that older commits have as well.
import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import { openPool } from '#server/platform/db/db.ts';
import { openBenchDatabase, openBenchServer, serveBenchProduct } from './bench-product.ts';
import { createCustomers, createSlots, freeHours, requestOf } from './booking.ts';
import type { LoadRequest } from './load.ts';
import { seedLarge } from './seed-large.ts';

/**
 * What a side has used since it started: processor time in milliseconds, syncs of the write-ahead log, statements sent,
 * and plans that PostgreSQL made for one call of a named statement.
 */
export type Usage = {
  nodeMs: number;
  postgresMs: number;
  walSyncs: number;
  statements: number;
  customPlans: number;
};

/** The parent's requests and their responses. */
export type Questions = {
  /** With `isIdle`, waits until the emails about earlier bookings have been composed. */
  usage: (input: { isIdle: boolean }) => Promise<Usage>;
  /** The paths of pages and lists that each case requests in turn. */
  paths: (input: null) => Promise<Record<string, string[]>>;
  /** Requests that book one seat each, by different customers. */
  bookings: (input: { count: number }) => Promise<LoadRequest[]>;
  /** Requests for a seat of a full slot. */
  refusals: (input: null) => Promise<LoadRequest[]>;
};

const size = { slots: 100_000, templates: 5_000, coaches: 500 };
/** A clock tick of /proc/<pid>/stat, in milliseconds. */
const tickMs = 10;

let statements = 0;
const connections = new Map<pg.Client, number>();
const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: pg.Client, ...parts: unknown[]) {
  statements += 1;
  if (!connections.has(this)) {
    connections.set(this, 0);
    this.once('end', () => connections.delete(this));
  }
  return (query as (...all: unknown[]) => unknown).apply(this, parts);
} as typeof query;

let customPlans = 0;
/**
 * The number of custom plans so far. Each connection counts its own; the latest plans of a connection that
 * has closed since the last call are lost.
 */
async function countCustomPlans(): Promise<number> {
  for (const [client, counted] of [...connections]) {
    const ask = query as unknown as (this: pg.Client, text: string) => Promise<pg.QueryResult>;
    const answer = await ask
      .call(client, 'select coalesce(sum(custom_plans), 0)::int as plans from pg_prepared_statements')
      .catch(() => null);
    if (!answer) continue;
    customPlans += answer.rows[0].plans - counted;
    if (connections.has(client)) connections.set(client, answer.rows[0].plans);
  }
  return customPlans;
}

const server = await openBenchServer();
const { url, isNew } = await openBenchDatabase(server.url, 'app_bench_compare', { isFresh: false });
if (isNew) await seedLarge(url, size);
const db = openPool(url, { size: 2 });
const product = await serveBenchProduct(url);
const customers = await createCustomers(db, product, 500);

const one = async (text: string): Promise<Record<string, unknown>> => (await db.query(text)).rows[0];
const fieldsOf = (pid: string): number[] => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
};
/**
 * The processor time of all PostgreSQL processes so far, in ms. In /proc/<pid>/stat, counting from 0 after
 * the name, field 1 is the parent, 11 and 12 are the process's own time, and 13 and 14 that of its ended
 * children.
 */
function sumPostgresMs(postmaster: number): number {
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const fields = fieldsOf(pid);
      if (fields[1] === postmaster) ticks += fields[11]! + fields[12]!;
      if (Number(pid) === postmaster) ticks += fields[11]! + fields[12]! + fields[13]! + fields[14]!;
    } catch {
      // The process has already ended.
    }
  }
  return ticks * tickMs;
}
const { pid } = await one('select pg_backend_pid() as pid');
const postmaster = fieldsOf(String(pid))[1]!;

const answers: Questions = {
  usage: async ({ isIdle }) => {
    if (isIdle) await freeHours(db);
    const sent = statements;
    const { user, system } = process.cpuUsage();
    const { syncs } = await one(
      "select coalesce(sum(fsyncs), 0)::int as syncs from pg_stat_io where object = 'wal'",
    );
    return {
      nodeMs: (user + system) / 1_000,
      postgresMs: sumPostgresMs(postmaster),
      walSyncs: Number(syncs),
      statements: sent,
      customPlans: await countCustomPlans(),
    };
  },
  paths: async () => {
    const { coach_id: coachId } = await one(
      'select coach_id from lesson_templates order by template_id limit 1',
    );
    const { title } = await one('select title from lesson_templates order by template_id limit 1');
    const answer = await fetch(`http://127.0.0.1:${product.port}/coaches/${coachId}`, { redirect: 'manual' });
    const profile = new URL(answer.headers.get('location') ?? `/coaches/${coachId}`, answer.url).pathname;
    const lessons = (query: Record<string, unknown>) => `/api/slots?${new URLSearchParams(query as never)}`;
    const { rows: days } = await db.query<{ day: string }>(
      "select to_char(now() + n * interval '1 day', 'YYYY-MM-DD') as day from generate_series(1, 60) n",
    );
    // Enough different periods that none is requested again while its response is cached.
    const periods = days.flatMap(({ day: from }, index) =>
      days.slice(index).map(({ day: to }) => ({ from, to })),
    );
    const each = (query: Record<string, unknown>) =>
      periods.map((period) => lessons({ ...query, ...period }));
    const search = String(title).split(' ')[0];
    return {
      'lessons, one page': ['/api/slots'],
      'lessons, all different': each({}),
      'lessons, all different, by sport': each({ sport: 'tennis' }),
      'lessons, all different, of a coach': each({ coachId }),
      'lessons, all different, cheapest': each({ sort: 'price_low' }),
      'lessons, all different, search': each({ search }),
      'discover page': ['/customer/discover'],
      "coach's page": [profile],
      'landing page': ['/'],
      'API description': ['/api/openapi.json'],
    };
  },
  bookings: async ({ count }) => {
    await freeHours(db);
    const slots = await createSlots(db, count, 20);
    return slots.map((slot, index) => requestOf(customers[index % customers.length]!, slot));
  },
  refusals: async () => {
    const [slot] = await createSlots(db, 1, 20);
    await db.query('update lesson_slots set booked_count = max_capacity where slot_id = $1', [slot!.slotId]);
    return customers.map((customer) => requestOf(customer, slot!));
  },
};

process.on('message', async ({ id, name, input }: { id: number; name: keyof Questions; input: never }) => {
  process.send!({ id, answer: await answers[name](input) });
});
process.on('disconnect', async () => {
  await db.end();
  await product.stop();
  await server.stop();
  process.exit();
});
process.send!({ port: product.port });
