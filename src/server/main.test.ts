import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSession } from '#server/test-support/contract-client.test-support.ts';
import { generateSecrets } from './embedded/demo-secrets.ts';
import { findFreePort } from './platform/free-port.ts';
import { pathOfProgram } from './test-support/built-programs.test-support.ts';
import { eventually } from './test-support/test-app.test-support.ts';
import { createTestDatabase } from './test-support/test-database.test-support.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let folder: string;
let running: ChildProcess | undefined;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'app-start-'));
});
afterAll(async () => {
  running?.kill('SIGKILL');
  await database.drop();
  await rm(folder, { recursive: true });
});

/** Starts the program with only this environment and PATH, in a folder without an .env file. */
function startMain(env: Record<string, string>) {
  return spawn(process.execPath, [pathOfProgram('main')], {
    cwd: folder,
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function failToStart(env: Record<string, string>): Promise<string[]> {
  const child = startMain({ DATABASE_URL: database.url, ...env });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect(code).toBe(1);
  return said.trimEnd().split('\n');
}

test('refuses to start without secrets and lists the missing settings', async () => {
  expect(await failToStart({})).toEqual([
    'The configuration is incomplete or invalid:',
    expect.stringMatching(/^ {2}AUTH_SIGNING_KEYS is missing: keys that sign sessions/),
    expect.stringMatching(/^ {2}DATA_KEY is missing: key that encrypts bank details/),
    expect.stringMatching(/^ {2}PUBLIC_URL is missing: the address people type/),
    expect.stringMatching(/^ {2}SMTP_URL is missing: address of the mail server/),
    expect.stringMatching(/^ {2}STRIPE_SECRET_KEY is missing: Stripe's secret key/),
    expect.stringMatching(/^ {2}STRIPE_WEBHOOK_SECRET is missing: the signing secret/),
  ]);
});

test('refuses to start the demo if a setting suggests a real club', async () => {
  const real = {
    NODE_ENV: 'production',
    STRIPE_SECRET_KEY: 'sk_live_hunter2',
    SMTP_URL: 'smtps://hunter2@mail.example',
    DATA_KEY: 'hunter2',
  };
  for (const [name, value] of Object.entries(real)) {
    const said = await failToStart({ DATABASE_URL: '', DATA_DIR: folder, [name]: value });
    expect(said).toEqual([
      'DATABASE_URL is missing: address of the PostgreSQL database.',
      `Without it, the demo club would start with publicly known passwords, but ${name} suggests that this is a real club.`,
      `Set DATABASE_URL, or remove ${name} to try the demo.`,
    ]);
  }
  expect(await readdir(folder)).toEqual([]);
});

test('names each setting with an invalid value without repeating the value', async () => {
  const wrong = {
    PORT: '99999',
    PUBLIC_URL: 'club',
    AUTH_SIGNING_KEYS: '{"secret":"hunter2"}',
    DATA_KEY: 'hunter2',
    LOG_LEVEL: 'loud',
    TRUST_PROXY: 'perhaps',
    DATABASE_POOL_SIZE: 'many',
  };
  const said = await failToStart({ ...wrong, DATABASE_URL: 'mysql://hunter2@127.0.0.1/club' });
  const named = said.slice(1).map((line) => line.trim().split(' ')[0]);
  expect(named).toEqual(
    [...Object.keys(wrong), 'DATABASE_URL', 'SMTP_URL', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'].sort(),
  );
  for (const line of said.slice(1)) expect(line).toMatch(/^ {2}[A-Z_]+ (must |is missing: )/);
  expect(said.join('\n')).not.toContain('hunter2');
});

test('reports all settings that are unsafe in production in one message', async () => {
  const unsafe = {
    ...(generateSecrets() as Record<string, string>),
    ...{ NODE_ENV: 'production', PUBLIC_URL: 'http://club.example', SMTP_URL: 'smtp://127.0.0.1:9' },
    ...{ STRIPE_SECRET_KEY: 'sk_test_nothing', STRIPE_API_BASE: 'http://127.0.0.1:9/hunter2' },
    DATA_KEY: '0'.repeat(64),
  };
  const said = await failToStart(unsafe);
  expect(said.slice(1)).toEqual([
    expect.stringMatching(/^ {2}DATA_KEY must be random/),
    expect.stringMatching(/^ {2}PUBLIC_URL must begin with https:/),
    expect.stringMatching(/^ {2}STRIPE_API_BASE must not be set in production/),
  ]);
  expect(said.join('\n')).not.toContain('hunter2');
  const meant = { STRIPE_API_BASE_IN_PRODUCTION: unsafe.STRIPE_API_BASE, NODE_ENV: '' };
  const keys = { STRIPE_SECRET_KEY: 'sk_live_nothing', STRIPE_PUBLISHABLE_KEY: 'pk_live_nothing' };
  const live = await failToStart({ ...unsafe, ...meant, ...keys });
  expect(live.slice(1).map((line) => line.trim().split(' ')[0])).toEqual(['DATA_KEY', 'PUBLIC_URL']);
});

test('refuses a database with demo accounts', async () => {
  const demo = await createTestDatabase();
  const client = new Client({ connectionString: demo.url });
  await client.connect();
  await client.query("insert into users (email, password_hash) values ('admin@demo.test', 'none')");
  await client.end();
  try {
    const said = await failToStart({
      ...(generateSecrets() as Record<string, string>),
      ...{ DATABASE_URL: demo.url, PUBLIC_URL: 'http://127.0.0.1:9', SMTP_URL: 'smtp://127.0.0.1:9' },
      STRIPE_SECRET_KEY: 'sk_test_nothing',
    });
    expect(said[0]).toMatch(/accounts of the demo club .* passwords are publicly known/);
  } finally {
    await demo.drop();
  }
});

test('refuses Stripe keys of different modes', async () => {
  const complete = {
    ...generateSecrets(),
    PUBLIC_URL: 'https://club.example',
    SMTP_URL: 'smtp://127.0.0.1:9',
  };
  const said = await failToStart({
    ...(complete as Record<string, string>),
    STRIPE_SECRET_KEY: 'sk_live_hunter2',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_hunter2',
  });
  expect(said).toEqual([
    'The configuration is incomplete or invalid:',
    "  STRIPE_PUBLISHABLE_KEY is a test key, but STRIPE_SECRET_KEY is a live key: take both from the same mode of Stripe's dashboard",
  ]);
});

test('reports an unreachable database without its password or a stack trace', async () => {
  const said = await failToStart({
    ...(generateSecrets() as Record<string, string>),
    ...{ DATABASE_URL: `postgres://club:hunter2@127.0.0.1:${await findFreePort()}/club`, PORT: '0' },
    ...{ PUBLIC_URL: 'http://127.0.0.1:3000', SMTP_URL: 'smtp://127.0.0.1:9' },
    STRIPE_SECRET_KEY: 'sk_test_nothing',
  });
  expect(said).toEqual([
    expect.stringMatching(/^Can't reach PostgreSQL at 127\.0\.0\.1:\d+ \(DATABASE_URL\): ECONNREFUSED\.$/),
  ]);
});

test("adds no demo data to an operator's database", async () => {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  running = startMain({
    ...(generateSecrets() as Record<string, string>),
    ...{ DATABASE_URL: database.url, PORT: String(port), HOST: '127.0.0.1', PUBLIC_URL: url },
    ...{ SMTP_URL: 'smtp://127.0.0.1:9', STRIPE_SECRET_KEY: 'sk_test_nothing', LOG_LEVEL: 'silent' },
    MAIL_OUTBOX: folder,
  });
  await eventually(
    () =>
      fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    45_000,
  );

  const client = new Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query(`select (select count(*)::int from users) as users,
    (select count(*)::int from profiles) as profiles, (select count(*)::int from lesson_slots) as slots`);
  await client.end();
  expect(rows).toEqual([{ users: 0, profiles: 0, slots: 0 }]);

  // This configuration uses Stripe, so Stripe's script is allowed. security-headers.test.ts tests the exact list.
  const policy = (await fetch(`${url}/login`)).headers.get('content-security-policy');
  // In a build, script hashes come between these sources.
  expect(policy).toMatch(
    /script-src 'self'(?: 'sha256-[\w+/=]+')* https:\/\/js\.stripe\.com https:\/\/\*\.js\.stripe\.com;/,
  );

  const product = await (await fetch(`${url}/api/product`)).json();
  expect(product).toMatchObject({ isDemo: false });
  for (const path of [
    '/sandbox/outbox',
    '/sandbox/stripe/v1/payment_intents/pi_1',
    '/sandbox/stripe/ledger',
  ]) {
    expect((await fetch(url + path)).status, path).toBe(404);
  }
  for (const path of ['/demo/outbox', '/dev/ui']) expect((await fetch(url + path)).status, path).toBe(404);
  const credentials = { email: 'admin@demo.test', password: 'demo-lesson-2026' };
  await expect(openSession(url, credentials)).rejects.toThrow('invalid_credentials');

  const ended = once(running, 'exit');
  running.kill('SIGTERM');
  expect((await ended)[0]).toBe(0);
}, 180_000);
