import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Role } from '#domain/access.ts';
import type { Endpoint, InputOf, OutputOf } from '#domain/endpoint.ts';
import { pathParamsOf } from '#domain/endpoint.ts';
import type { ErrorBody } from '#domain/errors.ts';
import { launchCardNetwork } from '#sandbox/card-network/launch.ts';
import { createAccessTokens } from './accounts/access-token.ts';
import { createUser } from './accounts/create-user.ts';
import { openCardNetwork } from './payments/card-network.ts';
import { webhookEventTypes } from './payments/webhook-app.ts';
import { pathOfProgram } from './platform/built-programs.test-support.ts';
import { type Config, readConfig } from './platform/config.ts';
import { type Database, openDatabase, openPool } from './platform/db.ts';
import { generateSecrets } from './platform/demo-secrets.ts';
import { findFreePort } from './platform/free-port.ts';
import { createLog } from './platform/log.ts';
import type { Mail } from './platform/mail.ts';
import { createTestDatabase, patientMs } from './platform/test-database.test-support.ts';
import { serveProduct } from './serve.ts';

/** What a call came back with: the status, and either the output or the error. */
export type Answer<T> = { status: number; body: T; error: ErrorBody['error'] | undefined };

/** A signed-in person of a test. */
export type Someone = { userId: string; email: string; token: string };

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;

const password = 'correct-horse-battery';
/** What proves the identity of everybody who signs in through this app. */
export const ownProof = { proofKind: 'password', proof: password } as const;
let people = 0;

/**
 * The whole product on a database of its own: HTTP, jobs, and the card-network simulator as a process.
 * `db` looks behind the curtain for what no screen shows; acts go through `call` and `fetch`.
 */
export async function startTestApp(
  options: { env?: Record<string, string>; database?: { url: string; drop: () => Promise<void> } } = {},
) {
  const database = options.database ?? (await createTestDatabase());
  const folder = await mkdtemp(join(tmpdir(), 'touchline-test-'));
  const secrets = generateSecrets();
  const cardNetwork = await launchCardNetwork({
    dataDir: join(folder, 'card-network'),
    command: [process.execPath, pathOfProgram('card-network')],
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
    DATABASE_STATEMENT_TIMEOUT_MS: String(patientMs),
    STRIPE_API_BASE: cardNetwork.url,
    MAIL_OUTBOX: join(folder, 'outbox'),
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    ...options.env,
  });
  const db: Database = openDatabase(openPool(database.url, { size: 4, statementTimeoutMs: patientMs }));
  const start = () => serveProduct(config, createLog(config.logLevel));
  let product = await start();
  const url = config.publicUrl;
  await cardNetwork.control({ webhookUrl: `${url}/webhooks/stripe` });

  /** Calls an endpoint as someone, or as a signed-out visitor (null), through HTTP. */
  async function call<E extends Endpoint>(
    who: Someone | null,
    endpoint: E,
    input: InputOf<E>,
  ): Promise<Answer<OutputOf<E>>> {
    const rest = { ...(input as Record<string, unknown>) };
    let path: string = endpoint.path;
    for (const name of pathParamsOf(path)) {
      path = path.replace(`:${name}`, encodeURIComponent(String(rest[name])));
      delete rest[name];
    }
    const hasBody = endpoint.method !== 'GET' && endpoint.method !== 'DELETE';
    if (!hasBody) path += `?${new URLSearchParams(rest as Record<string, string>)}`;
    const response = await fetch(url + path, {
      method: endpoint.method,
      headers: {
        ...(who ? { authorization: `Bearer ${who.token}` } : {}),
        ...(hasBody ? { 'content-type': 'application/json' } : {}),
      },
      body: hasBody ? JSON.stringify(rest) : null,
    });
    const body = await response.json();
    return { status: response.status, body, error: (body as Partial<ErrorBody>).error };
  }

  /** A new person with these roles, verified and signed in through the front door. */
  async function signIn(...roles: Role[]): Promise<Someone> {
    people += 1;
    const email = `person-${people}-${process.pid}@test.example`;
    const { userId } = await createUser({
      db,
      email,
      password,
      fullName: `Person ${people}`,
      roles: roles.length > 0 ? roles : ['customer'],
      isConfirmed: true,
    });
    const response = await fetch(`${url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    const { access_token: token } = (await response.json()) as { access_token: string };
    return { userId, email, token };
  }

  /** A session of somebody whom a test has written into the database. */
  async function signInAs(userId: string): Promise<Someone> {
    const { email } = await db
      .selectFrom('users')
      .select('email')
      .where('userId', '=', userId)
      .executeTakeFirstOrThrow();
    const { sessionId, createdAt } = await db
      .insertInto('sessions')
      .values({ userId })
      .returning(['sessionId', 'createdAt'])
      .executeTakeFirstOrThrow();
    const tokens = createAccessTokens(config);
    const { token } = await tokens.sign({ userId, email, sessionId, signedInAt: createdAt });
    return { userId, email, token };
  }

  /** Mails to this address, oldest first. */
  async function mailsTo(email: string): Promise<(Mail & { sentAt: string })[]> {
    const outbox = join(folder, 'outbox');
    const files = (await readdir(outbox).catch(() => [])).filter((file) => file.endsWith('.json')).sort();
    const mails = await Promise.all(
      files.map(async (file) => JSON.parse(await readFile(join(outbox, file), 'utf8'))),
    );
    return mails.filter((mail) => mail.to === email);
  }

  return {
    url,
    config,
    db,
    databaseUrl: database.url,
    cardNetwork,
    cards: openCardNetwork(config.stripe),
    call,
    signIn,
    signInAs,
    mailsTo,
    /** Stops and starts the process's part of the product; database and card network stay. */
    restart: async () => {
      await product.stop();
      product = await start();
    },
    stop: async () => {
      await product.stop();
      await db.destroy();
      await cardNetwork.stop();
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Polls until `probe` answers something truthy; throws after `withinMs`, which even a busy machine does not need. */
export async function eventually<T>(probe: () => Promise<T>, withinMs = 45_000): Promise<NonNullable<T>> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`Still not so after ${withinMs} ms: ${probe}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
