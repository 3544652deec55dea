import type { Gate } from '#domain/access.ts';
import { type Endpoint, hasBody, pathParamsOf } from '#domain/endpoint.ts';
import { createSchemas, exampleOf, type JsonSchema, type Schemas } from './json-schema.ts';
import {
  describeRefusals,
  listRefusals,
  type Response,
  type Responses,
  refusalSchemas,
  toPascalCase,
} from './refusals.ts';

type Content = { 'application/json': { schema: JsonSchema; example?: unknown } };
export type Parameter = {
  name: string;
  in: 'path' | 'query';
  required: boolean;
  description?: string;
  schema: JsonSchema;
  example?: unknown;
};
export type Operation = {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  'x-gate': Gate;
  security?: [];
  parameters?: Parameter[];
  requestBody?: { required: boolean; content: Content };
  responses: Responses;
};

/** An OpenAPI 3.1 document of this API. */
export type ApiDescription = {
  openapi: string;
  info: Record<'title' | 'version' | 'description', string> & Record<string, unknown>;
  servers: { url: string; description: string }[];
  security: Record<string, string[]>[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: {
    securitySchemes: Record<string, Record<string, string>>;
    headers: Record<string, unknown>;
    schemas: Record<string, JsonSchema>;
    responses: Record<string, Response>;
  };
};

/** A call, from which its operation in the document is generated. The schemas are JSON Schemas. */
export type DescribedCall = Pick<Endpoint, 'method' | 'operationId' | 'gate' | 'summary' | 'description'> & {
  /** Parameters are written as `:name`. */
  path: string;
  /** The fields of the path and the query string. */
  parameters: JsonSchema;
  body?: JsonSchema;
  responses: Responses;
};

/** A part of the API, whose calls share a tag. `calls` are contracts; `others` are calls without a contract. */
export type ApiArea = {
  name: string;
  description: string;
  calls: readonly Endpoint[];
  others?: (schemas: Schemas, shared: Record<string, Response>) => DescribedCall[];
};

const callers: Record<Gate, string> = {
  public: 'Anyone can make this call, signed in or not.',
  signedIn: 'Anyone who is signed in can make this call.',
  customer: 'Customers can make this call.',
  coach: 'Coaches can make this call.',
  admin: 'Admins can make this call.',
};

/** Generates the OpenAPI 3.1 document of these areas from their contracts. */
export function describeApi(
  areas: readonly ApiArea[],
  { info, serverUrl, token }: { info: ApiDescription['info']; serverUrl: string; token: string },
): ApiDescription {
  const schemas = createSchemas();
  const responses: Record<string, Response> = {};
  for (const [name, schema] of Object.entries(refusalSchemas)) schemas.add(name, schema);
  const paths: ApiDescription['paths'] = {};
  for (const { name, calls, others } of areas) {
    const described = calls.map((endpoint) => describeEndpoint(endpoint, schemas, responses));
    for (const call of [...described, ...(others?.(schemas, responses) ?? [])]) {
      const path = call.path.replace(/:([A-Za-z]+)/g, '{$1}');
      paths[path] ??= {};
      paths[path][call.method.toLowerCase()] = describeOperation(call, name, schemas);
    }
  }
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: serverUrl, description: 'This server.' }],
    security: [{ bearer: [] }],
    tags: areas.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: token },
      },
      headers: {
        RetryAfter: {
          description: 'Seconds to wait before trying again.',
          schema: { type: 'integer', minimum: 1, examples: [1] },
        },
      },
      schemas: schemas.named,
      responses,
    },
  };
}

function describeOperation(call: DescribedCall, tag: string, { resolve }: Schemas): Operation {
  const { path, gate, body, responses } = call;
  const inPath = pathParamsOf(path);
  const { properties = {}, required = [] } = resolve(call.parameters);
  const parameters = Object.entries(properties).map(([name, { description, ...schema }]): Parameter => {
    const isInPath = inPath.includes(name);
    return {
      name,
      in: isInPath ? 'path' : 'query',
      required: isInPath || required.includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
      example: exampleOf(schema, resolve),
    };
  });
  return {
    operationId: call.operationId,
    tags: [tag],
    summary: call.summary,
    description: `${call.description}\n\n${callers[gate]}`,
    'x-gate': gate,
    ...(gate === 'public' ? { security: [] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: { required: true, content: jsonOf(body, resolve) } } : {}),
    responses,
  };
}

/** The content of a JSON body with this schema, with an example. */
export const jsonOf = (schema: JsonSchema, resolve: Schemas['resolve']): Content => ({
  'application/json': { schema, example: exampleOf(schema, resolve) },
});

function describeEndpoint(
  endpoint: Endpoint,
  schemas: Schemas,
  shared: Record<string, Response>,
): DescribedCall {
  const { path, operationId } = endpoint;
  const whole = schemas.read(endpoint.input, 'input');
  const input = nameInput(schemas.resolve(whole), endpoint);
  const inPath = pathParamsOf(path);
  const takesBody = hasBody(endpoint);
  const body: JsonSchema = takesBody ? pick(input, (name) => !inPath.includes(name)) : {};
  const hasFields = Object.keys(body.properties ?? {}).length > 0;
  const output = schemas.read(endpoint.output, 'output');
  const name = toPascalCase(operationId);
  return {
    ...endpoint,
    parameters: takesBody ? pick(input, (field) => inPath.includes(field)) : input,
    // A body schema that already has a name keeps that name.
    ...(hasFields ? { body: whole.$ref ? whole : schemas.add(`${name}Request`, body) } : {}),
    responses: {
      200: {
        description: 'Done.',
        content: jsonOf(nameOutput(output, endpoint, schemas), schemas.resolve),
      },
      ...describeRefusals(listRefusals(endpoint), shared),
    },
  };
}

/** An object's schema, reduced to the fields for which `isMeant` is true. */
function pick({ properties = {}, required = [], ...more }: JsonSchema, isMeant: (name: string) => boolean) {
  const fields = Object.entries(properties).filter(([name]) => isMeant(name));
  const { description: _, ...rest } = more;
  return {
    ...rest,
    properties: Object.fromEntries(fields),
    ...(required.some(isMeant) ? { required: required.filter(isMeant) } : {}),
  };
}

/** The input under the specification's names. The contract's names are also accepted, and documented. */
function nameInput(input: JsonSchema, { wireNames = {} }: Endpoint): JsonSchema {
  const nameOf = (name: string) => (Object.hasOwn(wireNames, name) ? wireNames[name]! : name);
  const properties = Object.entries(input.properties ?? {}).map(([name, schema]) => {
    if (nameOf(name) === name) return [name, schema];
    const description = [schema.description, `Also accepted as \`${name}\`.`].filter(Boolean).join(' ');
    return [nameOf(name), { ...schema, description }];
  });
  return {
    ...input,
    properties: Object.fromEntries(properties),
    required: (input.required ?? []).map(nameOf),
  };
}

/** A reference to the output's schema, which has the specification's names as well as the contract's names. */
function nameOutput(
  output: JsonSchema,
  { wireNames = {}, operationId }: Endpoint,
  schemas: Schemas,
): JsonSchema {
  const { properties = {}, required = [], ...more } = schemas.resolve(output);
  const named = Object.entries(wireNames).filter(([name]) => Object.hasOwn(properties, name));
  if (output.$ref && named.length === 0) return output;
  if (more.type === 'object' && Object.keys(properties).length === 0) {
    return schemas.add('Nothing', { type: 'object', description: 'An empty object.' });
  }
  return schemas.add(`${toPascalCase(operationId)}Response`, {
    ...more,
    properties: {
      ...Object.fromEntries(named.map(([name, wireName]) => [wireName, properties[name]!])),
      ...properties,
    },
    required: [...named.map(([, wireName]) => wireName), ...required],
  });
}
