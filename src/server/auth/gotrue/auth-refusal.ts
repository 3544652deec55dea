import { AppError } from '#domain/errors.ts';
import { readDatabaseFailure } from '#server/platform/db/database-failure.ts';

/** The error codes of auth-js (its src/lib/error-codes.ts) that this server returns. */
export const authErrorCodes = [
  'unexpected_failure',
  'validation_failed',
  'bad_json',
  'bad_jwt',
  'no_authorization',
  'not_found',
  'session_not_found',
  'refresh_token_not_found',
  'refresh_token_already_used',
  'invalid_credentials',
  'current_password_required',
  'current_password_invalid',
  'reauthentication_not_valid',
  'same_password',
  'email_not_confirmed',
  'email_exists',
  'user_already_exists',
  'weak_password',
  'reauthentication_needed',
  'insufficient_aal',
  'mfa_factor_not_found',
  'mfa_challenge_expired',
  'mfa_verification_failed',
  'too_many_enrolled_mfa_factors',
  'otp_expired',
  'otp_disabled',
  'anonymous_provider_disabled',
  'phone_provider_disabled',
  'provider_disabled',
  'web3_provider_disabled',
  'saml_provider_disabled',
  'manual_linking_disabled',
  'mfa_phone_enroll_not_enabled',
  'mfa_webauthn_enroll_not_enabled',
  'over_request_rate_limit',
  'over_email_send_rate_limit',
] as const;
export type AuthErrorCode = (typeof authErrorCodes)[number];

/** An error from `/auth/v1` with auth-js's code; `message` is shown to the person. */
export class AuthRefusal extends Error {
  readonly status: 400 | 401 | 403 | 404 | 405 | 413 | 415 | 422 | 429 | 500 | 503;
  readonly code: AuthErrorCode;
  readonly extra: { reasons?: string[]; retryAfterSeconds?: number };

  constructor(
    status: AuthRefusal['status'],
    code: AuthErrorCode,
    message: string,
    extra: AuthRefusal['extra'] = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.extra = extra;
  }

  /** The JSON body: `code` for clients that request API version 2024-01-01, `error_code` and `msg` for others. */
  toBody(): Record<string, unknown> {
    const { reasons } = this.extra;
    return {
      code: this.code,
      error_code: this.code,
      msg: this.message,
      ...(reasons ? { weak_password: { message: this.message, reasons } } : {}),
    };
  }
}

/** Converts an error to a refusal; returns null for an unexpected failure. */
export function readAuthRefusal(error: unknown): AuthRefusal | null {
  if (error instanceof AuthRefusal) return error;
  if (error instanceof AppError && error.code === 'payload_too_large') {
    return new AuthRefusal(413, 'validation_failed', error.message);
  }
  if (error instanceof AppError && error.code === 'bad_request') {
    return new AuthRefusal(400, 'bad_json', error.message);
  }
  if (error instanceof AppError && error.code === 'too_many_requests') {
    const { retryAfterSeconds = 60 } = (error.details ?? {}) as { retryAfterSeconds?: number };
    return new AuthRefusal(429, 'over_request_rate_limit', error.message, { retryAfterSeconds });
  }
  const failure = readDatabaseFailure(error);
  if (failure?.code === 'unprocessable') return new AuthRefusal(422, 'validation_failed', failure.message);
  return failure && new AuthRefusal(503, 'unexpected_failure', failure.message, { retryAfterSeconds: 1 });
}

/** Converts a refusal for API calls outside `/auth/v1`; returns other errors unchanged. */
export function toAppError(error: unknown): unknown {
  if (!(error instanceof AuthRefusal)) return error;
  const { retryAfterSeconds } = error.extra;
  const code = error.status === 429 ? 'too_many_requests' : 'unprocessable';
  return new AppError(code, error.message, retryAfterSeconds ? { details: { retryAfterSeconds } } : {});
}
