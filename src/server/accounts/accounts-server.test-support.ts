import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { GoTrueClient } from '@supabase/auth-js';
import { createHttpApp, serveRoutes } from '#server/platform/http.ts';
import { type Config, readConfig } from '../platform/config.ts';
import { openDatabase, openPool } from '../platform/db.ts';
import { generateSecrets } from '../platform/demo-secrets.ts';
import { startWorker } from '../platform/jobs.ts';
import { createLog } from '../platform/log.ts';
import { type Mail, mailJobs, openMailer } from '../platform/mail.ts';
import { createTestDatabase, patientMs } from '../platform/test-database.test-support.ts';
import { createAuthApp } from './auth-app.ts';
import type { AuthLimits } from './auth-limits.ts';
import { createIdentify } from './identify.ts';
import { accountJobs } from './jobs.ts';
import { accountRoutes } from './routes.ts';

/** A session, or a refusal's code and sentence. */
type Followed = { access_token: string; refresh_token: string; code?: string; msg?: string };

export type AccountsServer = Awaited<ReturnType<typeof startAccountsServer>>;

/** Accounts alone, over HTTP, with their jobs, on a database of their own; without routes of later areas. */
export async function startAccountsServer(options: { limits?: Partial<AuthLimits> } = {}) {
  const database = await createTestDatabase();
  const outbox = await mkdtemp(join(tmpdir(), 'touchline-outbox-'));
  const publicUrl = 'http://club.test';
  const config: Config = readConfig({
    ...generateSecrets(),
    DATABASE_URL: database.url,
    PUBLIC_URL: publicUrl,
    MAIL_OUTBOX: outbox,
    TRUST_PROXY: '1',
  });
  const log = createLog('silent');
  const pool = openPool(database.url, { size: 8, statementTimeoutMs: patientMs });
  const db = openDatabase(pool);
  const jobPool = openPool(database.url, { size: 2, statementTimeoutMs: patientMs });
  const worker = await startWorker(
    jobPool,
    { ...mailJobs(openMailer(config.mail)), ...accountJobs({ db, config }) },
    log,
  );

  /** Serves the same database with another configuration, as a second process would. */
  async function serveWith(changes: Partial<Config>): Promise<{ url: string; stop: () => Promise<void> }> {
    const current = { ...config, ...changes };
    const app = createHttpApp(log, current);
    app.route('/auth/v1', createAuthApp({ db, config: current, log, limits: options.limits }));
    serveRoutes(app, accountRoutes({ db, config: current }), createIdentify(db, current));
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
    await new Promise<void>((resolve) => server.once('listening', resolve));
    const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
  }

  const main = await serveWith({});

  async function mailsTo(email: string): Promise<Mail[]> {
    const files = (await readdir(outbox)).filter((file) => file.endsWith('.json')).sort();
    const mails = await Promise.all(
      files.map(async (file) => JSON.parse(await readFile(join(outbox, file), 'utf8'))),
    );
    return mails.filter((mail: Mail) => mail.to === email);
  }

  /** Waits until so many mails to the address have left, and answers the last one. */
  async function lastOfMails(email: string, count: number): Promise<Mail> {
    const deadline = Date.now() + 45_000;
    for (;;) {
      const mails = await mailsTo(email);
      if (mails.length >= count) return mails.at(-1)!;
      if (Date.now() > deadline) throw new Error(`${mails.length} mails to ${email}, not ${count}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  /** Waits for a mail to the address with such a subject; jobs run beside each other, so their order is no matter. */
  async function mailAbout(email: string, subject: RegExp): Promise<Mail> {
    const deadline = Date.now() + 45_000;
    for (;;) {
      const found = (await mailsTo(email)).findLast((mail) => subject.test(mail.subject));
      if (found) return found;
      if (Date.now() > deadline) throw new Error(`No mail to ${email} about ${subject}`);
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
  }

  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(main.url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });

  return {
    url: main.url,
    databaseUrl: database.url,
    publicUrl,
    config,
    db,
    serveWith,
    mailsTo,
    lastOfMails,
    mailAbout,
    client: (url = main.url) => createClient(url),
    /** The link of a mail, reachable at this test's address. */
    linkIn: (mail: Mail) => mail.text.match(/^http\S+$/m)![0].replace(publicUrl, main.url),
    post,
    /** Uses an emailed link as the button on its page does; `page` is where that page goes on to. */
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

/** auth-js as a browser tab uses it, except for the ticking refresh and the address bar. */
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

/** Milliseconds of processor time this process has used so far: work, whatever else the machine is doing. */
export function readWorkMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
