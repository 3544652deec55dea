import { AppError } from '#domain/errors.ts';
import { explainSetupFailure } from '#domain/payments/rules.ts';

const base = '/sandbox/stripe';

type Intent = {
  id: string;
  status: string;
  payment_method: string | null;
  next_action: { use_stripe_sdk?: { path?: string } } | null;
  last_setup_error?: CardProblem | null;
};

type CardProblem = { code?: string; decline_code?: string };

/** A card as typed. `expiry` is "MM/YY" or "MM/YYYY". */
export type TypedCard = { number: string; expiry: string; cvc: string };

async function ask<T>(path: string, form?: Record<string, string>): Promise<T> {
  const response = await fetch(`${base}${path}`, {
    method: form ? 'POST' : 'GET',
    body: form ? new URLSearchParams(form) : null,
  }).catch(() => null);
  const body = await response?.json().catch(() => null);
  if (response?.ok) return body as T;
  if (!body?.error?.code) {
    throw new AppError('unavailable', "The Stripe simulator isn't responding. Please try again.");
  }
  throw refuseCard(body.error);
}

/** The error for a declined or invalid card: at the invalid field, or about the whole card. */
function refuseCard(error: CardProblem | null | undefined): AppError {
  const { field, message } = explainSetupFailure(error?.code ?? 'not_confirmed', error?.decline_code);
  return new AppError('payment_failed', message, field ? { fields: { [field]: message } } : {});
}

const idOf = (clientSecret: string) => clientSecret.split('_secret_')[0]!;

const readIntent = (clientSecret: string) => {
  const kind = clientSecret.startsWith('seti_') ? 'setup_intents' : 'payment_intents';
  return ask<Intent>(`/v1/${kind}/${idOf(clientSecret)}?client_secret=${encodeURIComponent(clientSecret)}`);
};

/** Shows the bank's page at this URL to the customer and resolves once it has been answered or closed. */
export type ShowChallenge = (address: string) => Promise<void>;

async function answerChallenge(intent: Intent, clientSecret: string, show: ShowChallenge): Promise<Intent> {
  const path = intent.next_action?.use_stripe_sdk?.path;
  if (intent.status !== 'requires_action' || !path) return intent;
  const separator = path.includes('?') ? '' : `?client_secret=${encodeURIComponent(clientSecret)}`;
  await show(`${base}/${path}${separator}`);
  return readIntent(clientSecret);
}

/**
 * Saves a card as Stripe.js does: turns the typed card into a PaymentMethod and confirms the SetupIntent with it,
 * including the bank's authentication. Returns the PaymentMethod's id; throws `payment_failed` or `unavailable`.
 */
export async function saveTypedCard(
  card: TypedCard,
  clientSecret: string,
  show: ShowChallenge,
): Promise<string> {
  const [month = '', year = ''] = card.expiry.split('/').map((part) => part.trim());
  const method = await ask<{ id: string }>('/v1/payment_methods', {
    type: 'card',
    'card[number]': card.number.replace(/\s/g, ''),
    'card[exp_month]': month,
    'card[exp_year]': year.length === 2 ? `20${year}` : year,
    'card[cvc]': card.cvc,
  });
  const confirmed = await ask<Intent>(`/v1/setup_intents/${idOf(clientSecret)}/confirm`, {
    client_secret: clientSecret,
    payment_method: method.id,
  });
  const intent = await answerChallenge(confirmed, clientSecret, show);
  if (intent.status === 'succeeded') return method.id;
  throw refuseCard(intent.last_setup_error);
}

/**
 * The simulator's version of 3-D Secure in Stripe.js. The server then reads the outcome itself. Throws `unavailable` if
 * the simulator doesn't respond.
 */
export async function authenticatePayment(clientSecret: string, show: ShowChallenge): Promise<void> {
  await answerChallenge(await readIntent(clientSecret), clientSecret, show);
}
