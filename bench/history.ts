import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { adminApi } from '#domain/admin/contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { closeMonths } from '#server/bookings/close-months.ts';
import { openDatabase, openPool } from '#server/platform/db/db.ts';
import { longLists, seedLongLists } from '#server/test-support/long-lists.test-support.ts';
import { recordStatements, type Statement } from '#server/test-support/record-statements.test-support.ts';
import { openBenchDatabase, openBenchServer, serveBenchProduct } from './bench-product.ts';
import { signIn } from './lists.ts';
import { median } from './load.ts';

const { adminId, coachId, customerId } = longLists;

/** Figures that cover a whole history, and the person who reads each of them. */
const figures: [name: string, userId: string, path: string][] = [
  ['my figures', customerId, bookingsApi.getMyStats.path],
  ['my coaches', customerId, bookingsApi.listMyCoaches.path],
  ['earnings', coachId, earningsApi.getEarnings.path],
  ['ledger', coachId, earningsApi.listEarnings.path],
  ['overview', adminId, adminApi.getOverview.path],
];

const sizes = [1_000, 100_000] as const;

/**
 * The processor time of a PostgreSQL process on this machine so far, in milliseconds; Linux counts it in
 * steps of 10 ms.
 */
async function readProcessorMs(pid: number): Promise<number> {
  const fields = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** Pays out all lessons that ended more than 31 days ago, as a club would have. */
const payOut = `
  with paid as (
    update bookings set is_in_payrun = true
    where status = 'booked' and not is_in_payrun and upper(during) < now() - interval '31 days'
    returning booking_id, upper(during) as ended_at
  )
  insert into ledger_entries (booking_id, kind, amount_cents, source_id, created_at)
  select booking_id, 'paid_out', -4900, gen_random_uuid(), ended_at + interval '20 days' from paid`;

/** Opens a database with a history of this many bookings, in which every past month is closed. */
async function openHistory(server: string, rows: number) {
  const { url, isNew } = await openBenchDatabase(server, `app_bench_history_${rows}`, { isFresh: false });
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  if (isNew) {
    await seedLongLists(client, rows, { coachHasEvery: 2 });
    await client.query(`set statement_timeout = 0; ${payOut}; reset statement_timeout`);
  }
  const db = openDatabase(openPool(url, { size: 1 }));
  await closeMonths(db).finally(() => db.destroy());
  await client.query('vacuum analyze');
  const { rows: found } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  const product = await serveBenchProduct(url);
  const statements = new Map<string, Statement[]>();
  for (const [name, userId, path] of figures) {
    const headers = { authorization: `Bearer ${await signIn(client, product, userId)}` };
    const recorded = await recordStatements(async () => {
      const answer = await fetch(`http://127.0.0.1:${product.port}${path}`, { headers });
      if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
    });
    statements.set(name, recorded);
  }
  await product.stop();
  return { client, pid: found[0]!.pid, statements };
}

/**
 * Compares PostgreSQL's processor time for figures that cover a whole history at 1,000 and at 100,000
 * bookings. Runs the product's statements as named queries on one connection per database, the two databases
 * in turn. PostgreSQL must run on this machine.
 */
export async function benchHistory({ calls, rounds }: { calls: number; rounds: number }): Promise<void> {
  const server = await openBenchServer();
  const histories = [];
  for (const rows of sizes) histories.push(await openHistory(server.url, rows));
  console.log(`figure | ${sizes.map((rows) => `ms at ${rows.toLocaleString('en-GB')}`).join(' | ')} | ratio`);
  for (const [name] of figures) {
    const spent = sizes.map(() => [] as number[]);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, { client, pid, statements }] of histories.entries()) {
        const before = await readProcessorMs(pid);
        for (let call = 0; call < calls; call += 1) {
          for (const statement of statements.get(name)!) await client.query(statement);
        }
        spent[index]!.push(((await readProcessorMs(pid)) - before) / calls);
      }
    }
    const [small, large] = spent.map(median) as [number, number];
    console.log(`${name} | ${small.toFixed(2)} | ${large.toFixed(2)} | ${(large / small).toFixed(2)}`);
  }
  for (const { client } of histories) await client.end();
  await server.stop();
}
