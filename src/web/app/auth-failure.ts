import type { AuthError } from '@supabase/auth-js';

/** A refusal of the account server as a sentence, with the field it belongs to where it belongs to one. */
export type AuthFailure = { message: string; field: 'email' | 'password' | 'fullName' | null };

const fieldByCode: Record<string, AuthFailure['field']> = {
  invalid_credentials: 'password',
  email_not_confirmed: 'email',
  email_address_invalid: 'email',
  weak_password: 'password',
};

/** Reads an error of the account client. A failed connection, which it reports in the browser's words, gets ours. */
export function describeFailure(error: AuthError): AuthFailure {
  if (error.name === 'AuthRetryableFetchError') {
    return { message: "We couldn't reach the server. Check your connection and try again.", field: null };
  }
  return { message: error.message, field: fieldByCode[error.code ?? ''] ?? null };
}
