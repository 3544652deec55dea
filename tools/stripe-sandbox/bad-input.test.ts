import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStripeSimulator, payment } from './stripe-simulator.test-support.ts';

let opened: Awaited<ReturnType<typeof openStripeSimulator>>;
beforeAll(async () => {
  opened = await openStripeSimulator();
});
afterAll(() => opened.close());

const bodies = [
  'amount=constructor&currency=constructor&confirm=maybe',
  'amount=1000&currency=constructor',
  'amount=1000&currency=gbp&payment_method=constructor&confirm=true&allowed_payment_method_types[0]=card',
  'amount[a]=1&currency[]=gbp',
  '__proto__[x]=1&constructor=2',
  'metadata=text&metadata[a][b]=c',
  'type=card&card=4242',
  'type=card&card[number]=４２４２&card[exp_month]=1e9&card[exp_year]=-1',
  'expand[]=__proto__&expand[]=id.id.id',
  'expand=all',
  'customer=%00&payment_method=%F0%9F%92%B3',
  'a[b[c]]=1&[=2&]=3&=4&&&',
  'broken=%E0%A4%A',
  'limit=0&created[gte]=yesterday&starting_after=nobody',
  '{"amount":1000}',
];

test("charges nothing for malformed input and reports errors in Stripe's format", async () => {
  const { customer, method } = await opened.saveCard('pm_card_visa');
  const open = await opened.stripe.paymentIntents.create({ ...payment(customer, method), confirm: false });
  const paths = [
    'customers',
    `customers/${customer}/payment_methods`,
    'setup_intents',
    'payment_methods',
    `payment_methods/${method}/attach`,
    'payment_intents',
    `payment_intents/${open.id}/confirm`,
    'payment_intents/constructor/confirm',
    'refunds',
    'events/__proto__',
    'constructor',
    '%E0%A4%A/x/y/z',
  ];
  for (const path of paths) {
    for (const body of bodies) {
      for (const method of ['POST', 'GET', 'DELETE']) {
        const query = method === 'GET' ? `?${body}` : '';
        const answer = await fetch(`${opened.simulator.url}/v1/${path}${query}`, {
          method,
          headers: { authorization: 'Bearer sk_test_sandbox' },
          ...(method === 'POST' && { body }),
        });
        const text = await answer.text();
        expect(answer.status, `${method} ${path} ${body}: ${text}`).toBeLessThan(500);
        expect(answer.headers.get('request-id')).toMatch(/^req_/);
        if (!answer.ok) expect(JSON.parse(text).error.message).toEqual(expect.any(String));
      }
    }
  }
  expect(await opened.simulator.ledger()).toEqual([]);
});

test('refuses unsupported and malformed parameters', async () => {
  const { customer, method } = await opened.saveCard('pm_card_visa');
  const cardData =
    'type=card&card[number]=4242424242424242&card[exp_month]=8&card[exp_year]=2040&card[cvc]=123';
  const refused: [path: string, body: string, param: string][] = [
    ['payment_methods', `${cardData}&billing_details[colour]=red`, 'billing_details[colour]'],
    [
      'payment_methods',
      `${cardData}&billing_details[address][planet]=mars`,
      'billing_details[address][planet]',
    ],
    ['payment_methods', `${cardData}&card[pin]=1234`, 'card[pin]'],
    ['payment_methods', `${cardData}&allow_redisplay=always`, 'allow_redisplay'],
    ['setup_intents', 'payment_method_options[card][moto]=true', 'payment_method_options'],
    ['setup_intents', 'allowed_payment_method_types=card', 'allowed_payment_method_types'],
    ['setup_intents', 'automatic_payment_methods=yes', 'automatic_payment_methods'],
    ['setup_intents', 'metadata=text', 'metadata'],
    ['payment_intents', `amount=1000&currency=gbp&mandate_data[x][y]=z&customer=${customer}`, 'mandate_data'],
    ['customers', 'invoice_settings[colour]=red', 'invoice_settings[colour]'],
    ['refunds', 'payment_intent=pi_1&currency=gbp', 'currency'],
    [`payment_intents?customer=${customer}&colour=red`, '', 'colour'],
    [`payment_intents?customer=${customer}&created[around]=1`, '', 'created[around]'],
    [`payment_methods/${method}?colour=red`, '', 'colour'],
    ['payment_intents?customer=cus_unknown', '', 'customer'],
    ['refunds?payment_intent=pi_unknown', '', 'payment_intent'],
  ];
  for (const [path, body, param] of refused) {
    const answer = await fetch(`${opened.simulator.url}/v1/${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: 'Bearer sk_test_sandbox' },
      ...(body && { body }),
    });
    const { error } = (await answer.json()) as { error: { param: string } };
    expect([path, answer.status, error?.param]).toEqual([path, 400, param]);
  }
});

test('refuses bodies that are too large, and malformed control requests', async () => {
  const large = await fetch(`${opened.simulator.url}/v1/customers`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk_test_sandbox' },
    body: `description=${'x'.repeat(300_000)}`,
  });
  expect(large.status).toBe(413);
  for (const body of [
    '',
    'null',
    '[',
    '{"__proto__":{}}',
    '{"webhookUrl":"javascript:1"}',
    '{"latencyMs":-1}',
  ]) {
    const answer = await fetch(`${opened.simulator.url}/control`, { method: 'PUT', body });
    expect([body, answer.status]).toEqual([body, body === '' ? 200 : 400]);
  }
});
