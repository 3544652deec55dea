/** The HTTP status of each error code; there is no other mapping. */
export const statusByCode = {
  bad_request: 400,
  unauthenticated: 401,
  second_step_required: 401,
  payment_failed: 402,
  forbidden: 403,
  confirmation_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  conflict: 409,
  price_changed: 409,
  selection_changed: 409,
  time_changed: 409,
  location_changed: 409,
  slot_full: 409,
  slot_unavailable: 409,
  already_booked: 409,
  overlap: 409,
  no_card: 409,
  age_range: 409,
  care_needed: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  too_many_requests: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof statusByCode;

/** Messages by input field name (`title`, `dates.0`), each a sentence shown at that field. */
export type FieldErrors = Record<string, string>;

/**
 * A refusal with a message for people. The server throws it, and the browser throws it again. `message` is a
 * sentence for the person; `details` carries data that the screen needs, such as the new price.
 */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  readonly details: Record<string, unknown> | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    extra: { fields?: FieldErrors; details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.name = 'AppError';
    this.code = code;
    this.fields = extra.fields;
    this.details = extra.details;
  }

  /** HTTP status of this error's code. */
  get status(): number {
    return statusByCode[this.code];
  }
}

/** Why an action is not allowed, as returned by a pure rule; null if it is allowed. */
export type Refusal = { code: ErrorCode; message: string; fields?: FieldErrors } | null;

/** Turns a rule's refusal into a thrown {@link AppError}; does nothing for null. */
export function assertAllowed(refusal: Refusal): void {
  if (refusal) throw new AppError(refusal.code, refusal.message, { fields: refusal.fields });
}

/** The body of every error response of the API. */
export type ErrorBody = {
  error: {
    code: ErrorCode;
    message: string;
    fields?: FieldErrors;
    details?: Record<string, unknown>;
    requestId?: string;
  };
};
