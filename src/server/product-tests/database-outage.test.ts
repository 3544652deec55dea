import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/embedded/embedded-postgres.ts';
import { keepEmbeddedPostgres } from '#server/embedded/keep-postgres.ts';
import { readPostmaster } from '#server/embedded/postmaster.ts';
import { defaultStatementTimeoutMs } from '#server/platform/db/db.ts';
import { createLog } from '#server/platform/log.ts';
import { openLive } from '#server/realtime/live-client.test-support.ts';
import { type Club, openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { eventually, startTestApp, type TestApp } from '#server/test-support/test-app.test-support.ts';
import { migrateClub } from '#server/verification/ask-nothing.test-support.ts';
import { signalServer } from '../../../chaos/server-signals.ts';

let dataDir: string;
let postgres: EmbeddedPostgres;
let app: TestApp;
let club: Club;
let customer: Someone;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'app-outage-'));
  postgres = await startEmbeddedPostgres({ dataDir });
  await migrateClub(postgres.url);
  app = await startTestApp({
    database: { url: postgres.url, drop: async () => {} },
    env: { DATABASE_STATEMENT_TIMEOUT_MS: String(defaultStatementTimeoutMs) },
  });
  club = await openClub(app);
  customer = await club.join();
});
afterAll(async () => {
  await app.stop();
  await postgres.stop();
  await rm(dataDir, { recursive: true, force: true });
});

const portOf = (url: string) => Number(new URL(url).port);

async function readHealth() {
  const answer = await fetch(`${app.url}/healthz`);
  return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() };
}
const isHealthy = async () => (await readHealth()).status === 200;
const isUnhealthy = async () => !(await isHealthy());

test('reports a stopped PostgreSQL, charges nothing and recovers [PAY-5, RT-12, RT-12b]', async () => {
  const slotId = await club.publish();
  const live = openLive(app.url, () => customer.token);
  const own = live.join(`user:${customer.userId}`);
  expect(await own.answered()).toBe('SUBSCRIBED');
  expect(await readHealth()).toEqual({ status: 200, retryAfter: null, body: { status: 'ok' } });
  await postgres.stop();
  await eventually(isUnhealthy);
  expect(await readHealth()).toEqual({
    status: 503,
    retryAfter: '1',
    body: { status: 'unavailable', reason: 'database unreachable' },
  });

  const sentence =
    "The service can't reach its database right now. Nothing was changed. Please try again in a moment.";
  const refused = await fetch(`${app.url}${bookingsApi.book.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${customer.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ slotId, baseAmountCents: 5000 }),
  });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect((await refused.json()).error).toEqual({
    code: 'unavailable',
    message: sentence,
    requestId: expect.any(String),
  });
  const visited = await fetch(`${app.url}/api/slots`);
  expect([visited.status, (await visited.json()).error.message]).toEqual([
    503,
    "The service can't reach its database right now. Please try again in a moment.",
  ]);
  const signIn = await fetch(`${app.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: customer.email, password: 'correct-horse-battery' }),
  });
  expect([signIn.status, signIn.headers.get('retry-after')]).toEqual([503, '1']);
  const page = await fetch(app.url);
  expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
  expect(await app.stripeSimulator.ledger()).toEqual([]);

  postgres = await startEmbeddedPostgres({ dataDir, port: portOf(postgres.url) });
  const restartedAt = performance.now();
  await own.next(({ event }) => event === 'resync');
  expect(performance.now() - restartedAt).toBeLessThan(40_000);
  await eventually(isHealthy);
  expect((await club.book(customer, slotId)).body).toMatchObject({ outcome: 'booked' });
  await own.next(({ payload }) => payload.kind === 'bookings');
  expect(own.statuses).toEqual(['SUBSCRIBED']);
  live.close();
  await eventually(async () => (await app.emailsTo(customer.email)).length > 0, 60_000);
  expect(await club.netCharges(slotId)).toEqual([5000]);
  await club.expectLedgerInOrder();
}, 180_000);

test('reports a frozen PostgreSQL within seconds and recovers [PAY-5]', async () => {
  const home = join(dataDir, 'postgres');
  const [slotId, charged] = [await club.publish(), await club.publish()];
  const other = await club.join();
  const request = async (path: string, init: RequestInit = {}) => {
    const began = performance.now();
    const answer = await fetch(app.url + path, init);
    const text = await answer.text();
    return { status: answer.status, text, seconds: (performance.now() - began) / 1000 };
  };
  const bookingOf = ({ token }: Someone, id: string): RequestInit => ({
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ slotId: id, baseAmountCents: 5000 }),
  });
  // Opens connections first, because only requests on open connections would hang.
  await Promise.all(Array.from({ length: 12 }, () => request('/api/slots')));
  // One booking is between charge and settlement when the outage starts.
  await app.stripeSimulator.control({ latencyMs: 8_000, webhooksOff: true });
  const undecided = request(bookingsApi.book.path, bookingOf(other, charged));
  await eventually(async () => (await club.readBookings(charged)).length === 1);
  await signalServer(home, 'SIGSTOP');
  let answers: Awaited<ReturnType<typeof request>>[];
  let decided: (typeof answers)[number];
  try {
    answers = await Promise.all([
      ...Array.from({ length: 40 }, () => request(bookingsApi.book.path, bookingOf(customer, slotId))),
      ...Array.from({ length: 10 }, () => request('/api/slots')),
      request(`/coaches/${club.coach.userId}`),
    ]);
    decided = await undecided;
    // Later requests wait no longer than a new connection takes to fail.
    const later = [request('/healthz'), request(bookingsApi.book.path, bookingOf(customer, slotId))];
    answers.push(...(await Promise.all(later)));
  } finally {
    await signalServer(home, 'SIGCONT');
    await app.stripeSimulator.control({ latencyMs: 0, webhooksOff: false });
  }
  expect(answers.filter(({ status }) => status !== 503)).toEqual([]);
  // The limit allows three seconds for the connection, five seconds for the statement, and the rest for a busy machine.
  // With TCP's own timeouts, a response would take minutes.
  expect(Math.max(...answers.map(({ seconds }) => seconds))).toBeLessThan(40);
  for (const { text } of answers.slice(0, 40))
    expect(text).toContain("The service can't reach its database right now. Nothing was changed.");
  expect(JSON.parse(answers.at(-2)!.text)).toEqual({
    status: 'unavailable',
    reason: 'database does not answer',
  });
  // The response asks the customer to wait or try again, and never says that the lesson is booked or not booked.
  expect(decided.status === 200 ? JSON.parse(decided.text).outcome : decided.status).toBeOneOf([
    'processing',
    503,
  ]);

  await eventually(isHealthy);
  expect((await club.book(customer, slotId)).body).toMatchObject({ outcome: 'booked' });
  await club.sweep();
  await eventually(async () => (await club.readBookings(charged))[0]?.status === 'booked', 60_000);
  for (const id of [slotId, charged]) expect(await club.netCharges(id)).toEqual([5000]);
  await club.expectLedgerInOrder();
}, 180_000);

test('restarts an embedded PostgreSQL that was killed', async () => {
  const { url } = postgres;
  const kept = await keepEmbeddedPostgres(dataDir, createLog('silent'));
  expect(kept.url).toBe(url);
  const folder = join(dataDir, 'postgres');
  const { pid } = (await readPostmaster(folder))!;
  process.kill(pid, 'SIGKILL');
  await eventually(async () => {
    const running = await readPostmaster(folder);
    return running?.isReady && running.pid !== pid && isHealthy();
  }, 60_000);
  const slotId = await club.publish();
  expect((await club.book(customer, slotId)).body).toMatchObject({ outcome: 'booked' });
  await kept.stop();
  expect(await kept.isRunning()).toBe(false);
  postgres = await startEmbeddedPostgres({ dataDir, port: portOf(url) });
  await eventually(isHealthy);
}, 180_000);

/** Runs several statements in one call, which the server's own connections don't allow. */
async function run(statements: string): Promise<void> {
  const client = new Client({ connectionString: app.databaseUrl });
  await client.connect();
  await client.query(statements).finally(() => client.end());
}

const unable = "The service can't save anything right now.";
const unreachable = "The service can't reach its database right now.";
const crowded = "We're very busy right now.";

test.each([
  ['53100', 'disk full', unable],
  ['25006', 'database is read-only', unable],
  ['53300', 'database overloaded', crowded],
  ['57P03', 'database unreachable', unreachable],
  ['08006', 'database unreachable', unreachable],
])('charges nothing on SQLSTATE %s, reports it as "%s" and recovers [PAY-5]', async (state, reason, said) => {
  const slotId = await club.publish();
  const chargedBefore = (await app.stripeSimulator.ledger()).length;
  await run(`create or replace function fail() returns trigger language plpgsql as $$
      begin raise exception 'No space left on device' using errcode = '${state}'; end $$;
      create trigger fail before update on health for each row execute function fail();
      create trigger fail before insert on bookings for each row execute function fail();`);
  await eventually(isUnhealthy);
  expect(await readHealth()).toMatchObject({ status: 503, body: { status: 'unavailable', reason } });
  const { status, error } = await club.book(customer, slotId);
  expect([status, error?.code, error?.message]).toEqual([
    503,
    'unavailable',
    `${said} You have not been charged. Please try again in a moment.`,
  ]);
  expect(await app.stripeSimulator.ledger()).toHaveLength(chargedBefore);
  // Reads still work.
  expect((await fetch(`${app.url}/api/slots`)).status).toBe(200);

  await run('drop trigger fail on health; drop trigger fail on bookings');
  await eventually(isHealthy);
  expect((await club.book(customer, slotId)).body).toMatchObject({ outcome: 'booked' });
  expect(await club.netCharges(slotId)).toEqual([5000]);
});

test('reports a read-only database and still serves reads', async () => {
  const setReadOnly = async (isReadOnly: boolean) => {
    await sql.raw(`alter database app set default_transaction_read_only = ${isReadOnly}`).execute(app.db);
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and usename = current_user`.execute(
      app.db,
    );
  };
  await setReadOnly(true);
  await eventually(async () => (await readHealth()).body.reason === 'database is read-only');
  expect((await fetch(`${app.url}/api/slots`)).status).toBe(200);
  await sql`set default_transaction_read_only = off`.execute(app.db);
  await setReadOnly(false);
  await eventually(isHealthy);
});
