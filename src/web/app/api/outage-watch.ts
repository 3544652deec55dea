import type { QueryClient } from '@tanstack/react-query';
import { AppError } from '#domain/errors.ts';

/** Where no answer came, or one that the server cannot work right now. */
export const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'unavailable';

let isWatching = false;

/**
 * To be called when a read failed for want of an answer. While the server as a whole cannot work it is asked every few
 * seconds; once it can, what the page failed to read is read again. A single read that fails while the rest works is
 * left to the button on its screen.
 */
export async function watchOutage(client: QueryClient): Promise<void> {
  if (isWatching) return;
  isWatching = true;
  try {
    if (await isHealthy()) return;
    // Not all browsers at the same moment.
    do await new Promise((resolve) => setTimeout(resolve, 2_000 + Math.random() * 2_000));
    while (!(await isHealthy()));
    await client.refetchQueries({ type: 'active', predicate: ({ state }) => isUnavailable(state.error) });
  } finally {
    isWatching = false;
  }
}

function isHealthy(): Promise<boolean> {
  return fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(8_000) }).then(
    ({ ok }) => ok,
    () => false,
  );
}
