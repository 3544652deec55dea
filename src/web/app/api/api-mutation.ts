import { type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Endpoint, InputOf, OutputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import { askForIdentity } from '../auth/reauthentication.ts';
import { callApi, invalidate, type Read } from './api.ts';

/**
 * Changes data through an endpoint, and asks for a proof of identity if the server requires one. On
 * success, refetches the endpoints in `invalidates` and then calls `onSuccess`. Unlike the callbacks of
 * `mutate`, `onSuccess` runs even if the new data has removed the component. Mutations with the same `queue`
 * run one after the other, in the order in which they were requested.
 */
export function useApiMutation<E extends Endpoint>(
  endpoint: E,
  {
    invalidates = [],
    onSuccess,
    queue,
  }: {
    invalidates?: readonly Read[];
    onSuccess?: (output: OutputOf<E>, input: InputOf<E>) => void;
    queue?: string;
  } = {},
): UseMutationResult<OutputOf<E>, AppError, InputOf<E>> {
  const client = useQueryClient();
  return useMutation<OutputOf<E>, AppError, InputOf<E>>({
    ...(queue && { scope: { id: queue } }),
    mutationFn: (input) => callConfirmed(endpoint, input),
    onSuccess: async (output, input) => {
      await invalidate(client, invalidates);
      onSuccess?.(output, input);
    },
  });
}

/**
 * Calls an endpoint. If the server requires a recent proof of identity, asks for one and calls again; throws
 * `confirmation_required` if the person closes the dialog.
 */
async function callConfirmed<E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> {
  try {
    return await callApi(endpoint, input);
  } catch (error) {
    const isProved = error instanceof AppError ? await askForIdentity(error) : undefined;
    if (isProved) return callApi(endpoint, input);
    if (isProved === undefined) throw error;
    throw new AppError('confirmation_required', "We couldn't confirm that it's you, so nothing has changed.");
  }
}
