import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Stripe from 'stripe';
import { type LaunchOptions, launchStripeSimulator, type StripeSimulator } from './launch.ts';
import { isAlive } from './running.ts';

/** A Stripe simulator with its own folder, called as the app calls it: by the official SDK over HTTP. */
export async function openStripeSimulator(options: Partial<LaunchOptions> = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'stripe-simulator-'));
  let simulator = await launchStripeSimulator({ dataDir, ...options });
  const opened = {
    dataDir,
    get simulator(): StripeSimulator {
      return simulator;
    },
    /** An SDK client for the simulator's current address. */
    stripe: connectStripe(simulator.url),
    async restart() {
      simulator = await launchStripeSimulator({ dataDir, ...options });
      opened.stripe = connectStripe(simulator.url);
    },
    /** Kills the simulator without a clean shutdown and restarts it. */
    async killAndRestart() {
      process.kill(simulator.pid, 'SIGKILL');
      await until(() => !isAlive(simulator.pid));
      await opened.restart();
    },
    async close() {
      await simulator.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
    async saveCard(token: string) {
      const customer = await opened.stripe.customers.create({ email: 'sam@example.test' });
      const setup = await opened.stripe.setupIntents.create({
        customer: customer.id,
        payment_method: token,
        allowed_payment_method_types: ['card'],
        confirm: true,
      });
      return { customer: customer.id, setup, method: setup.payment_method as string };
    },
  };
  return opened;
}

export function connectStripe(url: string): Stripe {
  const { hostname, port } = new URL(url);
  return new Stripe('sk_test_sandbox', {
    host: hostname,
    port,
    protocol: 'http',
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

export const payment = (customer: string, method: string) => ({
  amount: 4500,
  currency: 'gbp',
  customer,
  payment_method: method,
  allowed_payment_method_types: ['card'],
  confirm: true,
});

/** Returns the error of a rejected promise; throws if the promise is fulfilled. */
export async function refusalOf(
  promise: Promise<unknown>,
): Promise<InstanceType<typeof Stripe.errors.StripeError>> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error('The call was not refused.');
}

export async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 45_000;
  while (!(await isTrue())) {
    if (Date.now() > deadline) throw new Error('The condition was not met within 45 seconds.');
    await sleep(10);
  }
}
