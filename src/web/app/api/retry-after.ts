import type { AppError } from '#domain/errors.ts';

let retryAt: number | null = null;

/** Sends a request of the account client, which hands no headers on, and notes until when the server refuses more. */
export const fetchNotingWait: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  const seconds = Number(response.headers.get('retry-after'));
  if (response.status === 429) retryAt = seconds > 0 ? Date.now() + seconds * 1000 : null;
  return response;
};

/** Until when the last refusal for too many tries holds, in ms since 1970; null where the server did not say. */
export const readRetryAt = (): number | null => retryAt;

/** Until when a call of our own API is refused for too many tries, in ms since 1970; null for any other refusal. */
export function retryAtOf({ code, details }: AppError): number | null {
  const seconds = Number(details?.retryAfterSeconds);
  return code === 'too_many_requests' && seconds > 0 ? Date.now() + seconds * 1000 : null;
}
