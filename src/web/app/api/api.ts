import { type QueryClient, type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { Endpoint, InputOf, OutputOf } from '#domain/endpoint.ts';
import { requestOf } from '#domain/endpoint.ts';
import { AppError, type ErrorBody, type ErrorCode } from '#domain/errors.ts';
import { unreachableMessage } from '../auth/auth-failure.ts';
import { readAccessToken, recheckSession } from '../auth/session.ts';

/**
 * Calls an endpoint and returns its output. Throws the server's {@link AppError}, or an `AppError` with the code
 * `unavailable` if there is no valid response. After `signal` is aborted, throws the error of `fetch`.
 */
export async function callApi<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  signal?: AbortSignal,
): Promise<OutputOf<E>> {
  const { path, query, body: sent } = requestOf(endpoint, input);
  const search = new URLSearchParams(query);
  const headers: Record<string, string> = { accept: 'application/json' };
  if (sent !== null) headers['content-type'] = 'application/json';
  const token = await readAccessToken();
  if (token) headers.authorization = `Bearer ${token}`;
  let response: Response;
  try {
    response = await fetch(search.size > 0 ? `${path}?${search}` : path, {
      method: endpoint.method,
      headers,
      body: sent,
      signal: signal ?? null,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new AppError('unavailable', unreachableMessage);
  }
  const body = await response.json().catch(() => null);
  if (response.ok && body !== null) return body as OutputOf<E>;
  const failure = (body as ErrorBody | null)?.error;
  if (failure && isSessionOver(failure)) void recheckSession();
  throw failure
    ? new AppError(failure.code, failure.message, { fields: failure.fields, details: failure.details })
    : new AppError('unavailable', "The server isn't responding right now. Please try again in a moment.");
}

/**
 * True if a call was refused because nobody is signed in or the session lacks its second step. Dialogs then stay in the
 * URL, so that they reopen after sign-in.
 */
export const isSessionOver = ({ code }: { code: ErrorCode }): boolean =>
  code === 'unauthenticated' || code === 'second_step_required';

/** The cache key of a call: the operation id, then the input; without an input, the prefix of every call's key. */
export function keyOf<E extends Endpoint>(endpoint: E, input?: InputOf<E>): readonly unknown[] {
  return input === undefined ? [endpoint.operationId] : [endpoint.operationId, input];
}

/** Queries an endpoint for a screen; its output is cached by operation and input and refetched when invalidated. */
export function useApi<E extends Endpoint>(
  endpoint: E,
  input: InputOf<E>,
  options: { enabled?: boolean; staleTime?: number; refetchInterval?: number } = {},
): UseQueryResult<OutputOf<E>, AppError> {
  return useQuery<OutputOf<E>, AppError>({
    queryKey: keyOf(endpoint, input),
    queryFn: ({ signal }) => callApi(endpoint, input, signal),
    ...options,
  });
}

/** Identifies all cached responses of an endpoint, for every input; see {@link keyOf}. */
export type Read = Pick<Endpoint, 'operationId'>;

/** Invalidates all queries of these endpoints, even running queries, and refetches those on the screen. */
export async function invalidate(client: QueryClient, endpoints: readonly Read[]): Promise<void> {
  await Promise.all(
    endpoints.map(({ operationId }) => {
      const queryKey = [operationId];
      // Without the cancellation, a first response that is still on its way would count as fresh.
      void client.cancelQueries({ queryKey });
      return client.invalidateQueries({ queryKey });
    }),
  );
}
