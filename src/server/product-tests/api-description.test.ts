import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { beforeAll, describe, expect, test } from 'vitest';
import { statusByCode } from '#domain/error-statuses.ts';
import { assertAllDescribed } from '#server/api-areas.ts';
import { describeProduct } from '#server/api-description.ts';
import { createAuthApp } from '#server/auth/gotrue/auth-app.ts';
import { createLog } from '#server/platform/log.ts';
import type { JsonSchema } from '#server/platform/openapi/json-schema.ts';
import { packageRoot } from '#server/platform/package-root.ts';
import { createStorageApp } from '#server/storage/storage-app.ts';
import {
  type ResolvedDescription,
  readContracts,
  readDescription,
} from '#server/test-support/contract-walk.test-support.ts';
import { setUpTestApp } from '#server/test-support/test-app.test-support.ts';

let description: ResolvedDescription;
let operations: { path: string; method: string; operation: ResolvedDescription['paths'][''][''] }[];

const app = setUpTestApp();
beforeAll(async () => {
  description = await readDescription(app.url);
  operations = Object.entries(description.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
});

const find = (id: string) => operations.find(({ operation }) => operation.operationId === id)!.operation;
const bodyOf = (id: string) => find(id).requestBody!.content['application/json'].schema;

describe('the description of the API', () => {
  test('is the document that is linted on every commit [API-1]', async () => {
    const served = await (await fetch(`${app.url}/api/openapi.json`)).json();
    expect(served.openapi).toMatch(/^3\.1\.\d+$/);
    const brand = served.info.contact.name;
    expect(served).toEqual(JSON.parse(JSON.stringify(describeProduct({ brand, publicUrl: app.url }))));
  });

  test('includes every call once, under its name in the specification [API-1]', async () => {
    const every = operations.map(({ operation }) => operation.operationId);
    expect(new Set(every).size).toBe(every.length);
    const ids = operations
      .filter(({ path }) => path.startsWith('/api/'))
      .map(({ operation }) => operation.operationId);
    expect([...ids].sort()).toEqual([...readContracts().keys()].sort());
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

  test('prevents the server from starting if the served and described calls differ', () => {
    const endpoint = { ...[...readContracts().values()][0]!, operationId: 'leave_note' };
    expect(() => assertAllDescribed([{ endpoint, handle: async () => ({}) }])).toThrow(
      'leave_note is served, but its contract is not listed in src/server/api-areas.ts',
    );
    expect(() => assertAllDescribed([])).toThrow('is in a contract, but no routes.ts');
  });

  test('includes every call of the accounts server that can succeed [API-1]', async () => {
    const served = createAuthApp({ db: app.db, config: app.config, log: createLog('silent') }).routes;
    const refused = /\/(otp|magiclink|sso|authorize|reauthenticate|identities.*)$/;
    const routes = served.filter(({ method, path }) => method !== 'ALL' && !refused.test(path));
    const described = operations.filter(({ path }) => path.startsWith('/auth/v1/'));
    expect(described.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
      routes
        .map(({ method, path }) => `${method.toLowerCase()} /auth/v1${path.replace(/:(\w+)/g, '{$1}')}`)
        .sort(),
    );
    const fields = Object.keys(bodyOf('auth_sign_up').properties!);
    expect(fields).toEqual(expect.arrayContaining(['email', 'password', 'data']));
  });

  test('includes every call of the file server that can succeed [API-1]', () => {
    const { routes } = createStorageApp({} as Parameters<typeof createStorageApp>[0], async () => null);
    // storage-js sends these variants of described calls.
    const variants = /^\/object\/(authenticated|info\/(public|authenticated))\//;
    const file = '{bucket}/{ownerId}/{name}';
    const served = routes
      .filter(({ method, path }) => method !== 'ALL' && !variants.test(path))
      .map(({ method, path }) => {
        const described = path.replace('*', file).replace(':bucket', '{bucket}');
        return `${method.toLowerCase()} /storage/v1${described}`;
      });
    const described = operations.filter(({ path }) => path.startsWith('/storage/v1/'));
    expect(described.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(served.sort());
  });

  test("states the server's URL, how to get a token, and each call's tag and summary", async () => {
    expect(description.servers.map(({ url }) => url)).toEqual([app.config.publicUrl]);
    expect(description.info.description).toContain('/auth/v1/token?grant_type=password');
    expect(description.security).toEqual([{ bearer: [] }]);
    const used = new Set(operations.flatMap(({ operation }) => operation.tags));
    expect(description.tags.map(({ name }) => name).sort()).toEqual([...used].sort());
    for (const { operation } of operations)
      expect(operation.summary, operation.operationId).toMatch(/^[A-Z][^.]{3,60}$/);
  });

  test('lists the codes of each refusal, all from a fixed list', async () => {
    const codesOf = (id: string, status: number) =>
      find(id).responses[status]!.content!['application/json'].schema.properties!.error!.properties!.code!
        .enum;
    expect(codesOf('charge-payment-method', 409)).toEqual(
      expect.arrayContaining(['slot_full', 'price_changed', 'no_card']),
    );
    expect(codesOf('charge-payment-method', 402)).toEqual(['payment_failed']);
    expect(description.components.schemas.RefusalCode!.enum).toEqual(Object.keys(statusByCode));
    for (const { operation } of operations) {
      expect(operation.responses[503]!.headers, operation.operationId).toHaveProperty('Retry-After');
      if (operation.responses[429])
        expect(operation.responses[429].headers, operation.operationId).toHaveProperty('Retry-After');
    }
  });

  test("uses the specification's field names [PAY-2] [PAY-3]", () => {
    expect(bodyOf('setup-payment-method').required).toEqual(['payment_method_id']);
    expect(bodyOf('charge-payment-method').required).toEqual(['slot_id', 'base_amount_cents']);
    const config = find('get-stripe-config').responses[200]!.content!['application/json'].schema;
    expect(Object.keys(config.properties!)).toContain('publishable_key');
  });

  test('declares exactly which calls require sign-in, and lists their refusals', async () => {
    for (const { path, method, operation } of operations) {
      const isPublic = operation['x-gate'] === 'public';
      expect(operation.security, operation.operationId).toEqual(isPublic ? [] : undefined);
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
});

describe('money', () => {
  test('is in whole minor units in every amount field of the API [UX-3]', () => {
    const amounts: [string, JsonSchema][] = [];
    const visit = (schema: JsonSchema, location: string): void => {
      for (const [name, field] of Object.entries(schema.properties ?? {})) {
        const isCents = /cents$/i.test(name);
        if (isCents || /price|amount|fee(?!d)|total|revenue|net$|gross|balance|rate/i.test(name))
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

  test('is in whole minor units in every amount column of the database [UX-3]', async () => {
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
  test('shows every call and its parameters, in HTML that the CSP allows', async () => {
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

  test('uses the same colours as the app', async () => {
    const answer = await fetch(`${app.url}/api/page.css`);
    expect(answer.headers.get('content-type')).toMatch(/^text\/css/);
    const lines = (css: string) => css.split('\n').map((line) => line.trim());
    const colours = lines(await answer.text()).filter((line) => line.includes('light-dark('));
    const product = lines(await readFile(join(packageRoot, 'src', 'web', 'styles.css'), 'utf8'));
    expect(colours.length).toBeGreaterThan(5);
    expect(product).toEqual(expect.arrayContaining(colours));
  });
});
