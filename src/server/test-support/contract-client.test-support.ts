import type { Endpoint, InputOf, OutputOf } from '#domain/endpoint.ts';
import { requestOf } from '#domain/endpoint.ts';
import type { ErrorBody } from '#domain/errors.ts';
import { listRefusals } from '#server/platform/openapi/refusals.ts';

/** A signed-in person in a test. */
export type Someone = { userId: string; email: string; token: string };

/** The result of a call: the status, and either the output or the error. */
export type Answer<T> = { status: number; body: T; error: ErrorBody['error'] | undefined };

export type Caller = Pick<Someone, 'token'> | null;
export type Sending = { headers?: Record<string, string>; signal?: AbortSignal };

/** A refusal that the API description does not list. */
export class UndocumentedRefusal extends Error {
  readonly answer: Answer<undefined>;

  constructor({ operationId }: Endpoint, status: number, error: ErrorBody['error']) {
    super(`${operationId} returned ${error.code}: add it to \`refusals\` in its contract`);
    this.answer = { status, body: undefined, error };
  }
}

/**
 * Calls an endpoint of the server at `url` as someone, or as a signed-out visitor (null), through HTTP. Throws if
 * nothing responds, when `signal` is aborted, and {@link UndocumentedRefusal} for a refusal other than `internal` that
 * the API description does not list.
 */
export async function callEndpoint<E extends Endpoint>(
  url: string,
  who: Caller,
  endpoint: E,
  input: InputOf<E>,
  sending: Sending = {},
): Promise<Answer<OutputOf<E>>> {
  const { path, query, body: sent } = requestOf(endpoint, input);
  const response = await send(
    `${url}${path}?${new URLSearchParams(query)}`,
    endpoint.method,
    who,
    sent,
    sending,
  );
  const body = await response.json();
  const { error } = body as Partial<ErrorBody>;
  if (error && error.code !== 'internal' && !listRefusals(endpoint).includes(error.code)) {
    throw new UndocumentedRefusal(endpoint, response.status, error);
  }
  return { status: response.status, body, error };
}

/** The output of a call; throws if the call was refused. */
export async function outputOf<T>(answer: Promise<Answer<T>>): Promise<T> {
  const { status, body, error } = await answer;
  if (status !== 200) throw new Error(`Refused with ${status} ${error?.code}: ${error?.message}`);
  return body;
}

/** How to call the GoTrue-compatible server: by default with a POST and an empty body. */
export type AuthSending = Sending & { method?: string; body?: object };

/** A session as the GoTrue-compatible server returns it. */
export type Session = {
  access_token: string;
  refresh_token: string;
  /** Seconds since 1970. */
  expires_at: number;
  user: { id: string };
};

/**
 * Calls the GoTrue-compatible server. `path` is relative to /auth/v1. Returns an empty `body` if the server sends none.
 */
export async function callAuth<T = Record<string, string>>(
  url: string,
  who: Caller,
  path: string,
  { method = 'POST', body = {}, ...sending }: AuthSending = {},
): Promise<{ status: number; body: T }> {
  const sent = method === 'GET' || method === 'DELETE' ? null : JSON.stringify(body);
  const response = await send(`${url}/auth/v1${path}`, method, who, sent, sending);
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text || '{}') };
}

/** Signs in with a password; throws if sign-in is refused. */
export async function openSession(
  url: string,
  credentials: { email: string; password: string },
  sending: Sending = {},
): Promise<Session> {
  const path = '/token?grant_type=password';
  const { status, body } = await callAuth<Session>(url, null, path, { body: credentials, ...sending });
  if (status !== 200) throw new Error(`No session for ${credentials.email}: ${JSON.stringify(body)}`);
  return body;
}

const send = (
  address: string,
  method: string,
  who: Caller,
  body: string | null,
  { headers = {}, signal }: Sending,
): Promise<Response> =>
  fetch(address, {
    method,
    headers: {
      ...(who ? { authorization: `Bearer ${who.token}` } : {}),
      ...(body === null ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    body,
    signal: signal ?? null,
  });
