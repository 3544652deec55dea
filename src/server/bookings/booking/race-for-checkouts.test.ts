import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { checkoutApi } from '#domain/bookings/checkout-contract.ts';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { callEndpoint, type Someone } from '#server/test-support/contract-client.test-support.ts';
import { openFamily } from '#server/test-support/family.test-support.ts';
import { startKillableProduct } from '#server/test-support/killed-process.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const families = 100;
const capacity = 20;

type Parent = Someone & { children: string[] };
let parents: Parent[];
const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const family = openFamily(app);
beforeAll(async () => {
  const people: Someone[] = [];
  while (people.length < families) {
    people.push(...(await Promise.all(Array.from({ length: 10 }, () => club.join()))));
  }
  // One child gets care details through the API; the other children get a copy of them.
  const model = await family.addReadyChild(people[0]!);
  const { rows } = await sql<{ userId: string; children: string[] }>`
    with made as (
      select gen_random_uuid() as participant_id, user_id
      from unnest(${people.map(({ userId }) => userId)}::uuid[]) user_id, generate_series(1, 3)
    ), child as (
      insert into participants (participant_id, kind, full_name, date_of_birth)
      select participant_id, 'dependant', 'Child', '2017-05-28' from made
    ), guardian as (
      insert into guardians (participant_id, user_id, relation) select participant_id, user_id, 'parent' from made
    ), care as (
      insert into participant_care (participant_id, care_encrypted)
      select made.participant_id, care_encrypted
      from made, participant_care where participant_care.participant_id = ${model}::uuid
    )
    select user_id, array_agg(participant_id) as children from made group by user_id`.execute(app.db);
  const childrenOf = new Map(rows.map(({ userId, children }) => [userId, children]));
  parents = people.map((person) => ({ ...person, children: childrenOf.get(person.userId)! }));
}, 240_000);

const bad = {
  latencyMs: 40,
  jitterMs: 100,
  errorRate: 0.1,
  errorAfterChargeRate: 0.1,
  dropAfterChargeRate: 0.1,
  rateLimitRate: 0.05,
  webhookDuplicates: 1,
  webhookShuffle: true,
  webhookDropRate: 0.2,
};
const good = Object.fromEntries(
  Object.entries(bad).map(([name, value]) => [name, typeof value === 'number' ? 0 : false]),
);

const seatsFor = (slotId: string, children: string[]) =>
  children.map((participantId) => ({ slotId, participantId, baseAmountCents: 5000 }));

/** Checks out as the browser does: asks for settlement again until the Stripe simulator has responded. */
async function checkOutUntilDecided(parent: Parent, slotId: string, children = parent.children) {
  let answer = await app.call(parent, checkoutApi.book, { seats: seatsFor(slotId, children) });
  const deadline = Date.now() + 60_000;
  while (answer.status === 200 && answer.body.outcome === 'processing' && Date.now() < deadline) {
    await delay(120);
    answer = await app.call(parent, bookingsApi.settle, { bookingId: answer.body.bookingId });
  }
  return answer;
}

/** The number of children booked with each payment for a lesson. */
async function countByPayment(slotId: string): Promise<number[]> {
  const bookings = (await club.readBookings(slotId)).filter(({ status }) => status === 'booked');
  const payments = new Set(bookings.map(({ paymentId }) => paymentId));
  return [...payments].map((id) => bookings.filter(({ paymentId }) => paymentId === id).length);
}

test('gives each of 100 competing families either all three seats or none [PART-10a]', async () => {
  const slotId = await club.publish({ seats: capacity });
  await app.stripeSimulator.control(bad);
  const answers = await Promise.all(parents.map((parent) => checkOutUntilDecided(parent, slotId)));
  await app.stripeSimulator.control(good);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(answers.filter(({ status, body }) => status === 200 && body.outcome === 'booked')).toHaveLength(6);
  expect(refused).toHaveLength(families - 6);
  expect(new Set(refused.map(({ error }) => error!.code))).toEqual(new Set(['slot_full']));
  expect(await countByPayment(slotId)).toEqual([3, 3, 3, 3, 3, 3]);
  // Two seats are left: too few for three children but enough for two.
  const loser = parents[answers.findIndex(({ status }) => status !== 200)]!;
  const two = await checkOutUntilDecided(loser, slotId, loser.children.slice(0, 2));
  expect(two.body.outcome).toBe('booked');
  expect((await club.readSlot(slotId)).bookedCount).toBe(capacity);
  expect((await club.netCharges(slotId)).sort()).toEqual([10_000, ...Array(6).fill(15_000)]);
  await club.expectLedgerInOrder();
}, 120_000);

test("books all or none of a checkout's seats when the server is killed under load [PART-10a]", async () => {
  const slotId = await club.publish({ seats: capacity });
  await app.stripeSimulator.control({ ...bad, webhooksOff: true });
  const product = await startKillableProduct(app, app.stripeSimulator.url);
  const race = parents.map((parent) =>
    callEndpoint(product.url, parent, checkoutApi.book, { seats: seatsFor(slotId, parent.children) }).catch(
      () => 'lost',
    ),
  );
  await eventually(async () => (await club.netCharges(slotId)).length >= 2, 60_000);
  await product.kill();
  expect(await Promise.all(race)).toContain('lost');
  const again = await startKillableProduct(app, app.stripeSimulator.url);
  // By now, Stripe has made every charge that the killed process requested, so payments unknown to Stripe can be
  // released.
  await sql`update payments set created_at = now() - interval '1 minute', check_at = now()
    where status in ('processing', 'requires_action')`.execute(app.db);
  await eventually(
    async () => (await club.readBookings(slotId)).every(({ status }) => status !== 'pending'),
    60_000,
  );
  await app.stripeSimulator.control({ ...good, webhooksOff: false });
  await again.kill();
  const counts = await countByPayment(slotId);
  expect(counts.every((count) => count === 3)).toBe(true);
  expect((await club.readSlot(slotId)).bookedCount).toBe(3 * counts.length);
  expect(await club.netCharges(slotId)).toEqual(counts.map(() => 15_000));
  await club.expectLedgerInOrder();
}, 180_000);
