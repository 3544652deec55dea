import type { AuthError } from '@supabase/auth-js';
import { AppError } from '#domain/errors.ts';

/**
 * A refusal as a sentence, and at the fields that it concerns, if any. `retryAt`: when another attempt is allowed after
 * too many, in ms since 1970.
 */
export type Refusal = { message: string; fields: Record<string, string>; retryAt: number | null };

const fieldByCode: Record<string, string> = {
  invalid_credentials: 'password',
  email_not_confirmed: 'email',
  weak_password: 'password',
  same_password: 'password',
};

/**
 * Reads a refusal of the API or of the account client. A failed connection, for which the account client quotes the
 * browser, gets our own message.
 */
export function describeRefusal(error: AppError | AuthError): Refusal {
  const { message } = error;
  if (error instanceof AppError) {
    const seconds = Number(error.details?.retryAfterSeconds);
    const isTooMany = error.code === 'too_many_requests' && seconds > 0;
    return { message, fields: error.fields ?? {}, retryAt: isTooMany ? Date.now() + seconds * 1000 : null };
  }
  if (error.name === 'AuthRetryableFetchError') {
    return {
      message: "We couldn't reach the server. Check your connection and try again.",
      fields: {},
      retryAt: null,
    };
  }
  const field = fieldByCode[error.code ?? ''] ?? fieldNamedIn(error);
  return {
    message,
    fields: field ? { [field]: message } : {},
    retryAt: error.status === 429 ? retryAt : null,
  };
}

/** The server's validation errors are sentences that name the field. */
function fieldNamedIn({ code, message }: AuthError): string | null {
  if (code !== 'validation_failed') return null;
  if (/email/i.test(message)) return 'email';
  if (/password/i.test(message)) return 'password';
  return /\bname\b/i.test(message) ? 'fullName' : null;
}

/** Until when the account server's last refusal for too many attempts holds; null if it did not say. */
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
