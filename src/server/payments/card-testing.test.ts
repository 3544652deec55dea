import { beforeEach, expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { paymentsApi } from '#domain/payments/contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { confirmCardSetup } from '#server/test-support/stripe-simulator.test-support.ts';
import { eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { cardOfNumber, testCards } from '#server/test-support/test-cards.test-support.ts';
import { pauseOfAddress } from './card-limits.ts';

// Requests state their IP address through a trusted proxy, because loopback addresses are not counted.
const app = setUpTestApp({ env: { TRUST_PROXY: '1' } });
beforeEach(async () => {
  await app.db.deleteFrom('rateLimits').execute();
});

const from = (ipAddress: string) => ({ headers: { 'x-forwarded-for': ipAddress } });
const startSetup = (who: Someone, ipAddress: string) =>
  app.call(who, paymentsApi.startCardSetup, {}, from(ipAddress));

/**
 * Confirms a SetupIntent as a browser does, and returns the error code. A thief repeats this call to test card numbers.
 */
const tryNumber = async (clientSecret: string, number: string) =>
  (await confirmCardSetup(app, clientSecret, number)).error?.code;

async function refuseFive(clientSecret: string): Promise<void> {
  for (let count = 0; count < 5; count++)
    expect(await tryNumber(clientSecret, testCards.declinedOnSaving)).toBe('card_declined');
  const intentId = clientSecret.split('_secret')[0]!;
  await eventually(async () => (await app.cards.setupIntents.retrieve(intentId)).status === 'canceled');
}

test('cancels a SetupIntent after five declined cards, and rejects a sixth card', async () => {
  const person = await app.signIn('customer');
  const { body } = await startSetup(person, '203.0.113.1');
  const clientSecret = body.clientSecret;
  const intent = await app.cards.setupIntents.retrieve(clientSecret.split('_secret')[0]!);
  expect(intent.metadata).toEqual({ user_id: person.userId, ip_address: '203.0.113.1' });
  await refuseFive(clientSecret);
  expect(await tryNumber(clientSecret, testCards.good)).toBe('setup_intent_unexpected_state');
  // A new SetupIntent works, so someone who has mistyped is not locked out.
  const again = await startSetup(person, '203.0.113.1');
  expect(await tryNumber(again.body.clientSecret, testCards.good)).toBeUndefined();
});

test('pauses an account after ten declined cards, and an IP address after thirty', async () => {
  const network = '203.0.113.2';
  const failuresOf = async () => {
    const count = app.db
      .selectFrom('rateLimits')
      .select('calls')
      .where('key', '=', pauseOfAddress(network)!.key);
    return (await count.executeTakeFirst())?.calls ?? 0;
  };
  const people = await Promise.all([1, 2, 3].map(() => app.signIn('customer')));
  for (const [index, person] of people.entries()) {
    for (const round of [1, 2]) {
      const { body } = await startSetup(person, network);
      await refuseFive(body.clientSecret);
      await eventually(async () => (await failuresOf()) === index * 10 + round * 5);
    }
    // The account is paused at other IP addresses as well.
    const paused = await startSetup(person, '203.0.113.99');
    expect(paused.status).toBe(429);
    expect(paused.error!.message).toMatch(
      /^Several of your cards were declined\. Check the card details with your bank\. Please try again in (60|59) minutes\.$/,
    );
  }
  const neighbour = await app.signIn('customer');
  const refused = await startSetup(neighbour, network);
  expect(refused.status).toBe(429);
  expect(refused.error!.message).toContain('Try another internet connection.');
  expect((await startSetup(neighbour, '203.0.113.3')).status).toBe(200);

  const club = await openClub(app);
  const slotId = await club.publish();
  await club.saveCard(neighbour, testCards.good);
  const book = (ipAddress: string, id = slotId, price = 5000) =>
    app.call(neighbour, bookingsApi.book, { slotId: id, baseAmountCents: price }, from(ipAddress));
  const notBooked = await book(network);
  expect([notBooked.status, notBooked.error!.message]).toEqual([
    429,
    expect.stringContaining('Many cards from your network were declined. You have not been charged.'),
  ]);
  // A free lesson uses no card.
  expect((await book(network, await club.publish({ priceCents: 0 }), 0)).status).toBe(200);
  expect((await book('203.0.113.3')).status).toBe(200);
});

test('counts declined payments per IP address, and sends the address to Stripe', async () => {
  const network = '203.0.113.4';
  const club = await openClub(app);
  const slotId = await club.publish();
  const book = (who: Someone) =>
    app.call(who, bookingsApi.book, { slotId, baseAmountCents: 5000 }, from(network));
  const people = await Promise.all(Array.from({ length: 4 }, () => club.join(testCards.declinedOnPaying)));
  for (const person of people.slice(0, 3)) {
    for (let count = 0; count < 10; count++) expect((await book(person)).status).toBe(402);
  }
  expect((await book(people[3]!)).status).toBe(429);
  const [booking] = await club.readBookings(slotId);
  const intent = await app.cards.paymentIntents.retrieve(booking!.stripePaymentIntentId!);
  expect(intent.metadata.ip_address).toBe(network);
});

test('counts cards that are declined when they are attached', async () => {
  const person = await app.signIn('customer');
  for (let count = 0; count < 10; count++) {
    const card = cardOfNumber(testCards.declinedOnSaving);
    const { id } = await app.cards.paymentMethods.create({ type: 'card', card });
    const input = { paymentMethodId: id };
    const answer = await app.call(person, paymentsApi.setupPaymentMethod, input, from('203.0.113.5'));
    expect(answer.status).toBe(422);
  }
  expect((await startSetup(person, '203.0.113.5')).status).toBe(429);
});
