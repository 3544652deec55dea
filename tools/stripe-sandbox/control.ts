import { StripeError } from './api/stripe-error.ts';
import { closeDispute, openDispute } from './objects/disputes.ts';
import { becomeLink } from './objects/payment-methods.ts';
import { finishRefund } from './objects/refunds.ts';
import { commit, type Incoming, type Simulator, sendJson } from './simulator.ts';
import { Change, type Store } from './store.ts';
import { applySwitches } from './switches.ts';

/** A successful payment, for comparing two ledgers. Amounts are in minor units, `created` in Unix seconds. */
export interface LedgerPayment {
  paymentIntent: string;
  charge: string;
  amount: number;
  currency: string;
  customer: string | null;
  metadata: Record<string, string>;
  created: number;
  isDisputed: boolean;
  refunds: { refund: string; amount: number; status: string }[];
}

/** Every payment intent that ever succeeded, oldest first. */
export function buildLedger(store: Store): LedgerPayment[] {
  const payments: LedgerPayment[] = [];
  for (const id of store.paymentIntents.ids()) {
    const intent = store.paymentIntents.get(id)!;
    if (intent.status !== 'succeeded') continue;
    const charge = store.charges.get(intent.latest_charge!)!;
    payments.push({
      paymentIntent: id,
      charge: charge.id,
      amount: intent.amount_received,
      currency: intent.currency,
      customer: intent.customer,
      metadata: intent.metadata,
      created: intent.created,
      isDisputed: charge.disputed,
      refunds: store.refunds
        .ofOwner(charge.id)
        .map(({ id: refund, amount, status }) => ({ refund, amount, status: status! })),
    });
  }
  return payments;
}

/** Serves the control API, which isn't part of Stripe's API and can't be reached through the app's proxy. */
export async function answerControl(simulator: Simulator, incoming: Incoming) {
  const { method, path, response } = incoming;
  const [, , resource, id] = path.split('/');
  try {
    if (path === '/control' && method === 'GET') return sendJson(response, 200, describe(simulator));
    if (path === '/control' && method === 'PUT') {
      applyPatch(simulator, readJson(incoming));
      return sendJson(response, 200, describe(simulator));
    }
    if (path === '/control/ledger' && method === 'GET') {
      return sendJson(response, 200, { payments: buildLedger(simulator.store) });
    }
    if (method === 'POST' && resource === 'payment-methods') {
      const change = new Change(simulator.store, null, null);
      const answer = becomeLink(change, id ?? '', oneOf(readJson(incoming).type, 'type', ['link']));
      await commit(simulator, change, null);
      return sendJson(response, 200, answer);
    }
    if (method === 'POST' && (resource === 'disputes' || resource === 'refunds')) {
      const change = new Change(simulator.store, null, null);
      const body = readJson(incoming);
      const answer =
        resource === 'refunds'
          ? finishRefund(change, id ?? '', oneOf(body.status, 'status', ['succeeded', 'failed']))
          : id === undefined
            ? openDispute(change, textOf(body, 'payment_intent'), String(body.reason ?? 'fraudulent'))
            : closeDispute(change, id, oneOf(body.status, 'status', ['won', 'lost']));
      await commit(simulator, change, null);
      return sendJson(response, 200, answer);
    }
    sendJson(response, 404, { error: { message: `There is no ${method} ${path}.` } });
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    sendJson(response, error.status, { error: error.error });
  }
}

function describe({ switches, webhooks, store }: Simulator) {
  return { ...switches, webhookUrl: webhooks.url, undeliveredWebhooks: store.undelivered.size };
}

function applyPatch({ switches, webhooks, dice }: Simulator, patch: Record<string, unknown>) {
  const { webhookUrl, webhookSecret, webhookEvents, ...rest } = patch;
  const wrong = applySwitches(switches, rest);
  if (wrong) throw refusal(wrong);
  if (typeof rest.seed === 'number') dice.reseed(rest.seed);
  if (webhookEvents !== undefined) {
    if (webhookEvents !== null && !isListOfTexts(webhookEvents)) {
      throw refusal('webhookEvents must be a list of event types, or null for all.');
    }
    webhooks.subscribe(webhookEvents);
  }
  if (webhookUrl !== undefined || webhookSecret !== undefined) {
    const url = webhookUrl === undefined ? webhooks.url : webhookUrl;
    if (url !== null && !(typeof url === 'string' && /^https?:/.test(url) && URL.canParse(url))) {
      throw refusal('webhookUrl must be an http or https address, or null.');
    }
    webhooks.setEndpoint(url, typeof webhookSecret === 'string' ? webhookSecret : null);
  } else if (rest.webhooksOff === false) webhooks.resume();
}

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

function readJson(incoming: Incoming): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(incoming.body || '{}');
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch {}
  throw refusal('The body must be a JSON object.');
}

function textOf(body: Record<string, unknown>, name: string): string {
  const value = body[name];
  if (typeof value !== 'string') throw refusal(`${name} is missing.`);
  return value;
}

function oneOf<T extends string>(value: unknown, name: string, allowed: readonly T[]): T {
  if (!allowed.includes(value as T)) throw refusal(`${name} must be one of ${allowed.join(', ')}.`);
  return value as T;
}

function refusal(message: string) {
  return new StripeError(400, { type: 'invalid_request_error', message });
}
