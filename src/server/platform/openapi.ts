import { z } from 'zod';
import type { Endpoint } from '#domain/endpoint.ts';
import { pathParamsOf } from '#domain/endpoint.ts';

type JsonSchema = { properties?: Record<string, unknown>; required?: string[]; [key: string]: unknown };

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as JsonSchema;
  return rest;
};

/** Merges the parts of an intersection into one object schema, as far as parameters need it. */
function flatten(schema: JsonSchema): JsonSchema {
  const parts = schema.allOf as JsonSchema[] | undefined;
  if (!parts) return schema;
  return {
    type: 'object',
    properties: Object.assign({}, ...parts.map((part) => flatten(part).properties)),
    required: parts.flatMap((part) => flatten(part).required ?? []),
  };
}

/** The OpenAPI 3.1 description of these endpoints, generated from their zod schemas. */
export function describeApi(endpoints: readonly Endpoint[], title: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
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
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { Error: errorSchema },
    },
  };
}

function describeOperation(endpoint: Endpoint): Record<string, unknown> {
  const params = pathParamsOf(endpoint.path);
  const input = flatten(schemaOf(endpoint.input, 'input'));
  const properties = Object.entries(input.properties ?? {});
  const hasBody = endpoint.method !== 'GET' && endpoint.method !== 'DELETE';
  const required = new Set(input.required ?? []);
  const parameters = properties
    .filter(([name]) => params.includes(name) || !hasBody)
    .map(([name, schema]) => ({
      name,
      in: params.includes(name) ? 'path' : 'query',
      required: params.includes(name) || required.has(name),
      schema,
    }));
  const body = properties.filter(([name]) => !params.includes(name));
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    'x-gate': endpoint.gate,
    ...(endpoint.gate === 'public' ? {} : { security: [{ bearer: [] }] }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(hasBody && body.length > 0
      ? {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: Object.fromEntries(body),
                  required: body.map(([name]) => name).filter((name) => required.has(name)),
                },
              },
            },
          },
        }
      : {}),
    responses: {
      200: {
        description: 'Done.',
        content: { 'application/json': { schema: schemaOf(endpoint.output, 'output') } },
      },
      default: {
        description: 'Refused; `message` is a sentence for the person.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

const errorSchema = {
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
