import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createAuthApp } from '#server/auth/gotrue/auth-app.ts';
import type { ApiDescription, JsonSchema, Operation } from '#server/platform/http/openapi.ts';
import { createLog } from '#server/platform/log.ts';
import { packageRoot } from '#server/platform/package-root.ts';
import { readContracts } from '#server/test-support/contract-walk.test-support.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';

let description: ApiDescription;
let operations: { path: string; method: string; operation: Operation }[];

const app = setUpTestApp();
beforeAll(async () => {
  description = (await (await fetch(`${app.url}/api/openapi.json`)).json()) as ApiDescription;
  operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
});

const media = z.strictObject({
  'application/json': z.strictObject({ schema: z.record(z.string(), z.unknown()) }),
});

/** The parts of an OpenAPI 3.1 document that ours uses, as https://spec.openapis.org/oas/v3.1.0 requires them. */
const document = z.strictObject({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.strictObject({ title: z.string().min(1), version: z.string().min(1), description: z.string() }),
  paths: z.record(
    z.string().regex(/^\/(?:[\w.-]+|\{\w+\})(?:\/(?:[\w.-]+|\{\w+\}))*$/),
    z.partialRecord(
      z.enum(['get', 'put', 'post', 'delete', 'patch']),
      z.strictObject({
        operationId: z.string().regex(/^[a-z]+(?:[_-][a-z]+)*$/),
        summary: z.string().regex(/\.$/),
        'x-gate': z.enum(['public', 'signedIn', 'customer', 'coach', 'admin']),
        security: z.array(z.strictObject({ bearer: z.tuple([]) })).optional(),
        parameters: z
          .array(
            z.strictObject({
              name: z.string().min(1),
              in: z.enum(['path', 'query']),
              required: z.boolean(),
              schema: z.record(z.string(), z.unknown()),
            }),
          )
          .optional(),
        requestBody: z.strictObject({ required: z.boolean(), content: media }).optional(),
        responses: z.record(
          z.string().regex(/^[1-5]\d\d$|^default$/),
          z.strictObject({ description: z.string().min(1), content: media.optional() }),
        ),
      }),
    ),
  ),
  components: z.strictObject({
    securitySchemes: z.record(z.string(), z.object({ type: z.enum(['http']), scheme: z.string() })),
    schemas: z.record(z.string(), z.unknown()),
  }),
});

describe('the description of the API', () => {
  test('is an OpenAPI 3.1 document [API-1]', () => {
    expect(document.safeParse(description).error?.issues ?? []).toEqual([]);
  });

  test('has every call of the contracts once, under the name the specification gives it [API-1]', async () => {
    const every = operations.map(({ operation }) => operation.operationId);
    expect(new Set(every).size).toBe(every.length);
    const ids = operations
      .filter(({ path }) => path.startsWith('/api/'))
      .map(({ operation }) => operation.operationId);
    expect([...ids].sort()).toEqual([...(await readContracts()).keys()].sort());
    expect(ids).toEqual(
      expect.arrayContaining([
        'get-stripe-config',
        'setup-payment-method',
        'charge-payment-method',
        'admin_list_payable_bookings',
        'create_payrun',
        'get_payrun_csv_rows',
        'mark_payrun_paid',
      ]),
    );
  });

  test('has every call of the accounts server, in words [API-1]', async () => {
    const served = createAuthApp({ db: app.db, config: app.config, log: createLog('silent') }).routes;
    const routes = served.filter(({ method }) => method !== 'ALL');
    const described = operations.filter(({ path }) => path.startsWith('/auth/v1/'));
    expect(described.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      routes
        .map(({ method, path }) => `${method.toLowerCase()} /auth/v1${path.replace(/:(\w+)/g, '{$1}')}`)
        .sort(),
    );
    const [signUp] = described.filter(({ path }) => path === '/auth/v1/signup');
    const body = signUp!.operation.requestBody!.content['application/json'].schema;
    expect(Object.keys(body.properties!)).toEqual(expect.arrayContaining(['email', 'password', 'data']));
  });

  test('shows the names that the specification gives the fields of its functions [PAY-2] [PAY-3]', () => {
    const find = (id: string) => operations.find(({ operation }) => operation.operationId === id)!.operation;
    const bodyOf = (id: string) => find(id).requestBody!.content['application/json'].schema;
    expect(bodyOf('setup-payment-method').required).toEqual(['payment_method_id']);
    expect(bodyOf('charge-payment-method').required).toEqual(['slot_id', 'base_amount_cents']);
    const config = find('get-stripe-config').responses[200]!.content!['application/json'].schema;
    expect(Object.keys(config.properties!)).toContain('publishable_key');
  });

  test('declares each part of an address that is filled in, and no two addresses alike', () => {
    for (const { path, operation } of operations) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      expect(declared.map(({ name }) => name).sort(), path).toEqual(inPath.sort());
      expect(
        declared.every(({ required }) => required),
        path,
      ).toBe(true);
    }
    const shapes = Object.keys(description.paths).map((path) => path.replace(/\{\w+\}/g, '{}'));
    expect(new Set(shapes).size).toBe(shapes.length);
  });

  test('asks for a sign-in exactly where the call does, and names its refusals', async () => {
    for (const { path, method, operation } of operations) {
      const isPublic = operation['x-gate'] === 'public';
      expect(operation.security, operation.operationId).toEqual(isPublic ? undefined : [{ bearer: [] }]);
      const answer = await fetch(app.url + path.replace(/\{\w+\}/g, 'x'), {
        method: method.toUpperCase(),
        headers: { 'content-type': 'application/json' },
        body: method === 'get' || method === 'delete' ? null : '{',
        redirect: 'manual',
      });
      expect(answer.status === 401, operation.operationId).toBe(!isPublic);
      if (!answer.ok) expect(Object.keys(operation.responses)).toContain(String(answer.status));
    }
  });

  test('holds schemas that can be read, and references that lead somewhere', () => {
    const schemas: JsonSchema[] = operations.flatMap(({ operation }) => [
      ...(operation.parameters ?? []).map(({ schema }) => schema),
      ...(operation.requestBody ? [operation.requestBody.content['application/json'].schema] : []),
      ...Object.values(operation.responses).flatMap(({ content }) =>
        content ? [content['application/json'].schema] : [],
      ),
    ]);
    expect(schemas.length).toBeGreaterThan(operations.length * 2);
    for (const schema of schemas) {
      if (schema.$ref) expect(schema.$ref).toMatch(/^#\/components\/schemas\/(Auth)?Error$/);
      else expect(() => z.fromJSONSchema(schema as never), JSON.stringify(schema)).not.toThrow();
    }
    expect(() => z.fromJSONSchema(description.components.schemas.Error as never)).not.toThrow();
  });
});

describe('money', () => {
  test('is whole cents in every field of the API that holds an amount [UX-3]', () => {
    const amounts: [string, JsonSchema][] = [];
    const visit = (schema: JsonSchema, location: string): void => {
      for (const [name, field] of Object.entries(schema.properties ?? {})) {
        const isCents = /cents$/i.test(name);
        if (isCents || /price|amount|fee|total|revenue|net$|gross|balance|rate/i.test(name))
          amounts.push([`${location}.${name}`, field]);
        visit(field, `${location}.${name}`);
      }
      for (const part of [
        schema.items,
        ...(schema.anyOf ?? []),
        ...(schema.oneOf ?? []),
        ...(schema.allOf ?? []),
      ])
        if (part) visit(part, location);
    };
    for (const { operation } of operations) {
      for (const { name, schema } of operation.parameters ?? [])
        visit({ properties: { [name]: schema } }, operation.operationId);
      const bodies = [operation.requestBody, ...Object.values(operation.responses)];
      for (const body of bodies)
        if (body?.content) visit(body.content['application/json'].schema, operation.operationId);
    }
    expect(amounts.length).toBeGreaterThan(30);
    // A payment file has the bank's own columns, in which an amount is written as "123.40".
    const others = /Minutes$|^get_payrun_csv_rows\.rows\.amount$/;
    const odd = amounts.filter(([name, schema]) => {
      if (schema.type === 'object' || others.test(name)) return false;
      const kinds = [schema, ...(schema.anyOf ?? [])]
        .map(({ type }) => type)
        .filter((type) => type !== 'null');
      return !/cents$/i.test(name) || kinds.some((type) => type !== undefined && type !== 'integer');
    });
    expect(odd.map(([name]) => name)).toEqual([]);
  });

  test('is whole cents in every column of the database that holds an amount [UX-3]', async () => {
    const { rows } = await sql<{ name: string; type: string }>`
      select table_name || '.' || column_name as name, udt_name as type
      from information_schema.columns
      where table_schema = 'public'
    `.execute(app.db);
    const amounts = rows.filter(({ name }) => /cents|\.(.*_)?(price|amount|fee|total)(_|$)/.test(name));
    expect(amounts.length).toBeGreaterThan(10);
    for (const { name, type } of amounts) {
      expect(name).toMatch(/cents/);
      expect(type, name).toMatch(/^_?int[48]$/);
    }
    const inexact = rows.filter(({ type }) => ['money', 'float4', 'float8', 'numeric'].includes(type));
    expect(inexact).toEqual([]);
  });
});

describe('the page at /api', () => {
  test('shows every call with input and output, in HTML the CSP allows', async () => {
    const answer = await fetch(`${app.url}/api`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/^text\/html/);
    const page = await answer.text();
    const bare = page.replaceAll('<wbr>', '').replace(/\s+/g, ' ');
    for (const { path, operation } of operations) {
      expect(bare).toContain(`id="${operation.operationId}"`);
      expect(bare).toContain(path);
      for (const { name } of operation.parameters ?? []) expect(bare).toContain(`<code>${name}</code>`);
    }
    expect(page).not.toMatch(/<script(?! src="\/)|<style|\sstyle=|\son\w+=|javascript:/i);
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
  });

  test('is styled with the very colours of the product', async () => {
    const answer = await fetch(`${app.url}/api/page.css`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/css/);
    const lines = (css: string) => css.split('\n').map((line) => line.trim());
    const colours = lines(await answer.text()).filter((line) => line.includes('light-dark('));
    const product = lines(await readFile(join(packageRoot, 'src', 'web', 'styles.css'), 'utf8'));
    expect(colours.length).toBeGreaterThan(5);
    expect(product).toEqual(expect.arrayContaining(colours));
  });
});
