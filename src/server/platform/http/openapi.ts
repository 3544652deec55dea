import { z } from 'zod';
import type { Endpoint } from '#domain/endpoint.ts';
import { pathParamsOf } from '#domain/endpoint.ts';

/** A JSON Schema of draft 2020-12, as far as zod writes it. */
export type JsonSchema = {
  type?: string | string[];
  format?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  [keyword: string]: unknown;
};

type Content = { 'application/json': { schema: JsonSchema } };
export type Operation = {
  operationId: string;
  summary: string;
  'x-gate': string;
  security?: Record<string, string[]>[];
  parameters?: { name: string; in: 'path' | 'query'; required: boolean; schema: JsonSchema }[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, { description: string; content?: Content }>;
};

/** An OpenAPI 3.1 document of this API. */
export type ApiDescription = {
  openapi: string;
  info: { title: string; version: string; description: string };
  paths: Record<string, Record<string, Operation>>;
  components: {
    securitySchemes: Record<string, Record<string, string>>;
    schemas: Record<string, JsonSchema>;
  };
};

/** The input or output of a zod schema as JSON Schema. */
export const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest as JsonSchema;
};

/** Merges the parts of an intersection into one object schema, as far as parameters need it. */
function flatten(schema: JsonSchema): JsonSchema {
  if (!schema.allOf) return schema;
  const parts = schema.allOf.map(flatten);
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map((part) => part.properties)),
    required: parts.flatMap((part) => part.required ?? []),
  };
}

/** The fields of a schema as query parameters. */
export function describeParameters(
  schema: z.ZodObject,
  location: 'query',
): NonNullable<Operation['parameters']> {
  const { properties = {}, required = [] } = schemaOf(schema, 'input');
  return Object.entries(properties).map(([name, field]) => ({
    name,
    in: location,
    required: required.includes(name),
    schema: field,
  }));
}

/**
 * The OpenAPI 3.1 description of these endpoints, generated from their zod schemas, and of the GoTrue-compatible
 * server, whose paths are given.
 */
export function describeApi(
  endpoints: readonly Endpoint[],
  title: string,
  authPaths: ApiDescription['paths'] = {},
): ApiDescription {
  const paths: ApiDescription['paths'] = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:([A-Za-z]+)/g, '{$1}');
    paths[path] ??= {};
    paths[path][endpoint.method.toLowerCase()] = describeOperation(endpoint);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `${title} API`,
      version: '1',
      description: 'Money is in pence, instants are ISO 8601 in UTC.',
    },
    paths: { ...paths, ...authPaths },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: errorSchema, AuthError: authErrorSchema },
    },
  };
}

function describeOperation(endpoint: Endpoint): Operation {
  const params = pathParamsOf(endpoint.path);
  const input = nameInput(flatten(schemaOf(endpoint.input, 'input')), endpoint);
  const properties = Object.entries(input.properties ?? {});
  const takesBody = endpoint.method !== 'GET' && endpoint.method !== 'DELETE';
  const required = new Set(input.required ?? []);
  const parameters = properties
    .filter(([name]) => params.includes(name) || !takesBody)
    .map(([name, schema]) => ({
      name,
      in: params.includes(name) ? ('path' as const) : ('query' as const),
      required: params.includes(name) || required.has(name),
      schema,
    }));
  const body = takesBody ? properties.filter(([name]) => !params.includes(name)) : [];
  const bodySchema: JsonSchema = {
    type: 'object',
    properties: Object.fromEntries(body),
    required: body.map(([name]) => name).filter((name) => required.has(name)),
  };
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    'x-gate': endpoint.gate,
    ...(endpoint.gate === 'public' ? {} : { security: [{ bearer: [] }] }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body.length > 0
      ? { requestBody: { required: true, content: { 'application/json': { schema: bodySchema } } } }
      : {}),
    responses: {
      200: {
        description: 'Done.',
        content: {
          'application/json': { schema: nameOutput(schemaOf(endpoint.output, 'output'), endpoint) },
        },
      },
      ...describeRefusals(endpoint, { takesBody, takesInput: properties.length > 0 }),
    },
  };
}

/** The input under the specification's names. The contract's names are accepted too, and documented. */
function nameInput(input: JsonSchema, { wireNames = {} }: Endpoint): JsonSchema {
  const properties = Object.entries(input.properties ?? {}).map(([name, schema]) =>
    Object.hasOwn(wireNames, name)
      ? [wireNames[name], { ...schema, description: `Also taken as ${name}.` }]
      : [name, schema],
  );
  return {
    ...input,
    properties: Object.fromEntries(properties),
    required: (input.required ?? []).map((name) =>
      Object.hasOwn(wireNames, name) ? wireNames[name]! : name,
    ),
  };
}

/** The output with the specification's names beside the contract's. */
function nameOutput(output: JsonSchema, { wireNames = {} }: Endpoint): JsonSchema {
  const { properties = {}, required = [] } = output;
  const named = Object.entries(wireNames).filter(([name]) => Object.hasOwn(properties, name));
  if (named.length === 0) return output;
  return {
    ...output,
    properties: {
      ...Object.fromEntries(named.map(([name, wireName]) => [wireName, properties[name]!])),
      ...properties,
    },
    required: [...named.map(([, wireName]) => wireName), ...required],
  };
}

function describeRefusals(
  { gate, path, reauthenticate }: Endpoint,
  { takesBody, takesInput }: { takesBody: boolean; takesInput: boolean },
): Operation['responses'] {
  const content: Content = { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } };
  const hasRole = gate !== 'public' && gate !== 'signedIn';
  const refusals: [status: string, description: string, isPossible: boolean][] = [
    ['400', 'The body is no JSON object.', takesBody],
    ['401', 'Nobody is signed in, or the sign-in has ended.', gate !== 'public'],
    ['403', 'The person lacks the role.', hasRole && !reauthenticate],
    [
      '403',
      `${hasRole ? 'The person lacks the role, or has' : 'The person has'} not proved who they are in the last 15 minutes (\`confirmation_required\`).`,
      Boolean(reauthenticate),
    ],
    ['404', 'There is no such record, or it is another person’s.', path.includes(':')],
    ['413', 'The body is too large.', takesBody],
    ['415', 'The body is not sent as JSON.', takesBody],
    ['422', 'Something is wrong with the input; `fields` says what.', takesInput],
    ['default', 'Refused for another reason; `message` is a sentence for the person.', true],
  ];
  return Object.fromEntries(
    refusals.flatMap(([status, description, isPossible]) =>
      isPossible ? [[status, { description, content }]] : [],
    ),
  );
}

const errorSchema: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: {
        code: { type: 'string' },
        message: { type: 'string' },
        fields: { type: 'object', additionalProperties: { type: 'string' } },
        details: { type: 'object' },
        requestId: { type: 'string' },
      },
    },
  },
};

/** The refusals of `/auth/v1`, as auth-js reads them. */
const authErrorSchema: JsonSchema = {
  type: 'object',
  required: ['code', 'error_code', 'msg'],
  properties: {
    code: { type: 'string' },
    error_code: { type: 'string' },
    msg: { type: 'string' },
    weak_password: { type: 'object' },
  },
};
