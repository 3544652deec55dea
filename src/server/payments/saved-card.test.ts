import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import type { Endpoint } from '#domain/endpoint.ts';
import { paymentsApi } from '#domain/payments/contract.ts';
import { wallTimeOf } from '#domain/time.ts';
import { createApp } from '#server/app.ts';
import { listen } from '#server/platform/http/listen.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { createLog } from '#server/platform/log.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { answerBank, confirmCardSetup } from '#server/test-support/stripe-simulator.test-support.ts';
import { eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';

const app = setUpTestApp();

const readCard = async (customer: Someone) =>
  (await app.call(customer, paymentsApi.getPaymentMethod, {})).body.card;

async function startSetup(customer: Someone): Promise<string> {
  const { body, status } = await app.call(customer, paymentsApi.startCardSetup, {});
  expect(status).toBe(200);
  return body.clientSecret;
}

test('returns the publishable key only to signed-in people [PAY-2]', async () => {
  const answer = await app.call(await app.signIn('customer'), paymentsApi.getStripeConfig, {});
  expect(answer.body).toEqual({
    publishable_key: 'pk_test_sandbox',
    publishableKey: 'pk_test_sandbox',
    isSandbox: true,
  });
  expect((await app.call(null, paymentsApi.getStripeConfig, {})).status).toBe(401);
});

test('returns the configured publishable key, or null if there is none [PAY-2]', async () => {
  const customer = await app.signIn('customer');
  const { db, cards } = app;
  for (const publishableKey of ['pk_test_another', undefined]) {
    const config = { ...app.config, stripe: { ...app.config.stripe, publishableKey } };
    const other = createApp({ config, db, readDb: db, cards, log: createLog('silent') });
    const served = await listen(other.fetch, { port: 0, host: '127.0.0.1' });
    const answer = await fetch(`http://127.0.0.1:${served.port}${paymentsApi.getStripeConfig.path}`, {
      headers: { authorization: `Bearer ${customer.token}` },
    });
    const body = await answer.json();
    await served.close();
    expect([answer.status, body]).toMatchObject([200, { publishable_key: publishableKey ?? null }]);
  }
});

test('saves a card after 3-D Secure, with brand, last four digits and expiry date [PAY-3] [PAY-4]', async () => {
  const customer = await app.signIn('customer');
  expect(await readCard(customer)).toBeNull();
  const clientSecret = await startSetup(customer);
  expect((await confirmCardSetup(app, clientSecret, testCards.asksAlways)).status).toBe('requires_action');
  await answerBank(app, clientSecret, 'succeeded');
  const intent = await app.cards.setupIntents.retrieve(clientSecret.split('_secret')[0]!);
  expect(intent.usage).toBe('off_session');
  const saved = await app.call(customer, paymentsApi.setupPaymentMethod, {
    paymentMethodId: intent.payment_method as string,
  });
  const card = { brand: 'visa', lastFour: '3184', expMonth: 8, expYear: new Date().getFullYear() + 2 };
  expect(saved.body).toEqual({ card });
  expect(await readCard(customer)).toEqual(card);
});

test('saves the card even if the browser loses its connection [PAY-4]', async () => {
  const customer = await app.signIn('customer');
  expect((await confirmCardSetup(app, await startSetup(customer), testCards.mastercard)).status).toBe(
    'succeeded',
  );
  await eventually(async () => (await readCard(customer))?.lastFour === '4444');
});

test('creates one customer in Stripe for six simultaneous requests', async () => {
  const customer = await app.signIn('customer');
  const secrets = await Promise.all(Array.from({ length: 6 }, () => startSetup(customer)));
  const intents = await Promise.all(
    secrets.map((secret) => app.cards.setupIntents.retrieve(secret.split('_secret')[0]!)),
  );
  expect(new Set(intents.map((intent) => intent.customer)).size).toBe(1);
});

test("refuses other people's, unknown and malformed cards [ROLE-2]", async () => {
  const owner = await app.signIn('customer');
  const { payment_method: paymentMethodId } = await confirmCardSetup(
    app,
    await startSetup(owner),
    testCards.good,
  );
  const thief = await app.signIn('customer');
  const save = (id: string) => app.call(thief, paymentsApi.setupPaymentMethod, { paymentMethodId: id });
  const sentence = "We couldn't save this card. Please enter it again, or try another card.";
  for (const id of [paymentMethodId, 'pm_1234567890']) {
    const answer = await save(id);
    expect([answer.status, answer.error!.message]).toEqual([422, sentence]);
  }
  const nonsense = await save('../customers');
  expect(nonsense.error!.fields).toHaveProperty('paymentMethodId');
  expect(await readCard(thief)).toBeNull();
});

test("accepts the specification's field names [PAY-3]", async () => {
  const customer = await app.signIn('customer');
  const { payment_method: id } = await confirmCardSetup(app, await startSetup(customer), testCards.good);
  const send = <E extends Endpoint>(endpoint: E, input: object) =>
    app.call(customer, endpoint, input as never);
  const saved = await send(paymentsApi.setupPaymentMethod, { payment_method_id: id });
  expect([saved.status, saved.body]).toMatchObject([200, { card: { brand: 'visa', lastFour: '4242' } }]);
  const kept = await app.db
    .selectFrom('profiles')
    .select(['stripePaymentMethodId', 'paymentMethodBrand', 'paymentMethodLastFour'])
    .where('userId', '=', customer.userId)
    .executeTakeFirst();
  expect(kept).toEqual({
    stripePaymentMethodId: id,
    ...{ paymentMethodBrand: 'visa', paymentMethodLastFour: '4242' },
  });

  const slotId = await (await openClub(app)).publish();
  const wrong = await send(bookingsApi.book, { slot_id: slotId, base_amount_cents: 4900 });
  expect([wrong.status, wrong.error!.details]).toEqual([409, { priceCents: 5000 }]);
  const bookings = app.db.selectFrom('bookings').select('bookingId').where('slotId', '=', slotId);
  expect(await bookings.execute()).toEqual([]);
  const charged = await send(bookingsApi.book, { slot_id: slotId, base_amount_cents: 5000 });
  expect([charged.status, charged.body.outcome]).toEqual([200, 'booked']);
  // The error uses the field names that the caller used.
  const refused = await send(bookingsApi.book, { slot_id: 'nonsense', baseAmountCents: -1 });
  expect(Object.keys(refused.error!.fields!).sort()).toEqual(['baseAmountCents', 'slot_id']);
});

test('reports a Stripe outage, and starts card setups again afterwards', async () => {
  const customer = await app.signIn('customer');
  await app.stripeSimulator.control({ errorRate: 1 });
  const answer = await app.call(customer, paymentsApi.startCardSetup, {});
  expect([answer.status, answer.error!.message]).toEqual([
    503,
    "We can't reach Stripe right now. Nothing was charged. Please try again in a moment.",
  ]);
  await app.stripeSimulator.control({ errorRate: 0 });
  await startSetup(customer);
});

test('limits how often the card form can be opened', async () => {
  const customer = await app.signIn('customer');
  const statuses: number[] = [];
  for (let count = 0; count < 21; count++) {
    statuses.push((await app.call(customer, paymentsApi.startCardSetup, {})).status);
  }
  expect(statuses.slice(0, 20).every((status) => status === 200)).toBe(true);
  expect(statuses[20]).toBe(429);
});

test('shows when a card expires, and emails its owner one warning', async () => {
  const today = wallTimeOf(Date.now()).date;
  const [year, month] = today.split('-').map(Number);
  const people = [await app.signIn('customer'), await app.signIn('customer'), await app.signIn('customer')];
  const save = async (customer: Someone, expYear: number) => {
    const card = { number: testCards.good, exp_month: month!, exp_year: expYear, cvc: '123' };
    const { id } = await app.cards.paymentMethods.create({ type: 'card', card });
    await app.call(customer, paymentsApi.setupPaymentMethod, { paymentMethodId: id });
    return id;
  };
  const [ending, lasting, former] = people as [Someone, Someone, Someone];
  await save(ending, year!);
  await save(lasting, year! + 3);
  await save(former, year!);
  await app.db.updateTable('profiles').set({ roles: [] }).where('userId', '=', former.userId).execute();
  expect(await readCard(ending)).toMatchObject({ lastFour: '4242', expMonth: month, expYear: year });
  // Simulates a card that was saved before expiry dates were stored.
  const deletion = app.db
    .updateTable('profiles')
    .set({ paymentMethodExpMonth: null, paymentMethodExpYear: null });
  await deletion.where('userId', '=', ending.userId).execute();
  const run = async () => {
    await enqueue(app.db, 'payments.cards-expiring', {});
    await eventually(async () => {
      const { rows } = await sql`
        select from graphile_worker.jobs where task_identifier in ('payments.cards-expiring', 'notifications.deliver')`.execute(
        app.db,
      );
      return rows.length === 0;
    });
  };
  await run();
  await run();
  const warnings = async (who: Someone) =>
    (await app.emailsTo(who.email)).filter(({ subject }) =>
      subject.startsWith('Your Visa ending 4242 expires'),
    );
  expect(await warnings(ending)).toHaveLength(1);
  expect((await warnings(ending))[0]!.text).toContain(`${app.url}/customer/payment-methods`);
  expect(await warnings(lasting)).toEqual([]);
  // Someone without the customer role cannot replace the card, so they get no warning.
  expect(await warnings(former)).toEqual([]);
  // A new card gets its own warning.
  await save(ending, year!);
  await run();
  expect(await warnings(ending)).toHaveLength(2);
});
