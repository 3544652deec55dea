import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type pg from 'pg';
import { createAccessTokens } from '#server/auth/sessions/access-token.ts';
import { openPool } from '#server/platform/db/db.ts';
import { recordStatements, type Statement } from '#server/test-support/record-statements.test-support.ts';
import { type BenchProduct, openBenchDatabase, openBenchServer, serveBenchProduct } from './bench-product.ts';
import { type LoadRequest, type LoadResult, median, runLoad, stopLoad } from './load.ts';

export const priceCents = 4_500;

export type Customer = { userId: string; token: string };
export type Slot = { slotId: string; startTime: string; endTime: string };

/** Creates signed-in customers with a card that the simulator knows. */
export async function createCustomers(
  db: pg.Pool,
  product: Pick<BenchProduct, 'config'>,
  count: number,
): Promise<Customer[]> {
  const { rows } = await db.query<{ user_id: string; session_id: string }>(
    `with made as (
       insert into users (email, password_hash, email_confirmed_at)
       select gen_random_uuid() || '@bench.example', 'none', now() from generate_series(1, $1) returning user_id, email
     ), profile as (
       insert into profiles (user_id, email, full_name, stripe_customer_id, stripe_payment_method_id,
         payment_method_brand, payment_method_last_four)
       select user_id, email, 'Bench', null, null, null, null from made returning user_id
     ) insert into sessions (user_id) select user_id from profile returning user_id, session_id`,
    [count],
  );
  const { cards } = await openCards(product);
  const tokens = createAccessTokens(product.config);
  const customers: Customer[] = [];
  for (let start = 0; start < rows.length; start += 20) {
    await Promise.all(
      rows.slice(start, start + 20).map(async ({ user_id: userId, session_id: sessionId }) => {
        const customer = await cards.customers.create({});
        const method = await cards.paymentMethods.attach('pm_card_visa', { customer: customer.id });
        await db.query(
          `update profiles set stripe_customer_id = $2, stripe_payment_method_id = $3,
             payment_method_brand = 'visa', payment_method_last_four = '4242' where user_id = $1`,
          [userId, customer.id, method.id],
        );
        const signedInAt = new Date().toISOString();
        const { token } = await tokens.sign({ userId, email: 'x@bench.example', sessionId, signedInAt });
        customers.push({ userId, token });
      }),
    );
  }
  return customers;
}

async function openCards(product: Pick<BenchProduct, 'config'>) {
  const { createStripeClient } = await import('#server/payments/stripe-client.ts');
  return { cards: createStripeClient(product.config.stripe) };
}

/** Creates slots an hour apart, a hundred per coach, no two at the same time, so that no customer's lessons overlap. */
export async function createSlots(db: pg.Pool, count: number, seats: number): Promise<Slot[]> {
  const coaches = Math.ceil(count / 100);
  const { rows: made } = await db.query<{ user_id: string }>(
    `with made as (
       insert into users (email, password_hash) select gen_random_uuid() || '@coach.example', 'none'
       from generate_series(1, $1) returning user_id, email
     ), profile as (
       insert into profiles (user_id, email, full_name, roles) select user_id, email, 'Coach', '{coach}' from made
       returning user_id
     ) insert into coaches (coach_id) select user_id from profile returning coach_id as user_id`,
    [coaches],
  );
  const { rows } = await db.query<Slot>(
    `with template as (
       insert into lesson_templates (coach_id, title, duration_minutes, base_price_cents, lesson_type,
         min_capacity, max_capacity)
       select coach_id, 'Bench', 60, $2::int, 'group', 2, 20 from unnest($1::uuid[]) coach_id
       returning template_id, coach_id
     ), numbered as (
       select template_id, coach_id, 100 * row_number() over () as first_hour from template
     ) insert into lesson_slots (template_id, coach_id, start_time, end_time, lesson_type, min_capacity, max_capacity,
         price_cents)
     select template_id, coach_id, now() + (first_hour + n) * interval '1 hour',
       now() + (first_hour + n + 1) * interval '1 hour', 'group', 2, $3::int, $2
     from numbered, generate_series(1, 100) n
     returning slot_id as "slotId", start_time as "startTime", end_time as "endTime"`,
    [made.map((row) => row.user_id), priceCents, seats],
  );
  return rows.slice(0, count);
}

/** The request with which a customer books a slot. */
export const requestOf = (customer: Customer, { slotId }: Slot): LoadRequest => ({
  method: 'POST',
  path: '/api/functions/charge-payment-method',
  headers: { authorization: `Bearer ${customer.token}`, 'content-type': 'application/json' },
  body: JSON.stringify({ slotId, baseAmountCents: priceCents }),
});

/**
 * Starts a bare node:http server that runs recorded statements as named `pg` queries, with the slot and the customer
 * from the request's body. This server's time is the minimum cost of a booking over HTTP on this database.
 */
async function serveBare(pool: pg.Pool): Promise<{ port: number; run: Recorded; close: () => void }> {
  const run: Recorded = { statements: [], slot: { slotId: '', startTime: '', endTime: '' }, userId: '' };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += chunk;
    });
    request.on('end', async () => {
      const { slot, userId } = JSON.parse(text);
      const known = new Map<unknown, string>([
        [run.slot.slotId, slot.slotId],
        [run.slot.startTime, slot.startTime],
        [run.slot.endTime, slot.endTime],
        [run.userId, userId],
      ]);
      for (const statement of run.statements) await pool.query(withFacts(statement, known));
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"outcome":"booked"}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, run, close: () => server.close() };
}

type Recorded = { statements: Statement[]; slot: Slot; userId: string };

const bareRequestOf = (customer: Customer, slot: Slot): LoadRequest => ({
  method: 'POST',
  path: '/',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ slot, userId: customer.userId }),
});

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Replaces ids and times in a recorded statement with those in `known`, and any other id with a new id. */
function withFacts(statement: Statement, known: Map<unknown, string>): Statement {
  const idFor = (id: string): string => {
    if (!known.has(id)) known.set(id, randomUUID());
    return known.get(id)!;
  };
  const replace = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replace);
    if (typeof value !== 'string') return value;
    if (known.has(value)) return known.get(value);
    return value.startsWith('pi_') ? `pi_${randomUUID()}` : value.replaceAll(uuids, idFor);
  };
  return { ...statement, values: statement.values.map(replace) };
}

const isHold = ({ text }: Statement) => text.includes('booked_count + 1') || text.includes('is_open');
const isSettle = ({ text }: Statement) => text.includes("status = 'booked'");

/** Throws unless every slot is booked: a baseline that books nothing would be fast but meaningless. */
async function assertBookings(db: pg.Pool, slots: Slot[]): Promise<void> {
  const { rows } = await db.query<{ count: number }>(
    "select count(*)::int from bookings where slot_id = any($1) and status = 'booked'",
    [slots.map(({ slotId }) => slotId)],
  );
  if (rows[0]!.count !== slots.length) {
    throw new Error(`${rows[0]!.count} of ${slots.length} lessons were booked.`);
  }
}

/**
 * Waits until all emails about earlier bookings have been composed, because the emails state the lessons' times, then
 * frees those times.
 */
export async function freeHours(db: pg.Pool): Promise<void> {
  const countEmails = async () => {
    const { rows } = await db.query<{ count: number }>(
      "select count(*)::int from graphile_worker.jobs where task_identifier = 'bookings.booked'",
    );
    return rows[0]!.count;
  };
  while ((await countEmails()) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  await db.query("update bookings set during = 'empty' where not isempty(during)");
}

/**
 * Measures booking over HTTP, with the Stripe simulator at zero latency, against the same hold and settle statements as
 * named `pg` queries behind bare node:http. Both run in this process, alternating, on many slots and on a full slot.
 * Also measures how long the server takes to respond to 1,000 customers who try to book the same twenty seats.
 */
export async function benchBooking({
  bookings,
  rounds,
}: {
  bookings: number;
  rounds: number;
}): Promise<void> {
  const server = await openBenchServer();
  const { url } = await openBenchDatabase(server.url, 'app_bench_booking', { isFresh: true });
  const db = openPool(url, { size: 4 });
  const bare = openPool(url, { size: 12 });
  const product = await serveBenchProduct(url);
  const baseline = await serveBare(bare);
  const customers = await createCustomers(db, product, 1_000);
  const fresh = (count: number, seats: number) => createSlots(db, count, seats);

  const [sampleSlot] = await fresh(1, 20);
  const sample = customers[0]!;
  const recorded = await recordStatements(() => postOnce(product.port, requestOf(sample, sampleSlot!)));
  const hold = recorded.filter(isHold);
  const settle = recorded.filter(isSettle);
  console.log(
    `a booking runs ${recorded.length} named statements; the baseline runs ${hold.length + settle.length} of them`,
  );

  Object.assign(baseline.run, {
    statements: [...hold, ...settle],
    slot: sampleSlot,
    userId: sample.userId,
  });

  console.log('case | clients | product/s | p50 ms | p99 ms | bare/s | ratio');
  const report = (name: string, clients: number, pairs: [LoadResult, LoadResult][]) =>
    console.log(
      [
        name,
        clients,
        Math.round(median(pairs.map(([ours]) => ours.perSecond))),
        median(pairs.map(([ours]) => ours.p50)).toFixed(2),
        median(pairs.map(([ours]) => ours.p99)).toFixed(2),
        Math.round(median(pairs.map(([, theirs]) => theirs.perSecond))),
        median(pairs.map(([ours, theirs]) => ours.perSecond / theirs.perSecond)).toFixed(2),
      ].join(' | '),
    );

  for (const clients of [1, 8, 32]) {
    const pairs: [LoadResult, LoadResult][] = [];
    for (let round = 0; round < rounds; round++) {
      const slots = await fresh(bookings * 2, 20);
      const ours = slots.slice(0, bookings).map((slot, i) => requestOf(customers[i % 1_000]!, slot));
      const theirs = slots.slice(bookings).map((slot, i) => bareRequestOf(customers[i % 1_000]!, slot));
      await freeHours(db);
      const first = await runLoad({ port: product.port, requests: ours, clients });
      await freeHours(db);
      pairs.push([first, await runLoad({ port: baseline.port, requests: theirs, clients })]);
      if (first.statuses['200'] !== bookings) console.log('responses', first.statuses);
      await assertBookings(db, slots);
    }
    report('many slots', clients, pairs);
  }

  const [fullSlot] = await fresh(1, 20);
  await db.query('update lesson_slots set booked_count = max_capacity where slot_id = $1', [
    fullSlot!.slotId,
  ]);
  for (const clients of [1, 8, 32]) {
    const pairs: [LoadResult, LoadResult][] = [];
    const requests = customers.map((customer) => requestOf(customer, fullSlot!));
    const refusal = (await recordStatements(() => postOnce(product.port, requests[0]!))).filter(isHold);
    Object.assign(baseline.run, { statements: refusal, slot: fullSlot, userId: customers[0]!.userId });
    const bareRequests = customers.map((customer) => bareRequestOf(customer, fullSlot!));
    for (let round = 0; round < rounds; round++) {
      pairs.push([
        await runLoad({ port: product.port, requests, clients, durationMs: 2_000 }),
        await runLoad({ port: baseline.port, requests: bareRequests, clients, durationMs: 2_000 }),
      ]);
    }
    report('one full slot', clients, pairs);
  }

  const rushes: LoadResult[] = [];
  for (let round = 0; round < rounds; round++) {
    const [rushed] = await fresh(1, 20);
    await freeHours(db);
    const requests = customers.map((customer) => requestOf(customer, rushed!));
    rushes.push(await runLoad({ port: product.port, requests, clients: 64 }));
  }
  const seconds = median(rushes.map((rush) => rush.seconds));
  console.log(
    `1,000 customers from 64 connections on one slot of 20 seats: all responses after ${seconds.toFixed(2)} s`,
    rushes[0]!.statuses,
  );
  await stopLoad();
  baseline.close();
  await Promise.all([db.end(), bare.end()]);
  await product.stop();
  await server.stop();
}

/** Sends a request and waits for its response. */
export async function postOnce(port: number, { path, headers, body }: LoadRequest): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    headers: headers ?? {},
    body: body ?? null,
  });
  await answer.text();
}
