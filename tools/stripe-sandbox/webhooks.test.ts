import http from 'node:http';
import type { AddressInfo } from 'node:net';
import Stripe from 'stripe';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStripeSimulator, payment, refusalOf, until } from './stripe-simulator.test-support.ts';

const secret = 'whsec_sandbox';
const setups = { webhookSecret: secret, webhookEvents: ['setup_intent.succeeded'] };
const counted = {
  webhookSecret: secret,
  webhookEvents: ['setup_intent.succeeded', 'charge.succeeded', 'payment_intent.succeeded'],
};

/** An endpoint like the app's: verifies every delivery with the SDK, then responds as configured. */
async function openEndpoint(answerWith: () => number = () => 200) {
  const events: Stripe.Event[] = [];
  const stripe = new Stripe('sk_test_sandbox');
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const status = answerWith();
      const event = stripe.webhooks.constructEvent(body, request.headers['stripe-signature']!, secret);
      if (status < 300) events.push(event);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks/stripe`,
    events,
    types: () => events.map(({ type }) => type),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('the webhook sender', () => {
  test('delivers every event with a signature the SDK accepts', async () => {
    const endpoint = await openEndpoint();
    onTestFinished(endpoint.close);
    const opened = await openStripeSimulator({ webhookUrl: endpoint.url, webhookSecret: secret });
    onTestFinished(opened.close);
    const { customer, method } = await opened.saveCard('pm_card_visa');
    const paid = await opened.stripe.paymentIntents.create(payment(customer, method), {
      idempotencyKey: 'pay-1',
    });
    await opened.stripe.refunds.create({ payment_intent: paid.id });
    const declined = await opened.saveCard('pm_card_chargeCustomerFail');
    await refusalOf(opened.stripe.paymentIntents.create(payment(declined.customer, declined.method)));
    await until(() => endpoint.events.length === 16);
    expect(endpoint.types().sort()).toEqual([
      'charge.failed',
      'charge.refunded',
      'charge.succeeded',
      'customer.created',
      'customer.created',
      'payment_intent.created',
      'payment_intent.created',
      'payment_intent.payment_failed',
      'payment_intent.succeeded',
      'payment_method.attached',
      'payment_method.attached',
      'refund.created',
      'setup_intent.created',
      'setup_intent.created',
      'setup_intent.succeeded',
      'setup_intent.succeeded',
    ]);
    const event = endpoint.events.find(({ type }) => type === 'payment_intent.succeeded')!;
    expect(event).toMatchObject({ api_version: Stripe.API_VERSION, request: { idempotency_key: 'pay-1' } });
    expect(event.data.object).toMatchObject({ id: paid.id, status: 'succeeded' });
    const { pending_webhooks: _, ...sent } = event;
    expect(await opened.stripe.events.retrieve(event.id)).toMatchObject(sent);
  });

  test('signs events so that the SDK refuses other secrets and old timestamps', async () => {
    const endpoint = await openEndpoint();
    onTestFinished(endpoint.close);
    const opened = await openStripeSimulator({ ...setups, webhookUrl: endpoint.url });
    onTestFinished(opened.close);
    await opened.saveCard('pm_card_visa');
    await until(() => endpoint.events.length === 1);
    const { signWebhook } = await import('./webhooks.ts');
    const body = JSON.stringify(endpoint.events[0]);
    const now = Math.floor(Date.now() / 1000);
    const construct = (signature: string) => opened.stripe.webhooks.constructEvent(body, signature, secret);
    expect(construct(signWebhook(body, secret, now)).type).toBe('setup_intent.succeeded');
    expect(() => construct(signWebhook(body, 'whsec_other', now))).toThrow('No signatures found');
    expect(() => construct(signWebhook(body, secret, now - 3600))).toThrow('tolerance');
  });

  test('retries an event until the endpoint accepts it', async () => {
    let refusals = 2;
    const endpoint = await openEndpoint(() => (refusals-- > 0 ? 500 : 200));
    onTestFinished(endpoint.close);
    const opened = await openStripeSimulator({ ...setups, webhookUrl: endpoint.url });
    onTestFinished(opened.close);
    await opened.saveCard('pm_card_visa');
    await until(() => endpoint.events.length === 1);
    await until(async () => (await describeSimulator(opened.simulator.url)).undeliveredWebhooks === 0);
  });

  test('delivers undelivered events to the new URL after kill -9', async () => {
    const opened = await openStripeSimulator({ ...counted, webhookUrl: 'http://127.0.0.1:1/' });
    onTestFinished(opened.close);
    const { customer, method } = await opened.saveCard('pm_card_visa');
    await opened.stripe.paymentIntents.create(payment(customer, method));
    await opened.killAndRestart();
    const endpoint = await openEndpoint();
    onTestFinished(endpoint.close);
    await opened.simulator.control({ webhookUrl: endpoint.url });
    await until(() => endpoint.events.length === 3);
    await until(async () => (await describeSimulator(opened.simulator.url)).undeliveredWebhooks === 0);
    await opened.killAndRestart();
    await opened.simulator.control({ webhookUrl: endpoint.url });
    await opened.saveCard('pm_card_visa');
    await until(() => endpoint.events.length === 4);
  });

  test('delivers events twice, out of order, late or never, as the switches say', async () => {
    const endpoint = await openEndpoint();
    onTestFinished(endpoint.close);
    const opened = await openStripeSimulator({ ...setups, webhookUrl: endpoint.url });
    onTestFinished(opened.close);
    await opened.simulator.control({ webhookDuplicates: 1 });
    await opened.saveCard('pm_card_visa');
    await until(() => endpoint.events.length === 2);
    expect(endpoint.events[0]!.id).toBe(endpoint.events[1]!.id);

    await opened.simulator.control({ webhookDuplicates: 0, webhookDropRate: 1 });
    await opened.saveCard('pm_card_visa');
    await until(async () => (await describeSimulator(opened.simulator.url)).undeliveredWebhooks === 0);
    expect(endpoint.events).toHaveLength(2);

    await opened.simulator.control({ webhookDropRate: 0, webhooksOff: true });
    for (let i = 0; i < 3; i++) await opened.saveCard('pm_card_visa');
    expect(await describeSimulator(opened.simulator.url)).toMatchObject({ undeliveredWebhooks: 3 });
    await opened.simulator.control({ webhooksOff: false });
    await until(() => endpoint.events.length === 5);

    await opened.simulator.control({ webhookShuffle: true, seed: 3 });
    // All at the same time, so that even on a slow machine the shuffle's delays exceed the time between events.
    await Promise.all(Array.from({ length: 12 }, () => opened.saveCard('pm_card_visa')));
    const idOf = ({ data }: Stripe.Event) => (data.object as Stripe.SetupIntent).id;
    const { data } = await opened.stripe.events.list({ type: 'setup_intent.succeeded', limit: 12 });
    const made = data.map(idOf).reverse();
    await until(() => endpoint.events.length === 17);
    const arrived = endpoint.events.slice(5).map(idOf);
    expect(arrived).not.toEqual(made);
    expect([...arrived].sort()).toEqual([...made].sort());
  });
});

async function describeSimulator(url: string) {
  return (await (await fetch(`${url}/control`)).json()) as { undeliveredWebhooks: number };
}
