import type { AuthError } from '@supabase/auth-js';
import type { AppError } from '#domain/errors.ts';

/**
 * A refusal of the GoTrue-compatible server as a sentence, with the field that it concerns, if any. `retryAt`: when
 * another attempt is allowed after too many, in ms since 1970.
 */
export type AuthFailure = {
  message: string;
  field: 'email' | 'password' | 'fullName' | null;
  retryAt: number | null;
};

const fieldByCode: Record<string, AuthFailure['field']> = {
  invalid_credentials: 'password',
  email_not_confirmed: 'email',
  weak_password: 'password',
  same_password: 'password',
};

/** Reads an error of the account client. A failed connection, for which it quotes the browser, gets our own message. */
export function describeFailure(error: AuthError): AuthFailure {
  if (error.name === 'AuthRetryableFetchError') {
    return {
      message: "We couldn't reach the server. Check your connection and try again.",
      field: null,
      retryAt: null,
    };
  }
  const retryAt = error.status === 429 ? readRetryAt() : null;
  return { message: error.message, field: fieldByCode[error.code ?? ''] ?? fieldNamedIn(error), retryAt };
}

/** The server's validation errors are sentences that name the field. */
function fieldNamedIn({ code, message }: AuthError): AuthFailure['field'] {
  if (code !== 'validation_failed') return null;
  if (/email/i.test(message)) return 'email';
  if (/password/i.test(message)) return 'password';
  return /\bname\b/i.test(message) ? 'fullName' : null;
}

let retryAt: number | null = null;

/**
 * Sends a request of the account client, which does not expose headers, and notes until when the server refuses more.
 */
export const fetchNotingWait: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  const seconds = Number(response.headers.get('retry-after'));
  if (response.status === 429) retryAt = seconds > 0 ? Date.now() + seconds * 1000 : null;
  return response;
};

/** Until when the last refusal for too many attempts holds, in ms since 1970; null if the server did not say. */
export const readRetryAt = (): number | null => retryAt;

/** Until when a call of our own API is refused for too many attempts, in ms since 1970; null for any other refusal. */
export function retryAtOf({ code, details }: AppError): number | null {
  const seconds = Number(details?.retryAfterSeconds);
  return code === 'too_many_requests' && seconds > 0 ? Date.now() + seconds * 1000 : null;
}
