import type { PaymentIntent, PaymentMethod, SetupIntent } from '../objects/records.ts';

export interface ErrorBody {
  type: 'api_error' | 'card_error' | 'idempotency_error' | 'invalid_request_error';
  message: string;
  code?: string;
  decline_code?: string;
  param?: string;
  charge?: string;
  doc_url?: string;
  payment_intent?: PaymentIntent;
  setup_intent?: SetupIntent;
  payment_method?: PaymentMethod;
  payment_method_type?: string;
}

/** A response in Stripe's error shape: `{ error: … }` with its HTTP status. */
export class StripeError extends Error {
  readonly status: number;
  readonly error: ErrorBody;

  constructor(status: number, error: ErrorBody) {
    super(error.message);
    this.status = status;
    this.error = error.code
      ? { ...error, doc_url: `https://stripe.com/docs/error-codes/${error.code.replaceAll('_', '-')}` }
      : error;
  }
}

export function invalidRequest(message: string, code?: string, param?: string): StripeError {
  return new StripeError(400, {
    type: 'invalid_request_error',
    message,
    ...(code && { code }),
    ...(param && { param }),
  });
}

/** Returns Stripe's error for an unknown id: 404 if the id is in the path, 400 if the id is in a parameter. */
export function missingResource(kind: string, id: string, param: string): StripeError {
  return new StripeError(param === 'id' || param === 'intent' ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    message: `No such ${kind}: '${id}'`,
    param,
  });
}

export interface Decline {
  code: string;
  message: string;
  declineCode?: string;
}

export function cardError(decline: Decline, extra: Partial<ErrorBody> = {}): StripeError {
  return new StripeError(402, {
    type: 'card_error',
    code: decline.code,
    message: decline.message,
    ...(decline.declineCode && { decline_code: decline.declineCode }),
    ...extra,
  });
}
