import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { openPool } from '#server/platform/db/db.ts';
import { recordStatements, type Statement } from '#server/test-support/record-statements.test-support.ts';
import { openBenchDatabase, openBenchServer, serveBenchProduct } from './bench-product.ts';
import { median, runLoad, stopLoad } from './load.ts';
import { seedLarge } from './seed-large.ts';

const size = { slots: 1_000_000, templates: 50_000, coaches: 5_000 };

/**
 * The filters and sort orders of discover, alone and in some combinations. The values come from the seeded
 * data.
 */
async function listClasses(databaseUrl: string): Promise<[string, Record<string, string>][]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const one = async (text: string) => (await client.query(text)).rows[0];
  const { coach_id: coachId } = await one('select coach_id from lesson_templates limit 1 offset 777');
  const { day } = await one("select to_char(now() + interval '9 days', 'YYYY-MM-DD') as day");
  const { city, postcode } = await one('select city, postcode from locations limit 1 offset 50');
  const { title } = await one('select title from lesson_templates limit 1 offset 4242');
  await client.end();
  const common = String(title).split(' ')[0]!;
  return [
    ['no filter', {}],
    ['type', { type: 'group' }],
    ['price low', { sort: 'price_low' }],
    ['price high', { sort: 'price_high' }],
    ['type, price low', { type: 'individual', sort: 'price_low' }],
    ['search, one word', { search: common }],
    ['search, whole title', { search: title }],
    ['search, no match', { search: 'xylophone quidditch' }],
    ['search, price low', { search: common, sort: 'price_low' }],
    ['coach', { coachId }],
    ['sport', { sport: 'tennis' }],
    ['sport, price high', { sport: 'tennis', sort: 'price_high' }],
    ['town', { location: city }],
    ['postcode area', { location: String(postcode).split(' ')[0]! }],
    ['date range', { from: day, to: day }],
    ['sport, town, type, date', { sport: 'tennis', location: city, type: 'group', from: day }],
  ];
}

async function readCursorOfPage(port: number, query: Record<string, string>, pages: number) {
  let cursor: string | undefined;
  for (let page = 1; page < pages; page++) {
    const params = new URLSearchParams({ ...query, ...(cursor ? { cursor } : {}) });
    const answer = await fetch(`http://127.0.0.1:${port}/api/slots?${params}`);
    const { nextCursor } = (await answer.json()) as { nextCursor: string | null };
    if (!nextCursor) return cursor;
    cursor = nextCursor;
  }
  return cursor;
}

/**
 * Measures discover over HTTP against a bare node:http server that runs the same statement as a named `pg` query and
 * returns the rows as JSON. Both run in this process, alternating, on one database of a million slots.
 */
export async function benchDiscover({ seconds, rounds }: { seconds: number; rounds: number }): Promise<void> {
  const server = await openBenchServer();
  const { url, isNew } = await openBenchDatabase(server.url, 'app_bench_discover', { isFresh: false });
  if (isNew) await seedLarge(url, size);
  const product = await serveBenchProduct(url);
  const pool = openPool(url);
  let statement: Statement | undefined;
  const baseline = createServer(async (_request, response) => {
    const { rows } = statement ? await pool.query(statement) : { rows: [] };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ slots: rows }));
  });
  await new Promise<void>((resolve) => baseline.listen(0, '127.0.0.1', resolve));
  const baselinePort = (baseline.address() as AddressInfo).port;

  console.log(
    'class | page | product p50 ms (1 client) | p99 | bare p50 | product/s (8) | bare/s (8) | ratio',
  );
  const ratios: number[] = [];
  for (const [name, query] of await listClasses(url)) {
    for (const page of [1, 50]) {
      const cursor = page === 1 ? undefined : await readCursorOfPage(product.port, query, page);
      if (page === 50 && !cursor) continue;
      const path = `/api/slots?${new URLSearchParams({ ...query, ...(cursor ? { cursor } : {}) })}`;
      const fetchOnce = () =>
        fetch(`http://127.0.0.1:${product.port}${path}`).then((answer) => answer.text());
      await fetchOnce();
      const recorded = await recordStatements(fetchOnce);
      statement = recorded.find(({ text }) => text.includes('lesson_slots')) ?? recorded.at(-1);
      const measure = async (port: number, clients: number) =>
        runLoad({ port, requests: [{ path }], clients, durationMs: seconds * 1_000 });
      const found = {
        one: [] as number[],
        p99: [] as number[],
        bareOne: [] as number[],
        many: [] as number[],
      };
      const bareMany: number[] = [];
      for (let round = 0; round < rounds; round++) {
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
  console.log(
    `discover: median ratio ${median(ratios).toFixed(2)}, lowest ${Math.min(...ratios).toFixed(2)}`,
  );
  await stopLoad();
  baseline.close();
  await pool.end();
  await product.stop();
  await server.stop();
}
