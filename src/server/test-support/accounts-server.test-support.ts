import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { GoTrueClient } from '@supabase/auth-js';
import { afterAll, expect } from 'vitest';
import type { Role } from '#domain/access.ts';
import { accountsApi } from '#domain/accounts/contract.ts';
import type { Endpoint, InputOf } from '#domain/endpoint.ts';
import { createUser } from '#server/accounts/create-user.ts';
import { accountRoutes } from '#server/accounts/routes.ts';
import { adminRoutes } from '#server/admin/routes.ts';
import type { AuthLimits } from '#server/auth/auth-limits.ts';
import { createAuthenticate } from '#server/auth/authenticate.ts';
import { createAuthApp } from '#server/auth/gotrue/auth-app.ts';
import { authJobs } from '#server/auth/jobs.ts';
import { authRoutes } from '#server/auth/routes.ts';
import { generateSecrets } from '#server/embedded/demo-secrets.ts';
import { createChannels } from '#server/notifications/channels.ts';
import type { OutboxEmail } from '#server/notifications/email/email-channel.ts';
import { notificationJobs } from '#server/notifications/jobs.ts';
import { type Config, readConfig } from '#server/platform/config.ts';
import { openDatabase, openPool } from '#server/platform/db/db.ts';
import { createHttpApp, serveRoutes } from '#server/platform/http/http.ts';
import { startWorker } from '#server/platform/jobs/start-worker.ts';
import { createLog } from '#server/platform/log.ts';
import { createAddressSigner } from '#server/storage/signed-address.ts';
import { callEndpoint } from './contract-client.test-support.ts';
import { beforeTests, eventually } from './test-app.test-support.ts';
import { createTestDatabase, testStatementTimeoutMs } from './test-database.test-support.ts';

/** The password of everyone in the account tests. */
export const password = 'orange-corner-flag';

/** A session, or a refusal's code and message. */
type Followed = { access_token: string; refresh_token: string; code?: string; msg?: string };

export type AccountsServer = Awaited<ReturnType<typeof startAccountsServer>>;

/** Serves only auth, accounts and admin over HTTP, with the jobs of auth and notifications, on its own database. */
export async function startAccountsServer(options: { limits?: Partial<AuthLimits> } = {}) {
  const database = await createTestDatabase();
  const outbox = await mkdtemp(join(tmpdir(), 'app-outbox-'));
  const publicUrl = 'http://club.test';
  const config: Config = readConfig({
    ...generateSecrets(),
    DATABASE_URL: database.url,
    PUBLIC_URL: publicUrl,
    MAIL_OUTBOX: outbox,
    TRUST_PROXY: '1',
  });
  const log = createLog('silent');
  const pool = openPool(database.url, { size: 8, statementTimeoutMs: testStatementTimeoutMs });
  const db = openDatabase(pool);
  const jobPool = openPool(database.url, { size: 2, statementTimeoutMs: testStatementTimeoutMs });
  const worker = await startWorker(
    jobPool,
    {
      ...notificationJobs({
        db,
        channels: createChannels({ db, config }),
        composers: {},
        findLesson: async () => null,
        onUnreached: async () => {},
      }),
      ...authJobs(db),
    },
    log,
  );

  /** Serves the same database with another configuration, as a second process would. */
  async function serveWith(changes: Partial<Config>): Promise<{ url: string; stop: () => Promise<void> }> {
    const current = { ...config, ...changes };
    const app = createHttpApp(log, current);
    app.route('/auth/v1', createAuthApp({ db, config: current, log, limits: options.limits }));
    const parts = { db, config: current };
    const routes = [
      ...authRoutes(parts),
      ...accountRoutes({ ...parts, signer: createAddressSigner(current) }),
      ...adminRoutes(parts),
    ];
    serveRoutes(app, routes, createAuthenticate(db, current));
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
    await new Promise<void>((resolve) => server.once('listening', resolve));
    const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
  }

  const main = await serveWith({});

  async function emailsTo(email: string): Promise<OutboxEmail[]> {
    const files = (await readdir(outbox)).filter((file) => file.endsWith('.json')).sort();
    const emails = await Promise.all(
      files.map(async (file) => JSON.parse(await readFile(join(outbox, file), 'utf8'))),
    );
    return emails.filter((message: OutboxEmail) => message.to === email);
  }

  /** Waits until this many emails to the address have been sent, and returns the last one. */
  const lastOfEmails = (email: string, count: number): Promise<OutboxEmail> =>
    eventually(async () => (await emailsTo(email)).slice(count - 1).at(-1));

  /** Waits for an email to the address with a matching subject. Jobs run concurrently, so emails come in any order. */
  const emailAbout = (email: string, subject: RegExp): Promise<OutboxEmail> =>
    eventually(async () => (await emailsTo(email)).findLast((message) => subject.test(message.subject)));

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(main.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  /** Adds a person with this address, which is confirmed by default. */
  const addPerson = (
    email: string,
    more: { fullName?: string; roles?: Role[]; password?: string; isConfirmed?: boolean } = {},
  ) =>
    createUser({
      ...{ db, email, password, fullName: 'Kim Vale', roles: ['customer'], isConfirmed: true },
      ...more,
    });

  /** Signs in as a browser does; fails the test if sign-in is refused. */
  async function signIn(email: string, secret = password) {
    const client = createClient(main.url);
    const { data, error } = await client.signInWithPassword({ email, password: secret });
    expect(error).toBeNull();
    return { client, session: data.session!, token: data.session!.access_token };
  }

  return {
    url: main.url,
    addPerson,
    signIn,
    /** Calls an endpoint with a token, or without one if `token` is null. */
    call: <E extends Endpoint>(token: string | null, endpoint: E, input: InputOf<E>, url = main.url) =>
      callEndpoint(url, token === null ? null : { token }, endpoint, input),
    /** Calls an endpoint that needs a session but no role, which shows whether a token is valid. */
    getProfile: (token: string | null, url = main.url) =>
      callEndpoint(url, token === null ? null : { token }, accountsApi.getProfile, {}),
    databaseUrl: database.url,
    publicUrl,
    config,
    db,
    serveWith,
    emailsTo,
    lastOfEmails,
    emailAbout,
    client: (url = main.url) => createClient(url),
    /** The link in an email, changed to this test server's address. */
    linkIn: (message: OutboxEmail) => message.text.match(/^http\S+$/m)![0].replace(publicUrl, main.url),
    post,
    /**
     * Uses an emailed link, as the button on its page does. `page` in the result is the path that the browser opens
     * next.
     */
    followLink: async (link: string, type?: string) => {
      const { pathname, searchParams } = new URL(link);
      if (pathname !== '/verify') throw new Error(`${link} does not lead to the page for emailed links`);
      const answer = await post('/auth/v1/verify', {
        type: type ?? searchParams.get('link'),
        token_hash: searchParams.get('token_hash'),
      });
      const session = (await answer.json()) as Followed;
      return { status: answer.status, page: searchParams.get('next') ?? '/', ...session };
    },
    stop: async () => {
      await main.stop();
      await worker.stop();
      await jobPool.end();
      await db.destroy();
      await database.drop();
      await rm(outbox, { recursive: true });
    },
  };
}

/** The accounts server for all tests of this file: {@link startAccountsServer}, stopped after the last test. */
export function setUpAccountsServer(options?: Parameters<typeof startAccountsServer>[0]): AccountsServer {
  const server = beforeTests(() => startAccountsServer(options));
  afterAll(() => server.stop?.());
  return server;
}

/** auth-js as in a browser tab, except for the refresh timer and the address bar. */
function createClient(url: string): GoTrueClient {
  const items = new Map<string, string>();
  return new GoTrueClient({
    url: `${url}/auth/v1`,
    autoRefreshToken: false,
    detectSessionInUrl: false,
    persistSession: true,
    storage: {
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => void items.set(key, value),
      removeItem: (key) => void items.delete(key),
    },
  });
}

/** CPU time of this process so far, in milliseconds. It doesn't depend on other load on the machine. */
export function readWorkMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
