import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type Stripe from 'stripe';
import type { Endpoint, InputOf, OutputOf } from '#domain/endpoint.ts';
import { generateSecrets } from '#server/embedded/demo-secrets.ts';
import { createStripeClient } from '#server/payments/stripe-client.ts';
import { webhookEventTypes } from '#server/payments/webhook-events.ts';
import { type Config, readConfig } from '#server/platform/config.ts';
import { type Database, openDatabase, openPool } from '#server/platform/db/db.ts';
import {
  type Answer,
  type Caller,
  callEndpoint,
  UndocumentedRefusal,
} from '#server/test-support/contract-client.test-support.ts';
import { type SmtpServer, startSmtpServer } from '#tools/smtp-server.ts';
import { launchStripeSimulator, type StripeSimulator } from '#tools/stripe-sandbox/launch.ts';
import { type AppProcess, startAppProcess } from './app-process.ts';
import type { Commands } from './build.ts';
import { type DatabaseWire, openDatabaseWire } from './database-wire.ts';
import { openPlainWire, type PlainWire } from './plain-wire.ts';
import type { KillablePostgres } from './postgres.ts';
import { openStripeWire, type StripeWire } from './stripe-wire.ts';

/**
 * One of the two processes, its proxies to the database, the replica and the Stripe simulator, and the proxy through
 * which pages with live updates reach it.
 */
export type Side = {
  app: AppProcess;
  pageWire: PlainWire;
  databaseWire: DatabaseWire;
  replicaWire: PlainWire;
  stripeWire: StripeWire;
};

/**
 * Two server processes on one database and its replica, the Stripe simulator, an SMTP server, and the proxies
 * between them.
 */
export type Stage = {
  postgres: KillablePostgres;
  config: Config;
  /** A direct connection that bypasses the proxies. `reconnect` reopens it after the server has restarted. */
  db: () => Database;
  reconnect: () => Promise<void>;
  cards: Stripe;
  stripeSimulator: StripeSimulator;
  /** Receives the emails of both processes. */
  smtpServer: SmtpServer;
  sides: readonly [Side, Side];
  /**
   * Calls an endpoint of one process as someone, or as a visitor. Status 0: lost connection, or no response in 15 s.
   */
  call: <E extends Endpoint>(
    side: Target,
    who: Caller | null,
    endpoint: E,
    input: InputOf<E>,
  ) => Promise<Answer<OutputOf<E> | undefined>>;
  stop: () => Promise<void>;
};

/** Where requests are sent: one process, or nginx in front of several. */
export type Target = { app: { url: string } };

/** The parts of a stage that the load and the checker use. */
export type LoadStage = Pick<Stage, 'config' | 'db' | 'cards' | 'stripeSimulator' | 'smtpServer' | 'call'> & {
  sides: readonly [Target, Target];
};

/** Changes to the traffic that remove a guard, to prove that the checker notices the missing guard. */
export type WireMutation = { rewrite?: (statement: string) => string; dropsKeys?: boolean };

/** How long a client waits for a response, in milliseconds. */
export const clientTimeoutMs = 15_000;
const metricsToken = 'only-for-fault-tests';
const replicaDeadlineMs = 30_000;

/** Sets up the stage on its own database, called `name`, on this server. */
export async function openStage(
  postgres: KillablePostgres,
  commands: Commands,
  name: string,
  wireMutation: WireMutation = {},
): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), 'app-faults-'));
  const secrets = generateSecrets();
  await postgres.createDatabase(name);
  const stripeSimulator = await launchStripeSimulator({
    dataDir: join(folder, 'card-network'),
    webhookSecret: secrets.STRIPE_WEBHOOK_SECRET!,
    webhookEvents: webhookEventTypes,
    command: commands.stripeSimulator,
  });
  const smtpServer = await startSmtpServer({});
  const env = {
    ...secrets,
    PUBLIC_URL: 'https://club.example',
    DATABASE_URL: postgres.urlOf(name).href,
    SMTP_URL: smtpServer.url,
    // With this setting, each email's return path names its notification.
    BOUNCE_ADDRESS: 'bounces@club.example',
    METRICS_TOKEN: metricsToken,
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'silent',
  };
  const openSide = async (): Promise<Side> => {
    const databaseWire = await openDatabaseWire(postgres.port, wireMutation.rewrite);
    const stripeWire = await openStripeWire(() => stripeSimulator.url, wireMutation);
    const address = postgres.urlOf(name);
    address.port = String(databaseWire.port);
    const replicaWire = await openPlainWire(postgres.replica.port);
    const replicaAddress = postgres.urlOf(name);
    replicaAddress.port = String(replicaWire.port);
    const wired = {
      DATABASE_URL: address.href,
      DATABASE_REPLICA_URL: replicaAddress.href,
      STRIPE_API_BASE: stripeWire.url,
      CHANGE_NOTICE_SECONDS: '0',
    };
    const app = await startAppProcess(commands.app, { ...env, ...wired });
    const pageWire = await openPlainWire(() => Number(new URL(app.url).port));
    return { app, pageWire, databaseWire, replicaWire, stripeWire };
  };
  const sides = [await openSide(), await openSide()] as const;
  const webhooks = await forwardWebhooks(sides);
  await stripeSimulator.control({ webhookUrl: webhooks.url });
  const config = readConfig({ ...env, STRIPE_API_BASE: stripeSimulator.url });
  let db = openDatabase(openPool(postgres.urlOf(name).href, { size: 3, acquireTimeoutMs: 10_000 }));
  await Promise.all(sides.map(({ app }) => app.untilReady()));
  await Promise.all(sides.map(untilReplicaIsUsed));

  return {
    postgres,
    config,
    db: () => db,
    reconnect: async () => {
      await db.destroy().catch(() => {});
      db = openDatabase(openPool(postgres.urlOf(name).href, { size: 3, acquireTimeoutMs: 10_000 }));
    },
    cards: createStripeClient(config.stripe),
    stripeSimulator,
    smtpServer,
    sides,
    call: callSide,
    stop: async () => {
      await Promise.all(sides.map(({ app }) => app.kill()));
      for (const { pageWire, databaseWire, replicaWire, stripeWire } of sides) {
        pageWire.close();
        databaseWire.close();
        replicaWire.close();
        stripeWire.close();
      }
      webhooks.close();
      await smtpServer.close();
      await db.destroy().catch(() => {});
      await stripeSimulator.stop();
      await postgres.dropDatabase(name).catch(() => {});
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until a process reads from the replica again; returns false if it doesn't within half a minute. */
export async function untilReplicaIsUsed({ app }: Side): Promise<boolean> {
  const headers = { authorization: `Bearer ${metricsToken}` };
  for (const until = Date.now() + replicaDeadlineMs; Date.now() < until; await delay(50)) {
    const metrics = await fetch(`${app.url}/metrics`, {
      headers,
      signal: AbortSignal.timeout(clientTimeoutMs),
    })
      .then((answer) => answer.text())
      .catch(() => '');
    if (/^app_replica_in_use 1$/m.test(metrics)) return true;
  }
  return false;
}

async function callSide<E extends Endpoint>(
  side: Target,
  who: Caller | null,
  endpoint: E,
  input: InputOf<E>,
) {
  const signal = AbortSignal.timeout(clientTimeoutMs);
  try {
    const { status, body, error } = await callEndpoint(side.app.url, who, endpoint, input, { signal });
    return { status, body: error ? undefined : body, error };
  } catch (problem) {
    return answerOf(problem);
  }
}

/** The answer to a call that threw `problem`; status 0 if there was no response. */
export const answerOf = (problem: unknown): Answer<undefined> =>
  problem instanceof UndocumentedRefusal ? problem.answer : { status: 0, body: undefined, error: undefined };

/** Forwards webhooks that arrive at one address to the two processes in turn, as a load balancer does. */
async function forwardWebhooks(sides: readonly [Side, Side]) {
  let turn = 0;
  const server = http.createServer(async (request, response) => {
    const lose = () => request.socket.destroy();
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return lose();
    }
    turn += 1;
    const url = `${sides[turn % 2]!.app.url}/webhooks/stripe`;
    const forward = http.request(url, { method: 'POST', headers: request.headers }, (answer) => {
      answer.on('error', lose);
      response.writeHead(answer.statusCode!);
      answer.pipe(response);
    });
    forward.on('error', lose);
    forward.end(Buffer.concat(chunks));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
