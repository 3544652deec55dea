import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import type { Role } from '#domain/access.ts';
import type { Endpoint, InputOf } from '#domain/endpoint.ts';
import { generateSecrets } from '#server/embedded/demo-secrets.ts';
import type { OutboxEmail } from '#server/notifications/email/email-channel.ts';
import { createStripeClient } from '#server/payments/stripe-client.ts';
import { webhookEventTypes } from '#server/payments/webhook-events.ts';
import { type Config, readConfig } from '#server/platform/config.ts';
import { type Database, openDatabase, openPool } from '#server/platform/db/db.ts';
import { findFreePort } from '#server/platform/free-port.ts';
import { createLog } from '#server/platform/log.ts';
import type { RealtimeLimits } from '#server/realtime/limits.ts';
import { serveProduct } from '#server/serve.ts';
import { launchStripeSimulator } from '#tools/stripe-sandbox/launch.ts';
import { pathOfProgram } from './built-programs.test-support.ts';
import {
  type AuthSending,
  type Caller,
  callAuth,
  callEndpoint,
  openSession,
  type Sending,
  type Someone,
} from './contract-client.test-support.ts';
import { addPerson, commonPassword, signInAs } from './people.test-support.ts';
import { createTestDatabase, testStatementTimeoutMs } from './test-database.test-support.ts';

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;

/** The proof of identity of everyone who signs in through this app. */
export const ownProof = { proofKind: 'password', proof: commonPassword } as const;
let people = 0;

/**
 * The whole app on its own database: HTTP, jobs, and the Stripe simulator as a process. Use `db` only for data that no
 * call can read or change.
 */
export async function startTestApp(
  options: {
    env?: Record<string, string>;
    database?: { url: string; drop: () => Promise<void> };
    realtimeLimits?: RealtimeLimits;
    /** Gets every line of the log, which otherwise goes to standard output. */
    logTo?: { write: (line: string) => void };
  } = {},
) {
  const database = options.database ?? (await createTestDatabase());
  const folder = await mkdtemp(join(tmpdir(), 'app-test-'));
  const secrets = generateSecrets();
  const stripeSimulator = await launchStripeSimulator({
    dataDir: join(folder, 'card-network'),
    command: [process.execPath, pathOfProgram('stripe-simulator')],
    webhookSecret: secrets.STRIPE_WEBHOOK_SECRET!,
    webhookEvents: webhookEventTypes,
  });
  const port = await findFreePort();
  const config: Config = readConfig({
    ...secrets,
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: database.url,
    DATABASE_STATEMENT_TIMEOUT_MS: String(testStatementTimeoutMs),
    STRIPE_API_BASE: stripeSimulator.url,
    MAIL_OUTBOX: join(folder, 'outbox'),
    STORAGE_DIR: join(folder, 'files'),
    CHANGE_NOTICE_SECONDS: '0',
    VISITOR_CACHE_SECONDS: '0',
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    ...options.env,
  });
  const db: Database = openDatabase(
    openPool(database.url, { size: 4, statementTimeoutMs: testStatementTimeoutMs }),
  );
  const start = () => serveProduct(config, createLog(config.logLevel, options.logTo), options);
  let product = await start();
  const url = config.publicUrl;
  await stripeSimulator.control({ webhookUrl: `${url}/webhooks/stripe` });

  /** Calls an endpoint as someone, or as a signed-out visitor (null), through HTTP. */
  const call = <E extends Endpoint>(who: Caller, endpoint: E, input: InputOf<E>, sending?: Sending) =>
    callEndpoint(url, who, endpoint, input, sending);

  /** A new person with these roles and a confirmed email address, signed in. */
  async function signIn(...roles: Role[]): Promise<Someone> {
    people += 1;
    const email = `person-${people}-${process.pid}@test.example`;
    // Padded with zeros, so that lists sorted by name have people in the order in which they were added.
    const fullName = `Person ${String(people).padStart(5, '0')}`;
    return addPerson({ db, config }, { email, fullName, roles: roles.length > 0 ? roles : ['customer'] });
  }

  /** Every email, oldest first. */
  async function listEmails(): Promise<OutboxEmail[]> {
    const outbox = join(folder, 'outbox');
    const files = (await readdir(outbox).catch(() => [])).filter((file) => file.endsWith('.json')).sort();
    return Promise.all(files.map(async (file) => JSON.parse(await readFile(join(outbox, file), 'utf8'))));
  }

  /** Emails to this address, oldest first. */
  const emailsTo = async (email: string): Promise<OutboxEmail[]> =>
    (await listEmails()).filter((message) => message.to === email);

  return {
    url,
    config,
    db,
    databaseUrl: database.url,
    stripeSimulator,
    cards: createStripeClient(config.stripe),
    call,
    /** Calls the GoTrue-compatible server as someone: {@link callAuth}. */
    auth: <T = Record<string, string>>(who: Caller, path: string, sending?: AuthSending) =>
      callAuth<T>(url, who, path, sending),
    /** Another session of a person: a second browser. */
    openSession: (email: string, secret = commonPassword) => openSession(url, { email, password: secret }),
    signIn,
    signInAs: (userId: string) => signInAs({ db, config }, userId),
    emailsTo,
    listEmails,
    /** Stops and starts the app in this process; the database and Stripe simulator keep running. */
    restart: async () => {
      await product.stop();
      product = await start();
    },
    stop: async () => {
      await product.stop();
      await db.destroy();
      await stripeSimulator.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Runs `make` before the tests of this file, in the order of these calls. Returns an object that receives the fields of
 * the result only then, so it must not be destructured at the top of the file.
 */
export function beforeTests<T extends object>(make: () => Promise<T>): T {
  const made = {} as T;
  beforeAll(async () => void Object.assign(made, await make()));
  return made;
}

/** Starts the app before the first test of the calling file and stops it after the last; see {@link startTestApp}. */
export function setUpTestApp(options?: Parameters<typeof startTestApp>[0]): TestApp {
  const app = beforeTests(() => startTestApp(options));
  // If the start failed, there is nothing to stop, and the start's error must not be hidden by another.
  afterAll(() => app.stop?.());
  return app;
}

/**
 * Polls until `probe` returns a truthy value. Throws after `withinMs`; the default is ample even for a busy machine.
 */
export async function eventually<T>(
  probe: () => Promise<T | false | null | undefined>,
  withinMs = 45_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`Condition not met after ${withinMs} ms: ${probe}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

/** SQL condition on `pg_stat_activity`: a statement in the connected database waits for a lock that another holds. */
export const isAwaitingLock = "datname = current_database() and wait_event_type = 'Lock'";

/** Waits until this many statements in this database wait for locks of others. */
export const untilLockIsAwaited = (db: Database, statements = 1) =>
  eventually(async () => {
    const { rows } = await sql`select from pg_stat_activity where ${sql.raw(isAwaitingLock)}`.execute(db);
    return rows.length >= statements;
  });
