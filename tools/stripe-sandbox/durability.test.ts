import { once } from 'node:events';
import { appendFile, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import Stripe from 'stripe';
import { describe, expect, onTestFinished, test } from 'vitest';
import { launchStripeSimulator } from './launch.ts';
import { openStripeSimulator, payment, until } from './stripe-simulator.test-support.ts';

describe('the Stripe simulator', () => {
  test('keeps payments, cards, refunds and idempotency keys after kill -9', async () => {
    const opened = await openStripeSimulator();
    onTestFinished(opened.close);
    const { customer, method } = await opened.saveCard('pm_card_visa');
    const key = { idempotencyKey: 'payment-1' };
    const paid = await opened.stripe.paymentIntents.create(payment(customer, method), key);
    await opened.stripe.refunds.create({ payment_intent: paid.id, amount: 500 });
    const before = await opened.simulator.ledger();
    expect(before).toMatchObject([
      { paymentIntent: paid.id, amount: 4500, customer, refunds: [{ amount: 500, status: 'succeeded' }] },
    ]);

    await opened.killAndRestart();

    expect(await opened.simulator.ledger()).toEqual(before);
    const again = await opened.stripe.paymentIntents.create(payment(customer, method), key);
    expect(again.id).toBe(paid.id);
    expect(again.lastResponse.headers['idempotent-replayed']).toBe('true');
    expect((await opened.stripe.paymentMethods.list({ customer })).data).toHaveLength(1);
    expect((await opened.stripe.refunds.list({ payment_intent: paid.id })).data).toHaveLength(1);
    await opened.stripe.paymentIntents.create(payment(customer, method));
    expect(await opened.simulator.ledger()).toHaveLength(2);
  });

  test('loses no confirmed payment when it is killed three times under load', async () => {
    const opened = await openStripeSimulator();
    onTestFinished(opened.close);
    const { customer, method } = await opened.saveCard('pm_card_visa');
    const answered = new Set<string>();
    for (let round = 0; round < 3; round++) {
      const { stripe } = opened;
      let isKilled = false;
      const paying = Array.from({ length: 8 }, async (_, client) => {
        for (let i = 0; !isKilled; i++) {
          const key = `r${round}-c${client}-${i}`;
          try {
            const params = { ...payment(customer, method), metadata: { key } };
            await stripe.paymentIntents.create(params, { idempotencyKey: key });
            answered.add(key);
          } catch (error) {
            if (!(error instanceof Stripe.errors.StripeConnectionError)) throw error;
            return;
          }
        }
      });
      const goal = answered.size + 60;
      await until(() => answered.size >= goal);
      const restarted = opened.killAndRestart();
      isKilled = true;
      await restarted;
      await Promise.all(paying);
    }
    const charged = (await opened.simulator.ledger()).map(({ metadata }) => metadata.key!);
    expect(new Set(charged).size).toBe(charged.length);
    expect(charged).toEqual(expect.arrayContaining([...answered]));
  });

  test('drops a final journal line that a crash cut short', async () => {
    const opened = await openStripeSimulator();
    onTestFinished(opened.close);
    const { customer, method } = await opened.saveCard('pm_card_visa');
    await opened.stripe.paymentIntents.create(payment(customer, method));
    await opened.simulator.stop();
    const journal = join(opened.dataDir, 'card-network.journal');
    await appendFile(journal, '{"records":[{"id":"pi_half","obj');
    await opened.restart();
    await opened.stripe.paymentIntents.create(payment(customer, method));
    await opened.killAndRestart();
    expect(await opened.simulator.ledger()).toHaveLength(2);
    expect(await readFile(journal, 'utf8')).not.toContain('pi_half');
  });

  test('finishes the current call before it stops, despite open connections', async () => {
    const opened = await openStripeSimulator();
    onTestFinished(opened.close);
    const { customer, method } = await opened.saveCard('pm_card_visa');
    await opened.simulator.control({ latencyMs: 1000 });
    const unused = connect(Number(new URL(opened.simulator.url).port), '127.0.0.1');
    await once(unused, 'connect');
    const closed = once(unused, 'close');
    const answer = opened.stripe.paymentIntents.create(payment(customer, method));
    // The card is charged half a second before the response.
    await until(async () => (await opened.simulator.ledger()).length === 1);
    await opened.simulator.stop();
    expect((await answer).status).toBe('succeeded');
    await closed;
  });

  test('is reused by further launches for the same folder', async () => {
    const opened = await openStripeSimulator();
    onTestFinished(opened.close);
    const others = await Promise.all([1, 2].map(() => launchStripeSimulator({ dataDir: opened.dataDir })));
    expect(others.map(({ pid }) => pid)).toEqual([opened.simulator.pid, opened.simulator.pid]);
    await opened.simulator.stop();
    const raced = await Promise.all([1, 2, 3].map(() => launchStripeSimulator({ dataDir: opened.dataDir })));
    expect(new Set(raced.map(({ pid }) => pid)).size).toBe(1);
    await raced[0]!.stop();
  });
});
