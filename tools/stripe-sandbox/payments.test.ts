import Stripe from 'stripe';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { apiVersion } from './objects/records.ts';
import { openStripeSimulator, payment, refusalOf } from './stripe-simulator.test-support.ts';

let opened: Awaited<ReturnType<typeof openStripeSimulator>>;
beforeAll(async () => {
  opened = await openStripeSimulator();
});
afterAll(() => opened.close());

const nextYear = new Date().getUTCFullYear() + 1;
const card = (number: string, more = {}) => ({
  type: 'card' as const,
  card: { number, exp_month: 12, exp_year: nextYear, cvc: '123', ...more },
});

test('uses the API version that the SDK pins', () => {
  expect(Stripe.API_VERSION).toBe(apiVersion);
});

describe('the API for saving cards', () => {
  test('attaches a card and lists it until it is detached', async () => {
    const { stripe } = opened;
    const { customer, setup, method } = await opened.saveCard('pm_card_mastercard');
    expect(setup).toMatchObject({ status: 'succeeded', usage: 'off_session', customer });
    const listed = await stripe.paymentMethods.list({ customer, type: 'card' });
    expect(listed.data).toMatchObject([
      { id: method, customer, card: { brand: 'mastercard', last4: '4444' } },
    ]);
    await stripe.paymentMethods.detach(method);
    expect((await stripe.paymentMethods.list({ customer })).data).toEqual([]);
    const again = await refusalOf(stripe.paymentMethods.attach(method, { customer }));
    expect(again.message).toContain('may not be used again');
  });

  test.each([
    ['4000000000000002', 'card_declined', 'generic_decline'],
    ['4000000000009995', 'card_declined', 'insufficient_funds'],
    ['4000000000000069', 'expired_card', ''],
    ['4000000000000127', 'incorrect_cvc', ''],
  ])('refuses to save the card %s, with the code %s', async (number, code, declineCode) => {
    const { stripe } = opened;
    const customer = await stripe.customers.create();
    const method = await stripe.paymentMethods.create(card(number));
    const setup = await stripe.setupIntents.create({
      customer: customer.id,
      allowed_payment_method_types: ['card'],
    });
    const refusal = await refusalOf(stripe.setupIntents.confirm(setup.id, { payment_method: method.id }));
    expect(refusal).toBeInstanceOf(Stripe.errors.StripeCardError);
    expect(refusal).toMatchObject({ statusCode: 402, code, decline_code: declineCode });
    expect(refusal.setup_intent).toMatchObject({
      id: setup.id,
      status: 'requires_payment_method',
      payment_method: null,
      last_setup_error: { code },
    });
    const attached = await refusalOf(stripe.paymentMethods.attach(method.id, { customer: customer.id }));
    expect(attached.code).toBe(code);
  });

  test.each([
    ['a mistyped number', card('4242424242424241'), 'incorrect_number'],
    ['a number that is too short', card('42424242'), 'invalid_number'],
    ['a year in the past', card('4242424242424242', { exp_year: nextYear - 2 }), 'invalid_expiry_year'],
    ['a month that does not exist', card('4242424242424242', { exp_month: 13 }), 'invalid_expiry_month'],
    ['a security code of two digits', card('4242424242424242', { cvc: '12' }), 'invalid_cvc'],
    ['a real card', card('4539578763621486'), 'card_declined'],
  ])('refuses %s immediately', async (_, params, code) => {
    const refusal = await refusalOf(opened.stripe.paymentMethods.create(params));
    expect(refusal).toMatchObject({ statusCode: 402, code, rawType: 'card_error' });
  });

  test('binds a card to one customer', async () => {
    const { stripe } = opened;
    const { method } = await opened.saveCard('pm_card_visa');
    const other = await stripe.customers.create();
    await refusalOf(stripe.paymentMethods.attach(method, { customer: other.id }));
    const refusal = await refusalOf(stripe.paymentIntents.create(payment(other.id, method)));
    expect(refusal.message).toContain('must be attached to the customer');
  });

  test("refuses a deleted customer's new cards and payments, and keeps past payments", async () => {
    const { stripe } = opened;
    const { customer, method } = await opened.saveCard('pm_card_visa');
    const paid = await stripe.paymentIntents.create(payment(customer, method));
    expect(await stripe.customers.del(customer)).toMatchObject({ id: customer, deleted: true });
    expect(await stripe.customers.retrieve(customer)).toMatchObject({ id: customer, deleted: true });
    for (const call of [
      stripe.customers.update(customer, { name: 'Sam' }),
      stripe.customers.del(customer),
      stripe.setupIntents.create({ customer, allowed_payment_method_types: ['card'] }),
      stripe.paymentIntents.create(payment(customer, method)),
    ]) {
      expect((await refusalOf(call)).code).toBe('resource_missing');
    }
    expect((await stripe.paymentMethods.retrieve(method)).customer).toBeNull();
    expect((await stripe.paymentIntents.list({ customer })).data.map(({ id }) => id)).toEqual([paid.id]);
    expect((await stripe.refunds.create({ payment_intent: paid.id })).status).toBe('succeeded');
    const events = await stripe.events.list({ types: ['customer.deleted', 'payment_method.detached'] });
    expect(events.data.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['customer.deleted', 'payment_method.detached']),
    );
  });

  test('cancels a setup intent permanently', async () => {
    const { stripe } = opened;
    const setup = await stripe.setupIntents.create({ allowed_payment_method_types: ['card'] });
    expect((await stripe.setupIntents.cancel(setup.id)).status).toBe('canceled');
    const refusal = await refusalOf(
      stripe.setupIntents.confirm(setup.id, { payment_method: 'pm_card_visa' }),
    );
    expect(refusal).toMatchObject({ statusCode: 400, code: 'setup_intent_unexpected_state' });
  });
});

describe('the payments API', () => {
  test('charges a saved card and expands the response as requested', async () => {
    const { stripe } = opened;
    const { customer, method } = await opened.saveCard('pm_card_visa');
    const intent = await stripe.paymentIntents.create({
      ...payment(customer, method),
      metadata: { booking_id: 'b-1' },
      expand: ['latest_charge', 'payment_method'],
    });
    expect(intent).toMatchObject({
      status: 'succeeded',
      amount_received: 4500,
      metadata: { booking_id: 'b-1' },
      latest_charge: { object: 'charge', status: 'succeeded', amount_captured: 4500 },
      payment_method: { card: { last4: '4242' } },
    });
    expect(intent.lastResponse.requestId).toMatch(/^req_/);
  });

  test('keeps an intent open when a saved card is declined', async () => {
    const { stripe } = opened;
    const { customer, method } = await opened.saveCard('pm_card_chargeCustomerFail');
    const refusal = await refusalOf(stripe.paymentIntents.create(payment(customer, method)));
    expect(refusal).toMatchObject({
      statusCode: 402,
      code: 'card_declined',
      decline_code: 'generic_decline',
    });
    const failed = refusal.payment_intent!;
    expect(failed).toMatchObject({ status: 'requires_payment_method', payment_method: null });
    expect(failed.last_payment_error).toMatchObject({ code: 'card_declined', charge: failed.latest_charge });
    const paid = await stripe.paymentIntents.confirm(failed.id, { payment_method: 'pm_card_visa' });
    expect(paid).toMatchObject({ status: 'succeeded', last_payment_error: null });
  });

  test('refuses to confirm or cancel a paid intent', async () => {
    const { stripe } = opened;
    const { customer, method } = await opened.saveCard('pm_card_visa');
    const paid = await stripe.paymentIntents.create(payment(customer, method));
    expect((await refusalOf(stripe.paymentIntents.confirm(paid.id))).code).toBe(
      'payment_intent_unexpected_state',
    );
    expect((await refusalOf(stripe.paymentIntents.cancel(paid.id))).message).toContain('status of succeeded');
    const open = await stripe.paymentIntents.create({ ...payment(customer, method), confirm: false });
    const canceled = await stripe.paymentIntents.cancel(open.id, { cancellation_reason: 'abandoned' });
    expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned' });
  });

  test.each([
    ['no amount', { amount: undefined as unknown as number }, 'parameter_missing', 'amount'],
    ['less than 30p', { amount: 29 }, 'amount_too_small', 'amount'],
    ['part of a penny', { amount: 10.5 }, 'parameter_invalid_integer', 'amount'],
    ['an unknown customer', { customer: 'cus_unknown' }, 'resource_missing', 'customer'],
    ['an unknown card', { payment_method: 'pm_unknown' }, 'resource_missing', 'payment_method'],
    [
      'the list of types that the API no longer accepts',
      { payment_method_types: ['card'] },
      'payment_method_types_no_longer_supported',
      'payment_method_types',
    ],
    ['a parameter that does not exist', { colour: 'red' }, 'parameter_unknown', 'colour'],
  ])('refuses a payment with %s', async (_, change, code, param) => {
    const { customer, method } = await opened.saveCard('pm_card_visa');
    const refusal = await refusalOf(
      opened.stripe.paymentIntents.create({ ...payment(customer, method), ...change }),
    );
    expect(refusal).toMatchObject({ statusCode: 400, rawType: 'invalid_request_error', code, param });
  });

  test('requires a return URL when redirects are allowed', async () => {
    const { customer, method } = await opened.saveCard('pm_card_visa');
    const { allowed_payment_method_types: _, ...open } = payment(customer, method);
    expect((await refusalOf(opened.stripe.paymentIntents.create(open))).message).toContain('return_url');
    const paid = await opened.stripe.paymentIntents.create({
      ...open,
      automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
    });
    expect(paid.status).toBe('succeeded');
  });

  test('returns 404 for unknown ids and 401 without a key', async () => {
    const refusal = await refusalOf(opened.stripe.paymentIntents.retrieve('pi_unknown'));
    expect(refusal).toMatchObject({ statusCode: 404, code: 'resource_missing' });
    const answer = await fetch(`${opened.simulator.url}/v1/payment_intents/pi_unknown`);
    expect(answer.status).toBe(401);
    expect((await fetch(`${opened.simulator.url}/v1/nothing`, { headers: secretKey })).status).toBe(404);
  });

  test("lists a customer's intents by page, newest first, within a range of dates", async () => {
    const { stripe } = opened;
    const { customer, method } = await opened.saveCard('pm_card_visa');
    const made: string[] = [];
    for (let i = 0; i < 7; i++)
      made.unshift((await stripe.paymentIntents.create(payment(customer, method))).id);
    const listed: string[] = [];
    const since = Math.floor(Date.now() / 1000) - 600;
    for await (const intent of stripe.paymentIntents.list({ customer, limit: 3, created: { gte: since } })) {
      listed.push(intent.id);
    }
    expect(listed).toEqual(made);
    const earlier = await stripe.paymentIntents.list({ customer, created: { lt: since } });
    expect(earlier.data).toEqual([]);
    const back = await stripe.paymentIntents.list({ customer, limit: 2, ending_before: made[3]! });
    expect(back.data.map(({ id }) => id)).toEqual(made.slice(1, 3));
    expect(back.has_more).toBe(true);
  });
});

const secretKey = { authorization: 'Bearer sk_test_sandbox' };

describe('the API for refunds and disputes', () => {
  test('refunds part of a payment, then the rest, but never more', async () => {
    const { stripe } = opened;
    const { customer, method } = await opened.saveCard('pm_card_visa');
    const paid = await stripe.paymentIntents.create(payment(customer, method));
    const part = await stripe.refunds.create({ payment_intent: paid.id, amount: 1500 });
    expect(part).toMatchObject({ status: 'succeeded', amount: 1500, payment_intent: paid.id });
    const tooMuch = await refusalOf(stripe.refunds.create({ payment_intent: paid.id, amount: 3001 }));
    expect(tooMuch.message).toContain('greater than unrefunded amount on charge (£30.00)');
    const rest = await stripe.refunds.create({ payment_intent: paid.id });
    expect(rest.amount).toBe(3000);
    const again = await refusalOf(stripe.refunds.create({ payment_intent: paid.id }));
    expect(again).toMatchObject({ statusCode: 400, code: 'charge_already_refunded' });
    const listed = await stripe.refunds.list({ payment_intent: paid.id });
    expect(listed.data.map(({ id }) => id)).toEqual([rest.id, part.id]);
    const charge = await stripe.charges.retrieve(paid.latest_charge as string);
    expect(charge).toMatchObject({ refunded: true, amount_refunded: 4500 });
  });

  test('refuses to refund an unpaid intent', async () => {
    const open = await opened.stripe.paymentIntents.create({ amount: 1000, currency: 'gbp' });
    const refusal = await refusalOf(opened.stripe.refunds.create({ payment_intent: open.id }));
    expect(refusal.message).toContain('does not have a successful charge to refund');
  });

  test('finishes a pending refund and returns a failed refund to the charge', async () => {
    const { stripe, simulator } = opened;
    const { customer, method } = await opened.saveCard('pm_card_visa');
    const paid = await stripe.paymentIntents.create(payment(customer, method));
    await simulator.control({ refundsPending: true });
    const [first, second] = [
      await stripe.refunds.create({ payment_intent: paid.id, amount: 1000 }),
      await stripe.refunds.create({ payment_intent: paid.id, amount: 2000 }),
    ];
    await simulator.control({ refundsPending: false });
    expect(first.status).toBe('pending');
    await postControl(`refunds/${first.id}`, { status: 'succeeded' });
    await postControl(`refunds/${second.id}`, { status: 'failed' });
    expect((await stripe.refunds.retrieve(first.id)).status).toBe('succeeded');
    expect((await stripe.refunds.retrieve(second.id)).status).toBe('failed');
    const charge = await stripe.charges.retrieve(paid.latest_charge as string);
    expect(charge.amount_refunded).toBe(1000);
    const types = (await stripe.events.list({ types: ['refund.failed', 'refund.updated'] })).data;
    expect(types.map(({ type }) => type).sort()).toEqual([
      'refund.failed',
      'refund.updated',
      'refund.updated',
    ]);
  });

  test('refuses to refund a disputed charge until the dispute is won', async () => {
    const { stripe } = opened;
    const { customer, method } = await opened.saveCard('pm_card_visa');
    const paid = await stripe.paymentIntents.create(payment(customer, method));
    const dispute = await postControl('disputes', { payment_intent: paid.id });
    const refusal = await refusalOf(stripe.refunds.create({ payment_intent: paid.id }));
    expect(refusal).toMatchObject({ statusCode: 400, code: 'charge_disputed' });
    await postControl(`disputes/${dispute.id}`, { status: 'won' });
    expect((await stripe.refunds.create({ payment_intent: paid.id })).amount).toBe(4500);
    const types = ['charge.dispute.*'];
    const events = (await stripe.events.list({ types })).data.filter(
      ({ data }) => (data.object as Stripe.Dispute).id === dispute.id,
    );
    expect(events.map(({ type }) => type).reverse()).toEqual([
      'charge.dispute.created',
      'charge.dispute.funds_withdrawn',
      'charge.dispute.funds_reinstated',
      'charge.dispute.closed',
    ]);
  });

  test('marks a disputed charge, creates an event and records a lost dispute', async () => {
    const { stripe } = opened;
    const { customer, method } = await opened.saveCard('pm_card_visa');
    const paid = await stripe.paymentIntents.create(payment(customer, method));
    const dispute = await postControl('disputes', { payment_intent: paid.id });
    expect((await stripe.charges.retrieve(paid.latest_charge as string)).disputed).toBe(true);
    const [announced] = (await stripe.events.list({ type: 'charge.dispute.created' })).data;
    expect(announced!.data.object).toMatchObject({ id: dispute.id, amount: 4500, payment_intent: paid.id });
    await postControl(`disputes/${dispute.id}`, { status: 'lost' });
    expect((await stripe.disputes.retrieve(dispute.id)).status).toBe('lost');
  });
});

describe('evidence against a dispute', () => {
  test('is accepted once, replayed for the same key, and puts the dispute under review', async () => {
    const { stripe } = opened;
    const { customer, method } = await opened.saveCard('pm_card_visa');
    const paid = await stripe.paymentIntents.create(payment(customer, method));
    const { id } = await postControl('disputes', { payment_intent: paid.id });
    const draft = await stripe.disputes.update(id, { evidence: { service_date: 'Today' }, submit: false });
    expect(draft).toMatchObject({
      ...{ status: 'needs_response', evidence: { service_date: 'Today', customer_name: null } },
      evidence_details: { has_evidence: true, submission_count: 0 },
    });
    const sent = { evidence: { customer_name: 'Cleo' }, submit: true };
    const key = { idempotencyKey: `evidence-${id}` };
    const first = await stripe.disputes.update(id, sent, key);
    expect(first).toMatchObject({
      ...{ status: 'under_review', evidence: { service_date: 'Today', customer_name: 'Cleo' } },
      evidence_details: { submission_count: 1 },
    });
    expect((await stripe.disputes.update(id, sent, key)).evidence_details.submission_count).toBe(1);
    const refusal = await refusalOf(stripe.disputes.update(id, sent));
    expect(refusal).toMatchObject({ statusCode: 400, code: 'dispute_already_submitted' });
    const unknown = await refusalOf(stripe.disputes.update(id, { evidence: { liking: 'much' } as never }));
    expect(unknown.code).toBe('parameter_unknown');
  });

  test('is requested after charging a card whose holder disputes charges', async () => {
    const { stripe } = opened;
    const { customer, method } = await opened.saveCard('pm_card_createDisputeProductNotReceived');
    const paid = await stripe.paymentIntents.create(payment(customer, method));
    expect(paid.status).toBe('succeeded');
    const { data } = await stripe.disputes.list({ payment_intent: paid.id });
    expect(data).toMatchObject([{ status: 'needs_response', reason: 'product_not_received', amount: 4500 }]);
    const [fee] = data[0]!.balance_transactions;
    expect(fee).toMatchObject({ amount: -4500, fee: 2000, net: -6500 });
  });
});

async function postControl(path: string, body: object): Promise<{ id: string }> {
  const answer = await fetch(`${opened.simulator.url}/control/${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  expect(answer.status).toBe(200);
  return (await answer.json()) as { id: string };
}
