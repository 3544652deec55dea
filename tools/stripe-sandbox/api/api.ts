import type { IncomingMessage } from 'node:http';
import { publicView } from '../objects/intents.ts';
import { apiVersion, newId } from '../objects/records.ts';
import { commit, type Incoming, type Simulator, sendJson } from '../simulator.ts';
import { Change } from '../store.ts';
import type { Call, Execution } from './call.ts';
import { expandAnswer, readExpand } from './expand.ts';
import { type IdempotencyKeys, type KeptAnswer, sortParams } from './idempotency.ts';
import { type Params, parseParams } from './params.ts';
import { findRoute, type Route } from './routes.ts';
import { StripeError } from './stripe-error.ts';

interface Outcome {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** Serves Stripe's API: authenticates, routes, applies the idempotency rules and injects the configured faults. */
export async function answerApi(simulator: Simulator, keys: IdempotencyKeys, incoming: Incoming) {
  const { request, response, method, path } = incoming;
  const requestId = newId('req');
  let isPublishable = false;
  let outcome: Outcome;
  let movesMoney = false;
  try {
    if (simulator.dice.hits(simulator.switches.rateLimitRate)) throw rateLimited();
    const params = parseParams(method === 'POST' ? incoming.body : incoming.query);
    isPublishable = authenticate(request, params);
    const found = findRoute(method, path);
    if (!found) throw unknownUrl(method, path);
    const { route, id } = found;
    if (isPublishable && !route.isPublic) throw secretKeyRequired();
    movesMoney = route.movesMoney ?? false;
    const call = { store: simulator.store, switches: simulator.switches, path, id, params, isPublishable };
    outcome = route.write
      ? await write(simulator, keys, incoming, requestId, call, route)
      : await read(simulator, call, route);
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    outcome = { status: error.status, body: { error: error.error } };
  }
  if (movesMoney && simulator.dice.hits(simulator.switches.dropAfterChargeRate)) {
    request.socket.destroy();
    return;
  }
  const key = request.headers['idempotency-key'];
  sendJson(response, outcome.status, isPublishable ? publicView(outcome.body) : outcome.body, {
    'request-id': requestId,
    'stripe-version': apiVersion,
    ...(typeof key === 'string' && { 'idempotency-key': key }),
    ...outcome.headers,
  });
}

async function read(simulator: Simulator, call: Call, route: Route): Promise<Outcome> {
  await waitHalf(simulator);
  refuseByChance(simulator);
  const answer = route.read!(call);
  call.params.refuseUnread();
  const body = expandAnswer(simulator.store, readExpand(call.params), answer);
  await waitHalf(simulator);
  return { status: 200, body };
}

async function write(
  simulator: Simulator,
  keys: IdempotencyKeys,
  incoming: Incoming,
  requestId: string,
  call: Call,
  route: Route,
): Promise<Outcome> {
  const header = incoming.request.headers['idempotency-key'];
  const key = typeof header === 'string' && header !== '' ? header : null;
  const sorted = sortParams(incoming.body);
  const kept = key === null ? null : keys.find(key, incoming.path, sorted);
  if (kept) return replay(simulator, kept);

  const expand = readExpand(call.params);
  const execute = route.write!(call);
  call.params.refuseUnread();
  const end = key === null ? null : keys.begin(key);
  try {
    await waitHalf(simulator);
    refuseByChance(simulator);
    const change = new Change(simulator.store, requestId, key);
    const { status, body } = carryOut(simulator, change, expand, execute, route);
    const answer =
      key === null
        ? null
        : { key, path: incoming.path, params: sorted, status, body, requestId, at: Date.now() };
    if (answer) keys.keep(answer);
    await commit(simulator, change, answer);
    await waitHalf(simulator);
    return { status, body, headers: status === 500 ? { 'stripe-should-retry': 'false' } : {} };
  } finally {
    end?.();
  }
}

async function replay(simulator: Simulator, kept: KeptAnswer): Promise<Outcome> {
  await waitHalf(simulator);
  await waitHalf(simulator);
  return {
    status: kept.status,
    body: kept.body,
    headers: {
      'idempotent-replayed': 'true',
      'original-request': kept.requestId,
      ...(kept.status === 500 && { 'stripe-should-retry': 'false' }),
    },
  };
}

/** Executes the request. Returns its result, even an error, which the caller stores under the idempotency key. */
function carryOut(
  simulator: Simulator,
  change: Change,
  expand: string[][],
  execute: Execution,
  route: Route,
): Outcome {
  let outcome: Outcome;
  try {
    outcome = { status: 200, body: expandAnswer(simulator.store, expand, execute(change)) };
  } catch (error) {
    if (!(error instanceof StripeError)) throw error;
    outcome = { status: error.status, body: { error: error.error } };
  }
  if (route.movesMoney && simulator.dice.hits(simulator.switches.errorAfterChargeRate)) {
    return { status: 500, body: { error: unknownFailure } };
  }
  return outcome;
}

const unknownFailure = { type: 'api_error', message: 'An unknown error occurred' } as const;

function refuseByChance({ dice, switches }: Simulator) {
  if (dice.hits(switches.errorRate)) throw new StripeError(500, unknownFailure);
}

/** Waits for half of the delay. Returns undefined, without a timer, if no delay is set. */
function waitHalf({ dice, switches }: Simulator): Promise<void> | undefined {
  if (switches.latencyMs === 0 && switches.jitterMs === 0) return undefined;
  const ms = (switches.latencyMs + dice.next() * switches.jitterMs) / 2;
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** True for a publishable key, false for a secret key; throws Stripe's 401 otherwise. */
function authenticate(request: IncomingMessage, params: Params): boolean {
  const header = request.headers.authorization;
  const key = header?.startsWith('Bearer ') ? header.slice(7) : params.text('key');
  if (key === null || key === '') {
    throw new StripeError(401, {
      type: 'invalid_request_error',
      message:
        "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY').",
    });
  }
  if (key.startsWith('pk_test_')) return true;
  if (key.startsWith('sk_test_')) return false;
  throw new StripeError(401, {
    type: 'invalid_request_error',
    message: `Invalid API Key provided: ${key.slice(0, 8)}****`,
  });
}

function secretKeyRequired() {
  return new StripeError(401, {
    type: 'invalid_request_error',
    code: 'secret_key_required',
    message:
      'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.',
  });
}

function rateLimited() {
  return new StripeError(429, {
    type: 'invalid_request_error',
    code: 'rate_limit',
    message:
      'Request rate limit exceeded. Learn more about rate limits here https://stripe.com/docs/rate-limits.',
  });
}

function unknownUrl(method: string, path: string) {
  return new StripeError(404, {
    type: 'invalid_request_error',
    message: `Unrecognized request URL (${method}: ${path}). The Stripe simulator simulates only a part of Stripe's API.`,
  });
}
