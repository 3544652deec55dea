import { z } from 'zod';
import { type Endpoint, hasBody, pathParamsOf } from '#domain/endpoint.ts';
import { statusByCode } from '#domain/error-statuses.ts';
import type { ErrorCode } from '#domain/errors.ts';
import type { JsonSchema } from './json-schema.ts';

/** What each code means to a developer who calls the API. */
const meanings: Record<ErrorCode, string> = {
  bad_request: 'The body is not a JSON object in UTF-8.',
  unauthenticated: 'The access token is missing or has expired, or its session has ended.',
  second_step_required: "The session still needs the authenticator app's code.",
  payment_failed:
    'The payment failed and nothing was charged, or it succeeded too late and is refunded in full.',
  forbidden: 'The caller lacks the required role or permission.',
  confirmation_required:
    'The caller last proved their identity more than 15 minutes ago; a password or code is needed again.',
  not_found: 'The record does not exist, or it belongs to another person.',
  method_not_allowed: 'The URL does not support this method.',
  request_timeout: 'The request took too long to arrive.',
  conflict: 'The state of the record does not allow this; `message` says why.',
  price_changed: 'The price has changed since the caller read it.',
  selection_changed: 'The bookings have changed since the preview.',
  time_changed: 'The lesson is at a different time from the one that was sent.',
  location_changed: 'The lesson is at a different location from the one that was sent.',
  slot_full: 'The lesson is full.',
  slot_unavailable: 'The lesson is cancelled or has started, or its coach takes no bookings.',
  already_booked: 'The participant already has a seat in this lesson.',
  overlap: 'The lesson overlaps another lesson of the coach or the participant.',
  no_card: 'The customer has no saved card.',
  age_range:
    "The participant is outside the lesson's age range, their date of birth is missing, or the coach can't teach under-18s in this lesson.",
  care_needed: "The participant's care details are missing, or were last confirmed more than 6 months ago.",
  payload_too_large: 'The body is larger than 64 kB.',
  unsupported_media_type: 'The body is not sent as application/json.',
  unprocessable: 'A field is missing or invalid; `fields` has a sentence for each.',
  too_many_requests: 'The account or the IP address has made too many calls of this kind.',
  headers_too_large: 'The URL or the headers are too long.',
  internal: 'Something failed on the server; `requestId` identifies it in the log.',
  unavailable: 'The server, its database or Stripe is too busy or unreachable.',
};

/**
 * The codes that a call can be refused with: those that follow from its gate, path and input, and those that its
 * contract names.
 */
export function listRefusals(endpoint: Endpoint): ErrorCode[] {
  const { method, gate, path, input, reauthenticate, refusals = [] } = endpoint;
  const takesBody = hasBody(endpoint);
  const implied: [ErrorCode, boolean][] = [
    ['bad_request', takesBody],
    // Even public calls refuse an expired token.
    ['unauthenticated', true],
    ['second_step_required', true],
    ['forbidden', gate !== 'public' && gate !== 'signedIn'],
    ['confirmation_required', Boolean(reauthenticate)],
    ['not_found', pathParamsOf(path).length > 0],
    ['payload_too_large', takesBody],
    ['unsupported_media_type', takesBody],
    ['unprocessable', !(input instanceof z.ZodObject) || Object.keys(input.shape).length > 0],
    // The audit log limits how many changes a user may make.
    ['too_many_requests', gate !== 'public' && method !== 'GET'],
    ['headers_too_large', true],
    ['unavailable', true],
  ];
  const codes = new Set([
    ...implied.flatMap(([code, isPossible]) => (isPossible ? [code] : [])),
    ...refusals,
  ]);
  return (Object.keys(statusByCode) as ErrorCode[]).filter((code) => codes.has(code));
}

export type Response = {
  description: string;
  headers?: Record<string, { $ref: string }>;
  content?: { 'application/json': { schema: JsonSchema; example?: unknown } };
};
export type Responses = Record<string, Response | { $ref: string }>;

/** The responses to refusals with these codes, by status. A response with one or two codes is put into `shared`. */
export function describeRefusals(codes: readonly ErrorCode[], shared: Record<string, Response>): Responses {
  const statuses = new Set(codes.map((code) => statusByCode[code]));
  const described = [...statuses].map((status) => {
    const here = codes.filter((code) => statusByCode[code] === status);
    const response = describeRefusal(here);
    if (here.length > 2) return [status, response];
    const name = here.map(toPascalCase).join('Or');
    shared[name] = response;
    return [status, { $ref: `#/components/responses/${name}` }];
  });
  shared.OtherRefusal = {
    description: 'Refused for another reason.',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
  };
  return { ...Object.fromEntries(described), default: { $ref: '#/components/responses/OtherRefusal' } };
}

function describeRefusal(codes: ErrorCode[]): Response {
  const [first] = codes as [ErrorCode];
  const status = statusByCode[first];
  const error = {
    code: first,
    message: 'A sentence for the user.',
    requestId: 'c0ffee00-0000-4000-8000-000000000000',
  };
  return {
    description: codes.map((code) => `\`${code}\`: ${meanings[code]}`).join('\n\n'),
    ...(status === 429 || status === 503 ? { headers: { 'Retry-After': retryAfter } } : {}),
    content: {
      'application/json': { schema: refusalWith({ type: 'string', enum: codes }), example: { error } },
    },
  };
}

export const retryAfter = { $ref: '#/components/headers/RetryAfter' };

/** The schema of a refusal, with this schema for its code. */
const refusalWith = (code: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code,
        message: { type: 'string', description: 'A sentence for the user.' },
        fields: {
          type: 'object',
          additionalProperties: { type: 'string' },
          description: 'A sentence for each invalid field, by field name.',
        },
        details: { type: 'object', description: 'More data about the refusal, such as the new price.' },
        requestId: { type: 'string', description: 'Identifies the call in the server log.' },
      },
    },
  },
});

/** `get_payrun_csv_rows` → `GetPayrunCsvRows`. */
export const toPascalCase = (name: string): string =>
  name.replace(/(?:^|[_-])(\w)/g, (_, letter: string) => letter.toUpperCase());

export const refusalSchemas: Record<string, JsonSchema> = {
  RefusalCode: {
    type: 'string',
    enum: Object.keys(statusByCode),
    description: 'Why a call was refused. Each code has one HTTP status.',
  },
  Refusal: {
    ...refusalWith({ $ref: '#/components/schemas/RefusalCode' }),
    description: 'A refused call, with its code and a message for the user.',
  },
};
