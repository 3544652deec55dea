import type { AuthError } from '@supabase/auth-js';

export const unreachableMessage = "We couldn't reach the server. Check your connection and try again.";

/** A failure of the account client as a sentence; for a failed connection it would quote the browser. */
export const messageOf = ({ name, message }: AuthError): string =>
  name === 'AuthRetryableFetchError' ? unreachableMessage : message;

let retryAt: number | null = null;

/** Until when the account server's last refusal for too many attempts holds, in ms since 1970; null if it did not say. */
export const readRetryAt = (): number | null => retryAt;

/**
 * Sends a request of the account client, which does not expose headers, and notes until when the server refuses more.
 */
export const fetchNotingWait: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  const seconds = Number(response.headers.get('retry-after'));
  if (response.status === 429) retryAt = seconds > 0 ? Date.now() + seconds * 1000 : null;
  return response;
};
