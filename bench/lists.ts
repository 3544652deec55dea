import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { adminApi } from '#domain/admin/contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { createAccessTokens } from '#server/auth/sessions/access-token.ts';
import { openPool } from '#server/platform/db/db.ts';
import { longLists, seedLongLists } from '#server/test-support/long-lists.test-support.ts';
import { recordStatements, type Statement } from '#server/test-support/record-statements.test-support.ts';
import { type BenchProduct, openBenchDatabase, openBenchServer, serveBenchProduct } from './bench-product.ts';
import { median, runLoad, stopLoad } from './load.ts';

const rows = 100_000;
const { adminId, coachId, customerId, searches } = longLists;

/** Long lists, alone and with a filter, and the person who reads each of them. */
const lists: [name: string, userId: string, path: string, query: Record<string, string>][] = [
  ['users', adminId, adminApi.listUsers.path, {}],
  ['users, coaches', adminId, adminApi.listUsers.path, { role: 'coach' }],
  ...Object.entries(searches).map(([kind, search]): (typeof lists)[number] => [
    `users, "${search}" (${kind})`,
    adminId,
    adminApi.listUsers.path,
    { search },
  ]),
  ['payable bookings', adminId, payoutsApi.listPayableBookings.path, {}],
  ['payable, ready', adminId, payoutsApi.listPayableBookings.path, { readyOnly: 'true' }],
  ['payable, one coach', adminId, payoutsApi.listPayableBookings.path, { search: 'carla' }],
  ['payruns', adminId, payoutsApi.listPayruns.path, {}],
  ['audit log', adminId, adminApi.listAudit.path, {}],
  ['audit log, kind', adminId, adminApi.listAudit.path, { kind: 'settings' }],
  ['audit log, person', adminId, adminApi.listAudit.path, { search: 'ada admin' }],
  ['my bookings', customerId, bookingsApi.listMine.path, {}],
  ["a coach's ledger", coachId, earningsApi.listEarnings.path, {}],
];

/** The access token of a new session of this person. */
export async function signIn(
  db: pg.Pool | pg.Client,
  { config }: BenchProduct,
  userId: string,
): Promise<string> {
  const { rows: made } = await db.query<{ session_id: string; created_at: string }>(
    'insert into sessions (user_id) values ($1) returning session_id, created_at',
    [userId],
  );
  const { session_id: sessionId, created_at: signedInAt } = made[0]!;
  const { token } = await createAccessTokens(config).sign({
    ...{ userId, sessionId, signedInAt },
    email: 'x@bench.example',
  });
  return token;
}

/**
 * Runs these statements as named queries, in a transaction if one of them is `set local`. Returns the rows of the last
 * statement.
 */
async function runStatements(pool: pg.Pool, statements: Statement[]): Promise<unknown> {
  const client = await pool.connect();
  try {
    const isTransaction = statements.some(({ text }) => text.startsWith('set local'));
    if (isTransaction) await client.query('begin');
    let found: unknown[] = [];
    for (const statement of statements) ({ rows: found } = await client.query(statement));
    if (isTransaction) await client.query('commit');
    return found;
  } finally {
    client.release();
  }
}

/**
 * Measures the first and the 50th page of these long lists over HTTP, signed in, at 100,000 rows, against a bare
 * node:http server that runs the same statements as named `pg` queries. Both run in this process, alternating, on one
 * database.
 */
export async function benchLists({ seconds, rounds }: { seconds: number; rounds: number }): Promise<void> {
  const server = await openBenchServer();
  const { url, isNew } = await openBenchDatabase(server.url, 'app_bench_lists', { isFresh: false });
  if (isNew) {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await seedLongLists(client, rows, { coachHasEvery: 2 });
    await client.end();
  }
  const product = await serveBenchProduct(url);
  const pool = openPool(url);
  let statements: Statement[] = [];
  const baseline = createServer(async (_request, response) => {
    const found = await runStatements(pool, statements);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ rows: found }));
  });
  await new Promise<void>((resolve) => baseline.listen(0, '127.0.0.1', resolve));
  const baselinePort = (baseline.address() as AddressInfo).port;
  const tokens = new Map<string, string>();
  for (const userId of [adminId, coachId, customerId])
    tokens.set(userId, await signIn(pool, product, userId));

  console.log(
    'list | page | product p50 ms (1 client) | p99 | bare p50 | product/s (8) | bare/s (8) | ratio',
  );
  const ratios: number[] = [];
  for (const [name, userId, path, query] of lists) {
    const headers = { authorization: `Bearer ${tokens.get(userId)}` };
    const ask = async (cursor: string | undefined) => {
      const params = new URLSearchParams({ ...query, ...(cursor ? { cursor } : {}) });
      const answer = await fetch(`http://127.0.0.1:${product.port}${path}?${params}`, { headers });
      if (!answer.ok) throw new Error(`${name}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as { nextCursor: string | number | null };
    };
    for (const page of [1, 50]) {
      let cursor: string | undefined;
      for (let turned = 1; turned < page; turned += 1) {
        const { nextCursor } = await ask(cursor);
        cursor = nextCursor === null ? undefined : String(nextCursor);
        if (!cursor) break;
      }
      if (page > 1 && !cursor) continue;
      statements = await recordStatements(() => ask(cursor));
      const params = new URLSearchParams({ ...query, ...(cursor ? { cursor } : {}) });
      const measure = (port: number, clients: number) =>
        runLoad({
          ...{ port, clients, durationMs: seconds * 1_000 },
          requests: [{ path: `${path}?${params}`, headers }],
        });
      const found = {
        one: [] as number[],
        p99: [] as number[],
        bareOne: [] as number[],
        many: [] as number[],
      };
      const bareMany: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        const one = await measure(product.port, 1);
        found.one.push(one.p50);
        found.p99.push(one.p99);
        found.bareOne.push((await measure(baselinePort, 1)).p50);
        found.many.push((await measure(product.port, 8)).perSecond);
        bareMany.push((await measure(baselinePort, 8)).perSecond);
      }
      const ratio = median(found.many.map((many, round) => many / bareMany[round]!));
      ratios.push(ratio);
      console.log(
        [
          name,
          page,
          median(found.one).toFixed(2),
          median(found.p99).toFixed(2),
          median(found.bareOne).toFixed(2),
          Math.round(median(found.many)),
          Math.round(median(bareMany)),
          ratio.toFixed(2),
        ].join(' | '),
      );
    }
  }
  console.log(`lists: median ratio ${median(ratios).toFixed(2)}, lowest ${Math.min(...ratios).toFixed(2)}`);
  await stopLoad();
  baseline.close();
  await pool.end();
  await product.stop();
  await server.stop();
}
