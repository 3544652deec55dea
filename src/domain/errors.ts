import type { statusByCode } from './error-statuses.ts';

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
