import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { openStripeSimulator, payment, refusalOf } from './stripe-simulator.test-support.ts';
import { defaultSwitches } from './switches.ts';

let opened: Awaited<ReturnType<typeof openStripeSimulator>>;
beforeAll(async () => {
  opened = await openStripeSimulator();
});
afterEach(() => opened.simulator.control(defaultSwitches()));
afterAll(() => opened.close());

async function ledgerOf(customer: string) {
  return (await opened.simulator.ledger()).filter((payment) => payment.customer === customer);
}

describe('idempotency keys', () => {
  test('replay the first response, even a decline, without charging again', async () => {
    const { customer, method } = await opened.saveCard('pm_card_chargeCustomerFail');
    const key = { idempotencyKey: 'declined-1' };
    const first = await refusalOf(opened.stripe.paymentIntents.create(payment(customer, method), key));
    const second = await refusalOf(opened.stripe.paymentIntents.create(payment(customer, method), key));
    expect(second).toMatchObject({ statusCode: 402, code: 'card_declined', charge: first.charge });
    expect(second.headers!['idempotent-replayed']).toBe('true');
    const failures = (await opened.stripe.events.list({ type: 'charge.failed' })).data;
    expect(failures.map(({ data }) => (data.object as Stripe.Charge).id)).toEqual([first.charge]);
  });

  test('are refused with other parameters or another endpoint', async () => {
    const { customer, method } = await opened.saveCard('pm_card_visa');
    const key = { idempotencyKey: 'one' };
    const paid = await opened.stripe.paymentIntents.create(payment(customer, method), key);
    const more = await refusalOf(
      opened.stripe.paymentIntents.create({ ...payment(customer, method), amount: 5000 }, key),
    );
    expect(more).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
    expect(more.statusCode).toBe(400);
    const elsewhere = await refusalOf(opened.stripe.refunds.create({ payment_intent: paid.id }, key));
    expect(elsewhere).toBeInstanceOf(Stripe.errors.StripeIdempotencyError);
  });

  test('remain unused after failed validation', async () => {
    const { customer, method } = await opened.saveCard('pm_card_visa');
    const key = { idempotencyKey: 'free' };
    await refusalOf(opened.stripe.paymentIntents.create({ ...payment(customer, method), amount: 1 }, key));
    const paid = await opened.stripe.paymentIntents.create(payment(customer, method), key);
    expect(paid.status).toBe('succeeded');
  });

  test('cause a conflict while the first request is running', async () => {
    const { customer, method } = await opened.saveCard('pm_card_visa');
    await opened.simulator.control({ latencyMs: 2_000 });
    const params = payment(customer, method);
    const [first, second, retried] = await Promise.allSettled([
      opened.stripe.paymentIntents.create(params, { idempotencyKey: 'busy' }),
      opened.stripe.paymentIntents.create(params, { idempotencyKey: 'busy' }),
      opened.stripe.paymentIntents.create(params, { idempotencyKey: 'busy', maxNetworkRetries: 9 }),
    ]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({ reason: { statusCode: 409, code: 'idempotency_key_in_use' } });
    expect(retried).toMatchObject({ status: 'fulfilled', value: { status: 'succeeded' } });
    expect(await ledgerOf(customer)).toHaveLength(1);
  });
});

describe('the simulator with faults', () => {
  test('returns a payment on a retry with the same key after the response was lost', async () => {
    const { customer, method } = await opened.saveCard('pm_card_visa');
    await opened.simulator.control({ dropAfterChargeRate: 1 });
    const key = { idempotencyKey: 'dropped' };
    const lost = await refusalOf(opened.stripe.paymentIntents.create(payment(customer, method), key));
    expect(lost).toBeInstanceOf(Stripe.errors.StripeConnectionError);
    expect(await ledgerOf(customer)).toHaveLength(1);
    await opened.simulator.control({ dropAfterChargeRate: 0 });
    const paid = await opened.stripe.paymentIntents.create(payment(customer, method), key);
    expect(paid.status).toBe('succeeded');
    expect(await ledgerOf(customer)).toHaveLength(1);
  });

  test('charges each key once despite faults and retries', async () => {
    const { customer, method } = await opened.saveCard('pm_card_visa');
    await opened.simulator.control({ dropAfterChargeRate: 0.2, errorRate: 0.1, jitterMs: 5, seed: 7 });
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        opened.stripe.paymentIntents.create(
          { ...payment(customer, method), metadata: { booking: `${i}` } },
          { idempotencyKey: `booking-${i}`, maxNetworkRetries: 9 },
        ),
      ),
    );
    const booked = (await ledgerOf(customer)).map(({ metadata }) => metadata.booking);
    expect(new Set(booked).size).toBe(20);
    expect(booked).toHaveLength(20);
  });

  test('replays a 500 returned after the charge, but not one returned before it', async () => {
    const { customer, method } = await opened.saveCard('pm_card_visa');
    const params = payment(customer, method);
    await opened.simulator.control({ errorRate: 1 });
    const early = await refusalOf(opened.stripe.paymentIntents.create(params, { idempotencyKey: 'a' }));
    expect(early.statusCode).toBe(500);
    await opened.simulator.control({ errorRate: 0, errorAfterChargeRate: 1 });
    const late = await refusalOf(opened.stripe.paymentIntents.create(params, { idempotencyKey: 'a' }));
    await opened.simulator.control({ errorAfterChargeRate: 0 });
    const again = await refusalOf(opened.stripe.paymentIntents.create(params, { idempotencyKey: 'a' }));
    expect([late.statusCode, again.statusCode]).toEqual([500, 500]);
    expect(again.headers!['idempotent-replayed']).toBe('true');
    const found = await opened.stripe.paymentIntents.list({ customer });
    expect(found.data.map(({ status }) => status)).toEqual(['succeeded']);
  });

  test('answers 429 and charges nothing while the switch for rate limits is on', async () => {
    const { customer, method } = await opened.saveCard('pm_card_visa');
    await opened.simulator.control({ rateLimitRate: 1 });
    const refusal = await refusalOf(opened.stripe.paymentIntents.create(payment(customer, method)));
    expect(refusal).toBeInstanceOf(Stripe.errors.StripeRateLimitError);
    expect(await ledgerOf(customer)).toEqual([]);
  });

  test('refuses unknown switches and invalid values', async () => {
    await expect(opened.simulator.control({ latency: 5 } as object)).rejects.toThrow(
      'no switch called latency',
    );
    await expect(opened.simulator.control({ latencyMs: 5, errorRate: 2 })).rejects.toThrow('from 0 to 1');
    const switches = await (await fetch(`${opened.simulator.url}/control`)).json();
    expect(switches).toMatchObject({ latencyMs: 0, errorRate: 0 });
  });
});
