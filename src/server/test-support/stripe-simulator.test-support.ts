import { cardOfNumber } from './test-cards.test-support.ts';

type Simulated = { stripeSimulator: { url: string } };

/**
 * Makes a change in the Stripe simulator that only a bank or the dashboard can make: `disputes`, `disputes/<id>/…`,
 * `refunds/<id>`, `payment-methods/<id>`.
 */
export async function changeInStripe({ stripeSimulator }: Simulated, path: string, body: object) {
  const init = { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(`${stripeSimulator.url}/control/${path}`, init);
  return (await answer.json()) as { id: string };
}

/** Answers the challenge on the bank's page, as the customer would. Returns the page's HTTP status. */
export async function answerBank(
  { stripeSimulator }: Simulated,
  clientSecret: string,
  outcome: 'succeeded' | 'failed',
): Promise<number> {
  const body = new URLSearchParams({ client_secret: clientSecret, outcome });
  const page = `${stripeSimulator.url}/challenge/${clientSecret.split('_secret')[0]}`;
  return (await fetch(page, { method: 'POST', body })).status;
}

/** Acts as the browser's card form: confirms the setup with the publishable key, directly in the Stripe simulator. */
export async function confirmCardSetup(
  { stripeSimulator, config }: Simulated & { config: { stripe: { publishableKey?: string } } },
  clientSecret: string,
  number: string,
) {
  const card = Object.entries(cardOfNumber(number)).map(([name, value]) => [
    `payment_method_data[card][${name}]`,
    String(value),
  ]);
  const intentId = clientSecret.split('_secret')[0];
  const response = await fetch(`${stripeSimulator.url}/v1/setup_intents/${intentId}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${config.stripe.publishableKey}` },
    body: new URLSearchParams([
      ['client_secret', clientSecret],
      ['payment_method_data[type]', 'card'],
      ...(card as [string, string][]),
    ]),
  });
  return (await response.json()) as {
    id: string;
    status: string;
    payment_method: string;
    error?: { code: string };
  };
}
