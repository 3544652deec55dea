import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** A JSON Schema of draft 2020-12, with the keywords that zod writes. */
export type JsonSchema = {
  $ref?: string;
  type?: string | string[];
  format?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  default?: unknown;
  examples?: unknown[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  allOf?: JsonSchema[];
  [keyword: string]: unknown;
};

export type Schemas = ReturnType<typeof createSchemas>;

/**
 * The named schemas of an OpenAPI document. A zod schema with an `id` in its metadata becomes a named schema wherever
 * it is used; other schemas are inlined. Throws if two different schemas have the same name.
 */
export function createSchemas() {
  const named: Record<string, JsonSchema> = {};

  /** Adds a schema under this name and returns a reference to it. */
  function add(name: string, schema: JsonSchema): JsonSchema {
    if (named[name] && !isDeepStrictEqual(named[name], schema)) {
      throw new Error(`Two different schemas are called ${name}. Give one of them another id.`);
    }
    named[name] = schema;
    return { $ref: `#/components/schemas/${name}` };
  }

  /** The JSON Schema of the data that callers send (`input`) or receive (`output`). */
  function read(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const override = ({ jsonSchema }: { jsonSchema: JsonSchema }) => dropNoise(jsonSchema, io);
    const written = z.toJSONSchema(schema, { io, unrepresentable: 'any', override: override as never });
    const text = JSON.stringify(written).replaceAll('"#/$defs/', '"#/components/schemas/');
    const { $schema: _, $defs = {}, ...rest } = JSON.parse(text) as JsonSchema;
    for (const [name, definition] of Object.entries($defs as object)) add(name, definition);
    return rest;
  }

  /** The schema itself: follows a reference, and merges the parts of an intersection. */
  function resolve(schema: JsonSchema): JsonSchema {
    const { $ref, allOf, ...more } = schema;
    if ($ref) return { ...resolve(named[$ref.slice($ref.lastIndexOf('/') + 1)]!), ...more };
    const parts = (allOf ?? []).map(resolve);
    if (!parts.some(({ properties }) => properties)) return schema;
    return {
      ...more,
      type: 'object',
      properties: Object.assign({}, ...parts.map(({ properties }) => properties)),
      required: parts.flatMap(({ required = [] }) => required),
    };
  }

  return { named, add, read, resolve };
}

/** Removes details that readers of the document don't need. */
function dropNoise(schema: JsonSchema, io: 'input' | 'output'): void {
  // A new field in a response must not break a client that validates it.
  if (io === 'output' && schema.additionalProperties === false) delete schema.additionalProperties;
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    // `z.undefined()` means that callers must leave the field out.
    if (Object.keys(field).length === 0) delete schema.properties![name];
  }
  if (schema.format) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}

const byFormat: Record<string, string> = {
  uuid: '0199c1de-5f0a-7c3e-9d2b-6a1f0c3b7e55',
  date: '2027-03-28',
  'date-time': '2027-03-28T08:00:00.000Z',
  email: 'alex@example.org',
  uri: 'https://example.org/',
};

/** The value for a string whose schema has no example. `scripts/openapi.ts` rejects a document that contains it. */
export const placeholder = 'text';

/** A value that this schema accepts, from the examples, defaults and formats of its fields. */
export function exampleOf(schema: JsonSchema, resolve: Schemas['resolve']): unknown {
  const whole = resolve(schema);
  const [given] = [...(whole.examples ?? []), whole.default, whole.const, whole.enum?.[0]].filter(
    (value) => value !== undefined,
  );
  if (given !== undefined) return given;
  const [choice] = whole.anyOf ?? whole.oneOf ?? [];
  if (choice) return exampleOf(choice, resolve);
  const [type] = [whole.type].flat();
  if (type === 'object') {
    const fields = Object.entries(whole.properties ?? {});
    return Object.fromEntries(fields.map(([name, field]) => [name, exampleOf(field, resolve)]));
  }
  if (type === 'array') return [exampleOf(whole.items ?? {}, resolve)];
  if (type === 'integer' || type === 'number') return whole.minimum ?? 1;
  if (type === 'boolean') return true;
  return byFormat[whole.format ?? ''] ?? placeholder;
}
