import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isBrowserRequest } from './browser-paths.ts';
import { openStripeSimulator, payment, refusalOf } from './stripe-simulator.test-support.ts';

let opened: Awaited<ReturnType<typeof openStripeSimulator>>;
beforeAll(async () => {
  opened = await openStripeSimulator();
});
afterAll(() => opened.close());

interface Answer {
  id: string;
  status: string;
  next_action: unknown;
  card: { last4: string };
  error: { code: string };
}

/** Sends a request as a browser would: with the publishable key only. */
async function browse(method: 'GET' | 'POST', path: string, params: Record<string, string> = {}) {
  const search = new URLSearchParams(params).toString();
  const answer = await fetch(`${opened.simulator.url}/${path}${method === 'GET' ? `?${search}` : ''}`, {
    method,
    headers: { authorization: 'Bearer pk_test_sandbox', 'content-type': 'application/x-www-form-urlencoded' },
    ...(method === 'POST' && { body: search }),
  });
  return { status: answer.status, body: (await answer.json()) as Answer };
}

/** Opens an intent's 3-D Secure page and presses one of its buttons. */
async function answerChallenge(intent: { next_action: unknown }, outcome: 'succeeded' | 'failed') {
  const path = challengePath(intent);
  const address = new URL(path, `${opened.simulator.url}/`);
  const page = await (await fetch(address)).text();
  expect(page).toContain('Complete authentication');
  expect(page).not.toMatch(/(href|src|action)="[/h]/);
  const answer = await fetch(address, {
    method: 'POST',
    body: new URLSearchParams({ client_secret: address.searchParams.get('client_secret')!, outcome }),
  });
  return answer.text();
}

function challengePath(intent: { next_action: unknown }): string {
  expect(intent.next_action).toMatchObject({
    type: 'use_stripe_sdk',
    use_stripe_sdk: { type: 'sandbox_challenge' },
  });
  return (intent.next_action as { use_stripe_sdk: { path: string } }).use_stripe_sdk.path;
}

const newCard = (number: string) => ({
  type: 'card',
  'card[number]': number,
  'card[exp_month]': '8',
  'card[exp_year]': String(new Date().getUTCFullYear() + 2),
  'card[cvc]': '314',
});

async function startSetup() {
  const customer = (await opened.stripe.customers.create()).id;
  const setup = await opened.stripe.setupIntents.create({ customer, metadata: { user: 'u-1' } });
  return { customer, setup, secret: setup.client_secret! };
}

describe('a setup intent in the browser', () => {
  test('saves a card once 3-D Secure is completed', async () => {
    const { customer, setup, secret } = await startSetup();
    const method = await browse('POST', 'v1/payment_methods', newCard('4000002500003155'));
    expect(method.body.card.last4).toBe('3155');
    const confirmed = await browse('POST', `v1/setup_intents/${setup.id}/confirm`, {
      client_secret: secret,
      payment_method: method.body.id,
    });
    expect(confirmed.body.status).toBe('requires_action');
    const page = await answerChallenge(confirmed.body, 'succeeded');
    expect(page).toContain(`data-intent="${setup.id}" data-outcome="succeeded"`);
    const after = await browse('GET', `v1/setup_intents/${setup.id}`, { client_secret: secret });
    expect(after.body).toMatchObject({ status: 'succeeded', next_action: null });
    expect((await opened.stripe.paymentMethods.list({ customer })).data).toHaveLength(1);
  });

  test('saves no card after failed authentication', async () => {
    const { customer, setup, secret } = await startSetup();
    const confirmed = await browse('POST', `v1/setup_intents/${setup.id}/confirm`, {
      client_secret: secret,
      payment_method: 'pm_card_authenticationRequired',
    });
    await answerChallenge(confirmed.body, 'failed');
    const after = await opened.stripe.setupIntents.retrieve(setup.id);
    expect(after).toMatchObject({
      status: 'requires_payment_method',
      last_setup_error: { code: 'setup_intent_authentication_failure' },
    });
    expect((await opened.stripe.paymentMethods.list({ customer })).data).toEqual([]);
  });

  test('does not save a card declined after authentication', async () => {
    const { customer, setup, secret } = await startSetup();
    const confirmed = await browse('POST', `v1/setup_intents/${setup.id}/confirm`, {
      client_secret: secret,
      payment_method: 'pm_card_threeDSecureRequiredChargeDeclined',
    });
    await answerChallenge(confirmed.body, 'succeeded');
    expect((await opened.stripe.setupIntents.retrieve(setup.id)).last_setup_error?.code).toBe(
      'card_declined',
    );
    expect((await opened.stripe.paymentMethods.list({ customer })).data).toEqual([]);
  });

  test('accepts only one answer to a challenge', async () => {
    const { setup, secret } = await startSetup();
    const { body } = await browse('POST', `v1/setup_intents/${setup.id}/confirm`, {
      client_secret: secret,
      payment_method: 'pm_card_authenticationRequired',
    });
    await answerChallenge(body, 'succeeded');
    const again = await fetch(`${opened.simulator.url}/${challengePath(body)}`, {
      method: 'POST',
      body: new URLSearchParams({ client_secret: secret, outcome: 'failed' }),
    });
    expect(await again.text()).toContain('already been answered');
    expect((await opened.stripe.setupIntents.retrieve(setup.id)).status).toBe('succeeded');
  });
});

describe('the API for browsers', () => {
  test('refuses intents and challenges with a wrong client secret', async () => {
    const { setup } = await startSetup();
    const wrong = { client_secret: `${setup.id}_secret_wrong` };
    expect((await browse('GET', `v1/setup_intents/${setup.id}`, wrong)).status).toBe(400);
    expect((await browse('GET', `v1/setup_intents/${setup.id}`)).status).toBe(400);
    const page = await fetch(`${opened.simulator.url}/challenge/${setup.id}?client_secret=wrong`);
    expect(page.status).toBe(404);
  });

  test('refuses calls that need the secret key; hides the customer and metadata', async () => {
    const { setup, secret } = await startSetup();
    expect((await browse('GET', 'v1/payment_intents')).body.error.code).toBe('secret_key_required');
    expect((await browse('POST', 'v1/refunds', { payment_intent: 'pi_1' })).status).toBe(401);
    const { body } = await browse('GET', `v1/setup_intents/${setup.id}`, { client_secret: secret });
    expect(body).not.toHaveProperty('customer');
    expect(body).not.toHaveProperty('metadata');
  });

  test('keeps the control API and lists out of the proxied paths', () => {
    expect(isBrowserRequest('POST', '/v1/setup_intents/seti_1/confirm')).toBe(true);
    expect(isBrowserRequest('GET', '/challenge/pi_1')).toBe(true);
    expect(isBrowserRequest('PUT', '/control')).toBe(false);
    expect(isBrowserRequest('GET', '/v1/payment_intents')).toBe(false);
    expect(isBrowserRequest('GET', '/v1/setup_intents/../../control')).toBe(false);
  });
});

describe('the payments API with 3-D Secure', () => {
  test('pays off-session without a challenge once a card is set up', async () => {
    const { stripe } = opened;
    const { customer, setup } = await opened.saveCard('pm_card_authenticationRequiredOnSetup');
    await answerChallenge(setup, 'succeeded');
    const { payment_method } = await stripe.setupIntents.retrieve(setup.id);
    const params = payment(customer, payment_method as string);
    expect((await stripe.paymentIntents.create({ ...params, off_session: true })).status).toBe('succeeded');
    expect((await stripe.paymentIntents.create(params)).status).toBe('requires_action');
  });

  test('charges if the challenge is completed, and charges nothing if it fails', async () => {
    const { stripe } = opened;
    const { customer, setup } = await opened.saveCard('pm_card_authenticationRequired');
    await answerChallenge(setup, 'succeeded');
    const method = (await stripe.setupIntents.retrieve(setup.id)).payment_method as string;
    const asked = await stripe.paymentIntents.create(payment(customer, method));
    expect(asked).toMatchObject({ status: 'requires_action', latest_charge: null });
    await answerChallenge(asked, 'failed');
    const failed = await stripe.paymentIntents.retrieve(asked.id);
    expect(failed).toMatchObject({
      status: 'requires_payment_method',
      last_payment_error: { code: 'payment_intent_authentication_failure' },
    });
    const secondTry = await browse('POST', `v1/payment_intents/${asked.id}/confirm`, {
      client_secret: asked.client_secret!,
      payment_method: method,
    });
    await answerChallenge(secondTry.body, 'succeeded');
    const paid = await stripe.paymentIntents.retrieve(asked.id, { expand: ['latest_charge'] });
    expect(paid).toMatchObject({
      status: 'succeeded',
      latest_charge: { payment_method_details: { card: { three_d_secure: { result: 'authenticated' } } } },
    });
  });

  test('declines off-session payments that need authentication', async () => {
    const { stripe } = opened;
    const { customer, setup } = await opened.saveCard('pm_card_authenticationRequired');
    await answerChallenge(setup, 'succeeded');
    const method = (await stripe.setupIntents.retrieve(setup.id)).payment_method as string;
    const refusal = await refusalOf(
      stripe.paymentIntents.create({ ...payment(customer, method), off_session: true }),
    );
    expect(refusal).toMatchObject({ statusCode: 402, code: 'authentication_required' });
    expect(refusal.payment_intent!.status).toBe('requires_payment_method');
  });

  test('cancels an intent that is waiting for authentication', async () => {
    const asked = await opened.stripe.paymentIntents.create({
      amount: 2000,
      currency: 'gbp',
      payment_method: 'pm_card_threeDSecure2Required',
      allowed_payment_method_types: ['card'],
      confirm: true,
    });
    await opened.stripe.paymentIntents.cancel(asked.id);
    const page = await fetch(
      `${opened.simulator.url}/challenge/${asked.id}?client_secret=${asked.client_secret}`,
    );
    expect(await page.text()).toContain('already been answered');
    expect((await opened.stripe.paymentIntents.retrieve(asked.id)).status).toBe('canceled');
  });
});
