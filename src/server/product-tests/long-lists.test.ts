import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminApi } from '#domain/admin/contract.ts';
import { adminHomeApi, maxCounted } from '#domain/admin/home-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { deskApi } from '#domain/desk/contract.ts';
import type { Endpoint, InputOf } from '#domain/endpoint.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { type EarningsLine, earningsApi } from '#domain/payouts/earnings-contract.ts';
import { addDays, wallTimeOf } from '#domain/time.ts';
import { auditLedger } from '#server/bookings/checks/audit-ledger.ts';
import { closeMonths } from '#server/bookings/close-months.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { longLists, seedLongLists } from '#server/test-support/long-lists.test-support.ts';
import { recordStatements } from '#server/test-support/record-statements.test-support.ts';
import { startTestApp, type TestApp } from '#server/test-support/test-app.test-support.ts';

const rows = 20_000;

let app: TestApp;
let client: pg.Client;
/** The figures of a whole history, read before its months were closed. */
let openFigures: unknown;
const people = {} as Record<'admin' | 'coach' | 'customer', Someone>;
beforeAll(async () => {
  app = await startTestApp();
  client = new pg.Client({ connectionString: app.databaseUrl });
  await client.connect();
  await seedLongLists(client, rows, { coachHasEvery: 5 });
  const { adminId, coachId, customerId } = longLists;
  people.admin = await app.signInAs(adminId);
  people.coach = await app.signInAs(coachId);
  people.customer = await app.signInAs(customerId);
  openFigures = await readFigures();
  await closeMonths(app.db);
}, 120_000);
afterAll(async () => {
  await client.end();
  await app.stop();
});

async function readFigures() {
  const { body: stats } = await app.call(people.customer, bookingsApi.getMyStats, {});
  const { body: coaches } = await app.call(people.customer, bookingsApi.listMyCoaches, {});
  const { body: earnings } = await app.call(people.coach, earningsApi.getEarnings, {});
  const { body: ledger } = await app.call(people.coach, earningsApi.listEarnings, {});
  return { stats, coaches, earnings, ledger };
}

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Node[];
};

const walk = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(walk)];
const readBy = (node: Node) =>
  node['Actual Loops'] *
  (node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0));

/** The scans in PostgreSQL's plans for the statements of `run`, planned with their actual values. */
async function explain(run: () => Promise<unknown>): Promise<Node[]> {
  const scans: Node[] = [];
  for (const { text, values } of await recordStatements(run)) {
    // Leaves out statements that write, such as those of jobs.
    if (!/^\s*(select|with)\b/i.test(text) || /\binsert into\b|\bupdate \w+ set\b/i.test(text)) continue;
    const { rows: answer } = await client.query({
      text: `explain (analyze, timing off, format json) ${text}`,
      values,
    });
    scans.push(...walk(answer[0]['QUERY PLAN'][0].Plan).filter((node) => node['Relation Name']));
  }
  return scans;
}

const { searches } = longLists;
const daysAgo = (days: number) => addDays(wallTimeOf(Date.now()).date, -days);
type List = [name: string, who: keyof typeof people, endpoint: Endpoint, input: object, maxRead: number];
const lists: List[] = [
  ['users', 'admin', adminApi.listUsers, {}, 600],
  ['users who are coaches', 'admin', adminApi.listUsers, { role: 'coach' }, 600],
  ...Object.values(searches).map(
    (search): List => [`users, search "${search}"`, 'admin', adminApi.listUsers, { search }, 600],
  ),
  ['payable bookings', 'admin', payoutsApi.listPayableBookings, {}, 2_000],
  ['payable bookings, ready', 'admin', payoutsApi.listPayableBookings, { readyOnly: 'true' }, 2_000],
  ['payable bookings, coach', 'admin', payoutsApi.listPayableBookings, { search: 'carla' }, 2_000],
  ['payable bookings, idle coach', 'admin', payoutsApi.listPayableBookings, { search: 'zebedee' }, 2_000],
  ['payruns', 'admin', payoutsApi.listPayruns, {}, 3_000],
  ['audit log', 'admin', adminApi.listAudit, {}, 600],
  ['audit log, kind', 'admin', adminApi.listAudit, { kind: 'settings' }, 600],
  ['audit log, person', 'admin', adminApi.listAudit, { search: 'Ada Admin' }, 600],
  ['audit log, person, kind', 'admin', adminApi.listAudit, { search: 'ad', kind: 'settings' }, 600],
  ['audit log, days', 'admin', adminApi.listAudit, { from: daysAgo(300), to: daysAgo(200) }, 600],
  ['audit log, days, kind', 'admin', adminApi.listAudit, { to: daysAgo(200), kind: 'settings' }, 600],
  ['my bookings', 'customer', bookingsApi.listMine, {}, 1_000],
  ['my past bookings', 'customer', bookingsApi.listMine, { view: 'past' }, 1_000],
  // Figures over 20,000 bookings. Closed months are read as totals, so at most 33 days of 32 bookings remain.
  ['my figures', 'customer', bookingsApi.getMyStats, {}, 1_500],
  // As above for a fifth of the bookings, plus the ledger lines of one page.
  ['earnings', 'coach', earningsApi.getEarnings, {}, 3_000],
  ['ledger', 'coach', earningsApi.listEarnings, {}, 2_000],
  ['my coaches', 'customer', bookingsApi.listMyCoaches, {}, 2_500],
];
const bookingSearches: List[] = [
  ['reference', 'admin', deskApi.search, { search: 'deadbeef' }, 600],
  ['card', 'admin', deskApi.search, { search: '4242' }, 600],
  ['common name', 'admin', deskApi.search, { search: 'member' }, 2_000],
  ['title', 'admin', deskApi.search, { search: 'match play' }, 1_000],
  ['date', 'admin', deskApi.search, { date: daysAgo(100) }, 1_000],
  ['date, title', 'admin', deskApi.search, { date: daysAgo(100), search: 'match' }, 1_000],
];

/** The cursor of the `page`th page. */
async function turnTo(page: number, who: Someone, endpoint: Endpoint, input: object) {
  let cursor: unknown;
  for (let turned = 1; turned < page; turned += 1) {
    const { status, body } = await app.call(who, endpoint, {
      ...input,
      ...(cursor ? { cursor } : {}),
    } as InputOf<Endpoint>);
    expect(status).toBe(200);
    cursor = (body as { nextCursor: unknown }).nextCursor;
    if (!cursor) break;
  }
  return cursor;
}

async function expectIndexed(...[, as, endpoint, input, maxRead]: List): Promise<void> {
  const who = people[as];
  for (const page of [1, 10]) {
    const cursor = await turnTo(page, who, endpoint, input);
    if (page > 1 && !cursor) continue;
    const scans = await explain(async () => {
      const answer = await app.call(who, endpoint, {
        ...input,
        ...(cursor ? { cursor } : {}),
      } as InputOf<Endpoint>);
      expect(answer.status).toBe(200);
    });
    expect(scans.length).toBeGreaterThan(0);
    // For small tables, a full scan is the best plan.
    const whole = scans.filter((node) => node['Node Type'] === 'Seq Scan' && readBy(node) > 300);
    expect(whole).toEqual([]);
    expect(scans.reduce((sum, node) => sum + readBy(node), 0)).toBeLessThan(maxRead);
  }
}

test.each(lists)('reads %s through an index, even on the tenth page', expectIndexed);
test.each(bookingSearches)(
  'searches bookings by %s through an index, even on the tenth page [CONNECT-13b]',
  expectIndexed,
);

test('reads few rows for the admin home page, however large the tables are', async () => {
  // The transaction that adds up the payable bookings uses this setting.
  await client.query('set enable_sort = off');
  const scans = await explain(async () => {
    expect((await app.call(people.admin, adminHomeApi.getAdminHome, {})).status).toBe(200);
  });
  await client.query('reset enable_sort');
  expect(scans.filter((node) => node['Node Type'] === 'Seq Scan' && readBy(node) > 100)).toEqual([]);
  const read = scans.map((node) => [node['Relation Name'], node['Index Name'], readBy(node)] as const);
  // Beyond the count limit, only the last 7 days of ledger entries and of new people are read.
  const wide = read.filter(([, , rows]) => rows > 10 * maxCounted);
  expect(
    wide.map(([table]) => table).filter((table) => table !== 'ledger_entries' && table !== 'profiles'),
  ).toEqual([]);
});

test("reads a coach's ledger page by page and sums the balance from an index", async () => {
  const scans = await explain(() => app.call(people.coach, earningsApi.listEarnings, { limit: 20 }));
  const wide = scans.filter((node) => readBy(node) > 200);
  expect(wide.filter((node) => node['Index Name'] !== 'ledger_entries_coach')).toEqual([]);
  const { body } = await app.call(people.coach, earningsApi.listEarnings, { limit: 50 });
  expect(body.lines).toHaveLength(50);
  const { body: earnings } = await app.call(people.coach, earningsApi.getEarnings, {});
  expect(body.lines[0]!.balanceCents).toBe(earnings.toComeCents);
  const next = await app.call(people.coach, earningsApi.listEarnings, {
    limit: 50,
    cursor: body.nextCursor!,
  });
  const last = body.lines.at(-1)!;
  expect(next.body.lines[0]!.balanceCents).toBe(last.balanceCents - last.netCents);
  const foreign = await app.call(await app.signIn('coach'), earningsApi.listEarnings, {
    cursor: body.nextCursor!,
  });
  expect([foreign.status, foreign.error?.fields]).toEqual([422, { cursor: expect.any(String) }]);
});

test('shows the same figures after closing 20 months, with balances that add up', async () => {
  expect(await readFigures()).toEqual(openFigures);
  const rules = (await auditLedger(app.db)).map(({ rule }) => rule);
  expect(rules.filter((rule) => /closed months/.test(rule))).toEqual([]);
  const lines: EarningsLine[] = [];
  for (let page = 0, cursor: number | undefined; page < 10; page += 1) {
    const { body } = await app.call(people.coach, earningsApi.listEarnings, { limit: 50, cursor });
    lines.push(...body.lines);
    cursor = body.nextCursor!;
  }
  for (const [index, line] of lines.slice(1).entries()) {
    expect(line.balanceCents).toBe(lines[index]!.balanceCents - lines[index]!.netCents);
  }
});

test('finds people by the first one or two letters of a word [ADM-2]', async () => {
  const find = async (search: string) =>
    (await app.call(people.admin, adminApi.listUsers, { search })).body.users.map(({ email }) => email);
  const zebedees = ['member-10000@club.example', 'member-20000@club.example'];
  for (const search of ['z', 'ZQ', 'z 1', 'zq 10', ' Zq-']) {
    expect([search, await find(search)]).toEqual([
      search,
      search.includes('1') ? zebedees.slice(0, 1) : zebedees,
    ]);
  }
  expect(await find('ar')).toEqual([]);
  expect(await find('ca')).toEqual(['coach@lists.example']);
  expect(await find('co')).toEqual(['coach@lists.example']);
  expect(await find('@')).toEqual([]);
});
