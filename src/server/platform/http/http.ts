import { randomUUID } from 'node:crypto';
import type { HttpBindings } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { routePath } from 'hono/route';
import type { z } from 'zod';
import { deniedMessages, type Gate, isAllowed, type Person, twoStepMessage } from '#domain/access.ts';
import type { Endpoint } from '#domain/endpoint.ts';
import { fromWire, hasBody, pathParamsOf, toWire } from '#domain/endpoint.ts';
import { statusByCode } from '#domain/error-statuses.ts';
import { AppError, type ErrorBody, type ErrorCode, type FieldErrors } from '#domain/errors.ts';
import { readDatabaseFailure } from '../db/database-failure.ts';
import type { Log } from '../log.ts';
import { explainIssue } from './explain-issue.ts';
import { readText } from './read-body.ts';
import { StreamedCsv } from './streamed-csv.ts';
import { findClientAddress, type TrustedProxies } from './trusted-proxy.ts';

/** The caller: always a person, except on a `public` endpoint, where the caller is null without a session. */
type Caller<G extends Gate> = G extends 'public' ? Person | null : Person;

/** One served endpoint. Create it with {@link route}, which checks the handler's type against the contract. */
export type Route = {
  endpoint: Endpoint;
  handle: (input: never, caller: never, request: RequestFacts) => Promise<unknown>;
};

/** Request details for a handler beyond its input. */
export type RequestFacts = { requestId: string; ipAddress: string; userAgent: string };

/** Combines a handler with its contract. */
export function route<In extends z.ZodType, Out extends z.ZodType, G extends Gate>(
  endpoint: Endpoint<In, Out, G>,
  handle: (input: z.output<In>, caller: Caller<G>, request: RequestFacts) => Promise<z.input<Out>>,
): Route {
  return { endpoint, handle } as unknown as Route;
}

/** Combines a handler that streams a file with its contract, whose output is `csvFile` of domain/fields.ts. */
export function csvRoute<In extends z.ZodType, G extends Gate>(
  endpoint: Endpoint<In, z.ZodType<{ fileName: string; csv: string }>, G>,
  handle: (input: z.output<In>, caller: Caller<G>) => Promise<StreamedCsv>,
): Route {
  return { endpoint, handle } as unknown as Route;
}

/** Variables that middleware sets on a request. */
export type Variables = {
  requestId: string;
  ipAddress: string;
  userId?: string;
  /** False until the endpoint's handler starts: before that, nothing can have changed. */
  isHandling?: boolean;
};
type Ctx = Context<{ Variables: Variables }>;

/** One finished request: `route` is the matched pattern, never the URL, which may contain personal data. */
export type AnsweredRequest = { method: string; route: string; status: number; seconds: number };

/**
 * Serves every route the same way: authenticate → gate → parse input → recent proof if needed → handle → parse output
 * → JSON. `authenticate` reads the bearer token: it returns a person, or null without a token, or throws
 * `unauthenticated`.
 */
export function serveRoutes(
  app: Hono<{ Variables: Variables }>,
  routes: readonly Route[],
  authenticate: (authorization: string | undefined) => Promise<Person | null>,
): void {
  const byPath = new Map<string, Route[]>();
  for (const served of routes) {
    const { path } = served.endpoint;
    byPath.set(path, [...(byPath.get(path) ?? []), served]);
  }
  // Paths with a fixed segment come before paths with a parameter, for every method: "preview" is not an id.
  const rank = (path: string) => path.replaceAll(':', '\uffff');
  const paths = [...byPath].sort(([a], [b]) => (rank(a) < rank(b) ? -1 : 1));
  for (const [path, here] of paths) {
    for (const served of here) app.on(served.endpoint.method, path, (c) => answer(c, served));
    const methods = here.map(({ endpoint }) => endpoint.method);
    app.all(path, (c) => {
      c.header('allow', [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', '));
      if (c.req.method === 'OPTIONS') return c.body(null, 204);
      throw new AppError('method_not_allowed', `This URL accepts only ${methods.join(', ')}.`);
    });
  }

  async function answer(c: Ctx, { endpoint, handle }: Route): Promise<Response> {
    c.set('isHandling', false);
    const caller = await authenticate(c.req.header('authorization'));
    if (caller) {
      c.set('userId', caller.userId);
      // Personal responses stay out of every cache, including the browser's.
      (c.env as HttpBindings).outgoing.setHeader('cache-control', 'no-store');
    }
    if (!isAllowed(endpoint.gate, caller)) throw denyGate(endpoint.gate, caller);
    const raw: Record<string, unknown> = hasBody(endpoint) ? await readJsonObject(c) : readQuery(c);
    for (const name of pathParamsOf(endpoint.path)) raw[name] = c.req.param(name);
    refuseBrokenText(raw);
    const input = endpoint.input.safeParse(fromWire(endpoint, raw), { error: explainIssue });
    if (!input.success) throw describeIssues(input.error, endpoint, raw);
    refuseOldProof(endpoint, input.data, caller);
    const request = {
      requestId: c.get('requestId'),
      ipAddress: c.get('ipAddress'),
      userAgent: c.req.header('user-agent') ?? '',
    };
    c.set('isHandling', true);
    const output = await handle(input.data as never, caller as never, request);
    if (output instanceof StreamedCsv) {
      return c.body(output.toBody(), 200, { 'content-type': 'application/json' });
    }
    return c.json(toWire(endpoint, endpoint.output.parse(output) as object));
  }
}

/**
 * Throws `confirmation_required` if the call needs a recent proof of identity and the caller has none. Called after
 * validation, because a call with invalid input is refused anyway.
 */
function refuseOldProof({ reauthenticate }: Endpoint, input: unknown, caller: Person | null): void {
  const isNeeded = typeof reauthenticate === 'function' ? reauthenticate(input) : reauthenticate;
  if (!isNeeded || caller?.isRecentlyAuthenticated) return;
  throw new AppError(
    'confirmation_required',
    'To do this, please enter your password or a code from your authenticator app again.',
    { details: { isCodeEnough: true } },
  );
}

function denyGate(gate: Gate, caller: Person | null): AppError {
  if (!caller) return new AppError('unauthenticated', 'Please sign in to do this.');
  if (gate === 'admin' && caller.isTwoStepMissing) return new AppError('forbidden', twoStepMessage);
  return new AppError('forbidden', deniedMessages[gate as keyof typeof deniedMessages]);
}

async function readJsonObject(c: Ctx): Promise<Record<string, unknown>> {
  const text = await readText(c.req.raw);
  if (text === '') return {};
  const contentType = c.req.header('content-type') ?? '';
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(contentType)) {
    throw new AppError('unsupported_media_type', 'Send this as JSON (Content-Type: application/json).');
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new AppError('bad_request', 'The body is not well-formed JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AppError('bad_request', 'The body must be a JSON object.');
  }
  return { ...value };
}

function readQuery(c: Ctx): Record<string, unknown> {
  const raw: Record<string, unknown> = {};
  for (const [name, values] of Object.entries(c.req.queries())) {
    raw[name] = values.length > 1 ? values : values[0];
  }
  return raw;
}

/** NUL and lone surrogates cannot be stored as text in PostgreSQL. */
const brokenText = /\0|\p{Cs}/u;

/**
 * Throws `unprocessable` if the input contains broken text anywhere. Iterates instead of recursing, because a deeply
 * nested body would overflow the stack.
 */
function refuseBrokenText(input: Record<string, unknown>): void {
  for (const [field, given] of Object.entries(input)) {
    const waiting: unknown[] = [field, given];
    while (waiting.length > 0) {
      const value = waiting.pop();
      if (typeof value === 'object' && value !== null) {
        for (const [name, inner] of Object.entries(value)) waiting.push(name, inner);
      }
      if (typeof value !== 'string' || !brokenText.test(value)) continue;
      const message = "This text contains characters we can't save. Please type it again.";
      const name = field.replace(/\0|\p{Cs}/gu, '\ufffd');
      throw new AppError('unprocessable', message, { fields: { [name]: message } });
    }
  }
}

/** Describes the invalid fields under the names that the caller used. */
function describeIssues(
  error: z.ZodError,
  { wireNames = {} }: Endpoint,
  raw: Record<string, unknown>,
): AppError {
  const fields: FieldErrors = {};
  for (const { path, message } of error.issues) {
    const [name = 'body', ...rest] = path.map(String);
    const wireName = Object.hasOwn(wireNames, name) ? wireNames[name]! : name;
    const usedName = Object.hasOwn(raw, name) ? name : wireName;
    fields[[usedName, ...rest].join('.')] ??= message;
  }
  const first = Object.entries(fields)[0];
  return new AppError('unprocessable', first ? first[1] : 'Please check your entries.', { fields });
}

/** The id of a request: the proxy's id if it is well-formed, otherwise a new one. */
export const chooseRequestId = (given: string | undefined): string =>
  given && /^[\w-]{8,64}$/.test(given) ? given : randomUUID();

/**
 * Gives every request an id (a proxy's `x-request-id` if it is well-formed), logs the request when it ends, and turns
 * every error into the standard error body. Errors with a status of 500 or more are logged in full under that id; the
 * caller gets no details of an unexpected error. `observe` is called with each response.
 */
export function createHttpApp(
  log: Log,
  { trustProxy }: { trustProxy: TrustedProxies },
  observe?: (request: AnsweredRequest) => void,
): Hono<{ Variables: Variables }> {
  const app = new Hono<{ Variables: Variables }>();
  app.use(async (c, next) => {
    const requestId = chooseRequestId(c.req.header('x-request-id'));
    c.set('requestId', requestId);
    (c.env as HttpBindings).outgoing.setHeader('x-request-id', requestId);
    const { remoteAddress } = (c.env as HttpBindings).incoming.socket;
    c.set('ipAddress', findClientAddress(trustProxy, remoteAddress, c.req.header('x-forwarded-for')));
    const startedAt = performance.now();
    await next();
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    observe?.({
      method: c.req.method,
      route: routePath(c),
      status: c.res.status,
      seconds: ms / 1000,
    });
    log.debug({ requestId, method: c.req.method, path: c.req.path, status: c.res.status, ms }, 'request');
  });
  app.notFound((c) => answerError(c, new AppError('not_found', "There's nothing at this URL.")));
  app.onError((error, c) => {
    const reassurance = c.get('isHandling') === false ? 'Nothing was changed.' : '';
    const known = error instanceof AppError ? error : readDatabaseFailure(error, reassurance);
    const facts = { requestId: c.get('requestId'), userId: c.get('userId'), path: c.req.path };
    if (!known || statusByCode[known.code] >= 500) log.error({ ...facts, err: error }, 'request failed');
    else if (deniedCodes.has(known.code)) log.info({ ...facts, code: known.code }, 'request denied');
    return answerError(c, known ?? new AppError('internal', 'Something went wrong. Please try again.'));
  });
  return app;
}

/** Refusals worth logging: a burst of them suggests an attack. */
const deniedCodes = new Set<ErrorCode>(['unauthenticated', 'forbidden', 'too_many_requests']);

function answerError(c: Ctx, error: AppError): Response {
  const body: ErrorBody = {
    error: {
      code: error.code,
      message: error.message,
      fields: error.fields,
      details: error.details,
      requestId: c.get('requestId'),
    },
  };
  if (error.code === 'unavailable') c.header('retry-after', '1');
  if (error.code === 'too_many_requests')
    c.header('retry-after', String(error.details?.retryAfterSeconds ?? 60));
  c.header('cache-control', 'no-store');
  return c.json(body, statusByCode[error.code]);
}
