import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createApp } from '#server/app.ts';
import { writeCursor } from '#server/discover/discover-cursor.ts';
import { createLog } from '#server/platform/log.ts';
import { impossibleValuesFor, wrongValuesFor } from '#server/test-support/bad-input.test-support.ts';
import {
  asText,
  type Call,
  describeValue,
  expectRefusal,
  fillIn,
  formerCoachCalls,
  readContracts,
  send,
  setUpWalk,
} from '#server/test-support/contract-walk.test-support.ts';

const { app, walk, calls, asOwner } = setUpWalk();

// `npm run bench -- hostile` sends far more requests. A failure prints the seed that repeats the run.
const chances = Number(process.env.HOSTILE_REQUESTS ?? 1000);
const seed = process.env.HOSTILE_SEED;
const attacks = [
  "' or 1=1; drop table bookings; --",
  '1); select pg_sleep(5); --',
  '<img src=x onerror=alert(1)>',
  '{{7*7}}#{7*7}',
  '=cmd|"/c calc"!A1',
  '../../../../etc/passwd',
  'x\r\nBcc: everybody@example.com',
  'javascript:alert(1)',
  '%00%ff%u0000',
  '٣٣٣',
  '9'.repeat(400),
  'a'.repeat(9_000),
  '((a+)+)+$',
  '-0',
  '1e309',
  '0x10',
  '2027-02-30',
  '+275760-09-13T00:00:00.001Z',
];

/** The name under which a missing field is reported: the specification's name, if the field has one. */
const wireNameOf = ({ endpoint }: Call, name: string) => endpoint.wireNames?.[name] ?? name;
const bodyCalls = () => calls.filter(({ hasBody }) => hasBody);
/** Sends a call with exactly this body, as a person with permission. */
const sendRaw = (call: Call, body: BodyInit | null, contentType: string | null = 'application/json') =>
  send(app, call, fillIn(call, walk.own), { ...asOwner(call), body, contentType });

describe('every call of the API', () => {
  test('is declared in a contract, served and described at one URL only', async () => {
    const contracts = readContracts();
    expect(calls.map(({ name }) => name).sort()).toEqual([...contracts.keys()].sort());
    const parts = {
      config: app.config,
      db: app.db,
      readDb: app.db,
      cards: app.cards,
      log: createLog('silent'),
    };
    const served = createApp(parts).routes.filter(({ path }) => path.startsWith('/api'));
    const known = new Set([...calls.map(({ endpoint }) => endpoint.path as string), '/api', '/api/*']);
    const others = new Set(served.map(({ path }) => path).filter((path) => !known.has(path)));
    expect([...others].sort()).toEqual(['/api/openapi.json', '/api/page.css']);
  });

  test("requires the role that its path names, except for a coach's own money", () => {
    for (const { endpoint, name } of calls) {
      const part = formerCoachCalls.includes(name)
        ? 'signedIn'
        : /^\/api\/(coach|admin)\//.exec(endpoint.path)?.[1];
      if (part || endpoint.gate === 'admin') expect(endpoint.gate, name).toBe(part);
    }
  });

  test('accepts the valid sample input that other tests alter', () => {
    for (const call of calls) {
      const { error } = call.endpoint.input.safeParse(fillIn(call, walk.own));
      expect(error?.issues ?? [], `bad-input.test-support.ts has no good sample for ${call.name}`).toEqual(
        [],
      );
    }
  });
});

describe('every call with bad input [API-2]', {
  timeout: 300_000,
}, () => {
  test('refuses a body that is not a JSON object', async () => {
    const deep = 30_000;
    const bodies: [BodyInit, number][] = [
      ...['{', '{"a":1}x', "{'a':1}", '{"a":}', '\0', '[', '['.repeat(60_000), '{"a":'.repeat(9000)].map(
        (text): [string, number] => [text, 400],
      ),
      ...['[]', '[{}]', '"text"', 'null', '5', 'true', `${'['.repeat(deep)}${']'.repeat(deep)}`].map(
        (text): [string, number] => [text, 400],
      ),
      [new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]), 400],
    ];
    await walk.expectNothingChangedByAny(bodyCalls(), async (call) => {
      for (const [body, status] of bodies) {
        expectRefusal(await sendRaw(call, body), status, `${call.name} ${String(body).slice(0, 20)}`);
      }
      for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', null]) {
        expectRefusal(await sendRaw(call, '{}', type), 415, `${call.name} as ${type}`);
      }
    });
  });

  test('refuses a body that is too large, with or without a Content-Length', async () => {
    await walk.expectNothingChangedByAny(bodyCalls(), async (call) => {
      const large = JSON.stringify({ ...fillIn(call, walk.own), more: 'x'.repeat(70_000) });
      expectRefusal(await sendRaw(call, large), 413, `${call.name} with its length`);
      const stream = new Blob([large]).stream();
      expectRefusal(await sendRaw(call, stream), 413, `${call.name} without its length`);
    });
  });

  test('refuses a missing field and names it', async () => {
    await walk.expectNothingChangedByAny(calls, async (call) => {
      for (const field of call.fields.filter(({ required, location }) => required && location !== 'path')) {
        const input = fillIn(call, walk.own, { [field.name]: undefined });
        const error = expectRefusal(
          await send(app, call, input, asOwner(call)),
          422,
          `${call.name} without ${field.name}`,
        );
        expect(Object.keys(error.fields ?? {})).toContain(wireNameOf(call, field.name));
      }
    });
  });

  test('refuses a missing body and names the required fields', async () => {
    await walk.expectNothingChangedByAny(bodyCalls(), async (call) => {
      const required = call.fields.filter((field) => field.required && field.location === 'body');
      if (required.length === 0) return;
      const error = expectRefusal(await sendRaw(call, null, null), 422, `${call.name} without a body`);
      for (const { name } of required)
        expect(Object.keys(error.fields ?? {})).toContain(wireNameOf(call, name));
    });
  });

  test('refuses fields with a wrong type, size or unstorable characters, and names them', async () => {
    let tried = 0;
    await walk.expectNothingChangedByAny(calls, async (call) => {
      for (const field of call.fields) {
        const wrong = wrongValuesFor(field).filter(
          (value) => !call.endpoint.input.safeParse(fillIn(call, walk.own, { [field.name]: value })).success,
        );
        for (const value of [...wrong, ...impossibleValuesFor(field)]) {
          const sent = await send(app, call, fillIn(call, walk.own, { [field.name]: value }), asOwner(call));
          const what = `${call.name} with ${field.name} ${describeValue(value)}`;
          const { fields = {} } = expectRefusal(sent, 422, what);
          const isNamed = Object.keys(fields).some((name) => name.split('.')[0] === field.name);
          expect(isNamed, `${what} names ${Object.keys(fields)}`).toBe(true);
          tried += 1;
        }
      }
    });
    expect(tried).toBeGreaterThan(calls.length * 5);
  });

  test('ignores the names of built-in object properties', async () => {
    const needy = calls.filter(({ fields }) =>
      fields.some(({ required, location }) => required && location !== 'path'),
    );
    await walk.expectNothingChangedByAny(needy, async (call) => {
      const good = fillIn(call, walk.own);
      const hidden = JSON.stringify(good);
      const body = `{"__proto__":${hidden},"constructor":{"prototype":${hidden}},"toString":1,"hasOwnProperty":null}`;
      const ids = Object.fromEntries(
        call.fields.filter(({ location }) => location === 'path').map(({ name }) => [name, good[name]]),
      );
      const query = call.hasBody ? {} : { body: null };
      expectRefusal(
        await send(app, call, ids, { ...asOwner(call), body, ...query }),
        422,
        `${call.name} ${body}`,
      );
    });
    expect(Object.getOwnPropertyNames(Object.prototype)).not.toContain('slotId');
    const polluted = await fetch(
      `${app.url}/api/slots?__proto__=1&constructor=2&__proto__[limit]=3&toString=4`,
    );
    expect(polluted.status).toBe(200);
  });

  test('refuses an id that does not exist', async () => {
    await walk.expectNothingChangedByAny(calls, async (call) => {
      for (const { name, schema } of call.fields) {
        if (schema.format !== 'uuid' && !(schema.anyOf && name in walk.own)) continue;
        if (`${call.name} ${name}` === 'discover_slots coachId') continue;
        const input = fillIn(call, walk.own, { [name]: '0199c1de-5f0a-7c3e-9d2b-6a1f0c3b7e55' });
        expectRefusal(await send(app, call, input, asOwner(call)), 404, `${call.name} of an unknown ${name}`);
      }
    });
  });

  test('refuses an unsupported method', async () => {
    const firstOfPath = [...new Map(calls.map((call) => [call.endpoint.path, call])).values()];
    await walk.expectNothingChangedByAny(firstOfPath, async (call) => {
      const { path } = call.endpoint;
      const here = calls.filter(({ endpoint }) => endpoint.path === path);
      const served = here.map(({ endpoint }) => endpoint.method as string);
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((m) => !served.includes(m))) {
        const sent = await send(app, call, fillIn(call, walk.own), {
          token: walk.owner.token,
          method,
        });
        expectRefusal(sent, 405, `${method} ${path}`);
        expect(sent.headers.get('allow')?.split(', ')).toEqual(expect.arrayContaining(served));
      }
    });
  });

  test('handles values at the limits of every field without a server error', async () => {
    const edges: Record<string, unknown[]> = {
      date: ['0000-01-01', '0001-01-01', '1582-10-10', '9999-12-31'],
      integer: [0, 2 ** 31, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER],
      cursor: ['2027-02-30T00:00:00Z', '0000-01-01T00:00:00Z'].flatMap((instant) => [
        `${instant}_${walk.own.bookingId}`,
        writeCursor([], { priceCents: 1, startTime: instant, slotId: walk.own.slotId! }),
      ]),
    };
    for (const call of calls) {
      for (const { name, schema } of call.fields) {
        for (const value of edges[name] ?? edges[schema.format ?? ''] ?? edges[String(schema.type)] ?? []) {
          const input = fillIn(call, { ...walk.own, slotId: walk.foreign.slotId! }, { [name]: value });
          const sent = await send(app, call, input, asOwner(call));
          if (sent.status !== 200) {
            expectRefusal(sent, [404, 409, 422], `${call.name} with ${name} ${value}`);
          }
        }
      }
    }
  });

  test('refuses random bad input', { timeout: 300_000 + chances * 60 }, async () => {
    const value = fc.oneof(
      fc.jsonValue(),
      fc.constantFrom(...attacks),
      fc.string({ unit: 'binary' }),
      fc.integer(),
      fc.double(),
      fc.constant(undefined),
    );
    const withFields = calls.filter(({ fields }) => fields.length > 0);
    const attempt = fc.constantFrom(...withFields.map(({ name }) => name)).chain((name) => {
      const { fields } = withFields.find((call) => call.name === name)!;
      return fc.record({
        name: fc.constant(name),
        other: fc.record(Object.fromEntries(fields.map((field) => [field.name, value])), {
          requiredKeys: [],
        }),
        more: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
      });
    });
    await walk.expectNothingChanged(() =>
      fc.assert(
        fc.asyncProperty(attempt, async ({ name, other, more }) => {
          const call = withFields.find((candidate) => candidate.name === name)!;
          const input = { ...more, ...fillIn(call, walk.own, other) };
          // A path with an empty segment is a different path.
          const paths = call.fields
            .filter(({ location }) => location === 'path')
            .map(({ name }) => asText(input[name] ?? ''));
          fc.pre(paths.every((part) => !['', '.', '..'].includes(part)));
          const asSent = call.hasBody ? JSON.parse(JSON.stringify(input)) : input;
          fc.pre(call.endpoint.method === 'GET' || !call.endpoint.input.safeParse(asSent).success);
          const sent = await send(app, call, input, asOwner(call));
          if (call.endpoint.method === 'GET' && sent.status === 200) return;
          expectRefusal(sent, [404, 422, 431], `${call.name} ${describeValue(input)}`);
        }),
        { numRuns: chances, ...(seed && { seed: Number(seed) }) },
      ),
    );
  });
});
