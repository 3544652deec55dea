import type { AuthError } from '@supabase/auth-js';

export const unreachableMessage = "We couldn't reach the server. Check your connection and try again.";

/** Describes an error of the account client; replaces the browser's own message about a failed connection. */
export const messageOf = ({ name, message }: AuthError): string =>
  name === 'AuthRetryableFetchError' ? unreachableMessage : message;

let retryAt: number | null = null;

/** When the rate limit last reported by the account server ends, in ms since 1970; null if the server did not say. */
export const readRetryAt = (): number | null => retryAt;

/**
 * `fetch` for the account client, which does not expose response headers; records when a rate limit ends.
 */
export const fetchNotingWait: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  const seconds = Number(response.headers.get('retry-after'));
  if (response.status === 429) retryAt = seconds > 0 ? Date.now() + seconds * 1000 : null;
  return response;
};
