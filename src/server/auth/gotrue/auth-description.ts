import { z } from 'zod';
import { type DescribedCall, jsonOf } from '#server/platform/openapi/describe-api.ts';
import type { JsonSchema, Schemas } from '#server/platform/openapi/json-schema.ts';
import {
  describeRefusals,
  type Response,
  type Responses,
  retryAfter,
  toPascalCase,
} from '#server/platform/openapi/refusals.ts';
import { type AuthCall, type AuthCodes, appId, authCalls } from './auth-calls.ts';
import { authErrorCodes } from './auth-refusal.ts';

/** Lists the `/auth/v1` calls for the API description, except the GoTrue calls that this server always refuses. */
export function describeAuthCalls(schemas: Schemas, shared: Record<string, Response>): DescribedCall[] {
  schemas.add('AuthRefusal', authRefusal);
  const { default: _, ...byTransport } = describeRefusals(['headers_too_large'], shared);
  return Object.entries(authCalls).map(([address, call]): DescribedCall => {
    const [method, path] = address.split(' ') as [DescribedCall['method'], string];
    const query = schemas.read(call.query ?? z.object({}), 'input');
    const inPath: Record<string, JsonSchema> = {};
    if (path.includes(':factorId')) inPath.factorId = schemas.read(appId, 'input');
    const name = toPascalCase(call.operationId);
    return {
      operationId: call.operationId,
      summary: call.summary,
      description: call.description,
      gate: call.gate,
      method,
      path: `/auth/v1${path}`,
      parameters: { ...query, properties: { ...inPath, ...query.properties } },
      ...(call.body ? { body: schemas.add(`${name}Request`, schemas.read(call.body, 'input')) } : {}),
      responses: {
        ...describeAnswer(call.answer, name, schemas),
        ...byTransport,
        ...describeAuthRefusals(call),
      },
    };
  });
}

function describeAnswer(answer: AuthCall['answer'], name: string, schemas: Schemas): Responses {
  if (answer === 'nothing') return { 204: { description: 'Done.' } };
  if (answer === 'redirect') return { 303: { description: 'Redirects to the site.' } };
  const schema = schemas.read(answer, 'output');
  const shown = schema.$ref ? schema : schemas.add(`${name}Response`, schema);
  return { 200: { description: 'Done.', content: jsonOf(shown, schemas.resolve) } };
}

function describeAuthRefusals({ body, gate, refusals = {} }: AuthCall): Responses {
  const implied: AuthCodes[] = [
    body ? { 400: ['validation_failed', 'bad_json'], 413: ['validation_failed'], 415: ['bad_json'] } : {},
    gate === 'signedIn' ? { 401: ['no_authorization'], 403: ['bad_jwt', 'session_not_found'] } : {},
    { 503: ['unexpected_failure'] },
    refusals,
  ];
  const byStatus: Record<string, string[]> = {};
  for (const [status, codes] of implied.flatMap((some) => Object.entries(some))) {
    byStatus[status] = [...(byStatus[status] ?? []), ...codes];
  }
  const described = Object.entries(byStatus).map(([status, codes]) => [status, describeCodes(status, codes)]);
  return {
    ...Object.fromEntries(described),
    default: {
      description: 'Refused for another reason.',
      content: jsonContent({ $ref: '#/components/schemas/AuthRefusal' }),
    },
  };
}

const jsonContent = (schema: JsonSchema, example?: object) => ({ 'application/json': { schema, example } });

function describeCodes(status: string, codes: string[]): Responses[string] {
  const example = { code: codes[0], error_code: codes[0], msg: 'A sentence for the user.' };
  return {
    description: codes.map((code) => `\`${code}\``).join(', '),
    ...(status === '429' || status === '503' ? { headers: { 'Retry-After': retryAfter } } : {}),
    content: jsonContent(refusalWith({ type: 'string', enum: codes }), example),
  };
}

/** An error response of `/auth/v1`, in the format that auth-js expects. */
const refusalWith = (code: JsonSchema): JsonSchema => ({
  type: 'object',
  required: ['code', 'error_code', 'msg'],
  properties: {
    code: { type: 'string', description: 'The same as `error_code`.' },
    error_code: code,
    msg: { type: 'string', description: 'A sentence for the user.' },
    weak_password: {
      type: 'object',
      description: 'Present only with `weak_password`.',
      properties: { message: { type: 'string' }, reasons: { type: 'array', items: { type: 'string' } } },
    },
  },
});

const authRefusal: JsonSchema = {
  ...refusalWith({ type: 'string', enum: [...authErrorCodes] }),
  description: 'An error response of the accounts server, in the format that auth-js expects.',
};
