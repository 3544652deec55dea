import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { paymentsApi } from '#domain/payments/contract.ts';
import { packageRoot } from '#server/platform/package-root.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { changeInStripe } from '#server/test-support/stripe-simulator.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { cardOfNumber, testCards } from '#server/test-support/test-cards.test-support.ts';
import { webhookEventTypes } from './webhook-events.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));

const readProfile = ({ userId }: Someone) =>
  app.db.selectFrom('profiles').selectAll().where('userId', '=', userId).executeTakeFirstOrThrow();
const startSetup = (who: Someone) => app.call(who, paymentsApi.startCardSetup, {});
const newCard = () =>
  app.cards.paymentMethods.create({
    type: 'card',
    card: cardOfNumber(testCards.good),
  });

test("sends the customer's name and email address to Stripe, and later a changed name", async () => {
  const customer = await app.signIn('customer');
  await startSetup(customer);
  const { stripeCustomerId, fullName } = await readProfile(customer);
  expect(await app.cards.customers.retrieve(stripeCustomerId!)).toMatchObject({
    name: fullName,
    email: customer.email,
    metadata: { user_id: customer.userId },
  });
  await app.db
    .updateTable('profiles')
    .set({ fullName: 'Sam Newname' })
    .where('userId', '=', customer.userId)
    .execute();
  await startSetup(customer);
  expect(await app.cards.customers.retrieve(stripeCustomerId!)).toMatchObject({ name: 'Sam Newname' });
});

test('creates SetupIntents for cards only', async () => {
  const customer = await app.signIn('customer');
  const { body } = await startSetup(customer);
  const intent = await app.cards.setupIntents.retrieve(body.clientSecret.split('_secret')[0]!);
  expect(intent.allowed_payment_method_types).toEqual(['card']);
  expect(intent.automatic_payment_methods).toBeNull();
});

test('replaces a customer deleted in Stripe, and removes the saved card', async () => {
  const customer = await club.join();
  const { stripeCustomerId: before } = await readProfile(customer);
  await app.cards.customers.del(before!);
  // The charge is refused, as it is for a removed card, and not retried.
  const slotId = await club.publish();
  const refused = await club.book(customer, slotId);
  expect([refused.status, refused.error!.message]).toEqual([
    402,
    'Your saved card can no longer be used. You have not been charged. Save it again or save another card, then try once more.',
  ]);
  expect((await startSetup(customer)).status).toBe(200);
  const after = await readProfile(customer);
  expect(after.stripeCustomerId).not.toBe(before);
  expect(after.stripePaymentMethodId).toBeNull();
  // The record is deleted again. This time, the call that saves a card replaces it.
  await app.cards.customers.del(after.stripeCustomerId!);
  await club.saveCard(customer, testCards.good);
  expect((await club.book(customer, slotId)).body.outcome).toBe('booked');
});

test('refuses payment methods other than cards, and detaches them', async () => {
  const customer = await club.join();
  const { stripeCustomerId } = await readProfile(customer);
  const { id } = await newCard();
  await app.cards.paymentMethods.attach(id, { customer: stripeCustomerId! });
  await changeInStripe(app, `payment-methods/${id}`, { type: 'link' });
  const answer = await app.call(customer, paymentsApi.setupPaymentMethod, { paymentMethodId: id });
  expect([answer.status, answer.error!.message]).toEqual([
    422,
    "We couldn't save this card. Please enter it again, or try another card.",
  ]);
  await eventually(async () => (await app.cards.paymentMethods.retrieve(id)).customer === null);
  expect((await readProfile(customer)).stripePaymentMethodId).not.toBeNull();
});

test('describes a charge by its lesson, and labels it on the bank statement', async () => {
  const slotId = await club.publish();
  expect((await club.book(await club.join(), slotId)).body.outcome).toBe('booked');
  const [booking] = await club.readBookings(slotId);
  const intent = await app.cards.paymentIntents.retrieve(booking!.stripePaymentIntentId!);
  expect(intent.description).toMatch(/^Tennis basics, \w{3} \d+ \w{3} \d{4}, \d\d:\d\d–\d\d:\d\d$/);
  expect(intent.statement_descriptor_suffix).toBe('LESSON');
  expect(intent.allowed_payment_method_types).toEqual(['card']);
});

test('marks an event about an unknown SetupIntent as handled', async () => {
  const eventId = `evt_${Date.now()}`;
  const event = { eventType: 'setup_intent.setup_failed', objectId: 'seti_unknown' };
  await app.db
    .insertInto('webhookEvents')
    .values({ eventId, ...event, receivedAt: new Date(Date.now() - 120_000).toISOString() })
    .execute();
  await club.sweep();
  await eventually(() =>
    app.db
      .selectFrom('webhookEvents')
      .select('handledAt')
      .where('eventId', '=', eventId)
      .where('handledAt', 'is not', null)
      .executeTakeFirst(),
  );
});

test('lists every handled event type in the README', async () => {
  const readme = await readFile(join(packageRoot, 'README.md'), 'utf8');
  const named = [...readme.matchAll(/`((?:payment_intent|setup_intent|charge|refund)\.[\w.]+)`/g)];
  expect(named.map(([, type]) => type).sort()).toEqual([...webhookEventTypes].sort());
});
