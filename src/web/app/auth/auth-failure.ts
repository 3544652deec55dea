import type { AuthError } from '@supabase/auth-js';
import { readRetryAt } from '../api/retry-after.ts';

/**
 * A refusal of the account server as a sentence, with the field it belongs to where it belongs to one. `retryAt`: when
 * another try is allowed after too many of them, in ms since 1970.
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

/** Reads an error of the account client. A failed connection, which it reports in the browser's words, gets ours. */
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

/** The server's checks of what was typed answer with a sentence that names the field. */
function fieldNamedIn({ code, message }: AuthError): AuthFailure['field'] {
  if (code !== 'validation_failed') return null;
  if (/email/i.test(message)) return 'email';
  if (/password/i.test(message)) return 'password';
  return /\bname\b/i.test(message) ? 'fullName' : null;
}
