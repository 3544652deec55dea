import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Role } from '#domain/access.ts';
import type { Endpoint, InputOf, OutputOf } from '#domain/endpoint.ts';
import { pathParamsOf } from '#domain/endpoint.ts';
import type { ErrorBody } from '#domain/errors.ts';
import { createUser } from '#server/accounts/create-user.ts';
import { createAccessTokens } from '#server/auth/sessions/access-token.ts';
import { generateSecrets } from '#server/embedded/demo-secrets.ts';
import { openCardNetwork } from '#server/payments/card-network.ts';
import { webhookEventTypes } from '#server/payments/webhook-app.ts';
import { type Config, readConfig } from '#server/platform/config.ts';
import { type Database, openDatabase, openPool } from '#server/platform/db/db.ts';
import type { Email } from '#server/platform/email.ts';
import { findFreePort } from '#server/platform/free-port.ts';
import { createLog } from '#server/platform/log.ts';
import { serveProduct } from '#server/serve.ts';
import { launchCardNetwork } from '#tools/stripe-sandbox/launch.ts';
import { pathOfProgram } from './built-programs.test-support.ts';
import { createTestDatabase } from './test-database.test-support.ts';

/** The result of a call: the status, and either the output or the error. */
export type Answer<T> = { status: number; body: T; error: ErrorBody['error'] | undefined };

/** A signed-in person of a test. */
export type Someone = { userId: string; email: string; token: string };

export type TestApp = Awaited<ReturnType<typeof startTestApp>>;

const password = 'correct-horse-battery';
/** What proves the identity of everybody who signs in through this app. */
export const ownProof = { proofKind: 'password', proof: password } as const;
let people = 0;

/**
 * The whole product on its own database: HTTP, jobs, and the card-network simulator as a process. `db` is for reading
 * what no screen shows; change data through `call` and `fetch`.
 */
export async function startTestApp(
  options: { env?: Record<string, string>; database?: { url: string; drop: () => Promise<void> } } = {},
) {
  const database = options.database ?? (await createTestDatabase());
  const folder = await mkdtemp(join(tmpdir(), 'app-test-'));
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
    STRIPE_API_BASE: cardNetwork.url,
    MAIL_OUTBOX: join(folder, 'outbox'),
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
    ...options.env,
  });
  const db: Database = openDatabase(openPool(database.url, { size: 4 }));
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

  /** A new person with these roles, verified and signed in through the API. */
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

  /** Emails to this address, oldest first. */
  async function emailsTo(email: string): Promise<(Email & { sentAt: string })[]> {
    const outbox = join(folder, 'outbox');
    const files = (await readdir(outbox).catch(() => [])).filter((file) => file.endsWith('.json')).sort();
    const emails = await Promise.all(
      files.map(async (file) => JSON.parse(await readFile(join(outbox, file), 'utf8'))),
    );
    return emails.filter((message) => message.to === email);
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
    emailsTo,
    /** Stops and starts this process's part of the product; database and card network stay. */
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

/** Polls until `probe` returns a truthy value; throws after `withinMs`, which even a busy machine does not need. */
export async function eventually<T>(probe: () => Promise<T>, withinMs = 45_000): Promise<NonNullable<T>> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (Date.now() > deadline) throw new Error(`Still not so after ${withinMs} ms: ${probe}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
