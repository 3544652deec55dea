import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { generateSecrets } from '#server/embedded/demo-secrets.ts';
import { startEmbeddedPostgres } from '#server/embedded/embedded-postgres.ts';
import { webhookEventTypes } from '#server/payments/webhook-events.ts';
import { type Config, readConfig } from '#server/platform/config.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import { findFreePort } from '#server/platform/free-port.ts';
import { createLog } from '#server/platform/log.ts';
import { packageRoot } from '#server/platform/package-root.ts';
import { serveProduct } from '#server/serve.ts';
import { askNothing } from '#server/verification/ask-nothing.test-support.ts';
import { launchStripeSimulator } from '#tools/stripe-sandbox/launch.ts';

/** Opens a PostgreSQL server to measure on: the server in DATABASE_URL, otherwise an embedded server in data/bench. */
export async function openBenchServer(): Promise<{ url: string; stop: () => Promise<void> }> {
  if (process.env.DATABASE_URL) return { url: process.env.DATABASE_URL, stop: async () => {} };
  return startEmbeddedPostgres({ dataDir: join(packageRoot, 'data', 'bench') });
}

/**
 * Creates a database on a server unless it exists, and migrates it. With `isFresh`, replaces an existing database.
 * Returns the database's URL and whether it is new.
 */
export async function openBenchDatabase(
  server: string,
  name: string,
  { isFresh }: { isFresh: boolean },
): Promise<{ url: string; isNew: boolean }> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  if (isFresh) await client.query(`drop database if exists ${name} with (force)`);
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  if (!rowCount) await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  await migrate(url.href);
  const migrated = new pg.Client({ connectionString: url.href });
  await migrated.connect();
  await migrated.query(askNothing).finally(() => migrated.end());
  return { url: url.href, isNew: !rowCount };
}

export type BenchProduct = {
  port: number;
  config: Config;
  stripeSimulator: Awaited<ReturnType<typeof launchStripeSimulator>>;
  stop: () => Promise<void>;
};

/** Serves the app in this process, with a Stripe simulator that adds no latency. */
export async function serveBenchProduct(databaseUrl: string): Promise<BenchProduct> {
  const folder = await mkdtemp(join(tmpdir(), 'app-bench-'));
  const secrets = generateSecrets();
  const stripeSimulator = await launchStripeSimulator({
    dataDir: join(folder, 'card-network'),
    webhookSecret: secrets.STRIPE_WEBHOOK_SECRET!,
    webhookEvents: webhookEventTypes,
  });
  const port = await findFreePort();
  const config = readConfig({
    ...secrets,
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: databaseUrl,
    STRIPE_API_BASE: stripeSimulator.url,
    CHANGE_NOTICE_SECONDS: '0',
    MAIL_OUTBOX: join(folder, 'outbox'),
    STORAGE_DIR: join(folder, 'files'),
    LOG_LEVEL: 'error',
    VISITOR_CACHE_SECONDS: process.env.VISITOR_CACHE_SECONDS,
  });
  const product = await serveProduct(config, createLog(config.logLevel));
  return {
    port,
    config,
    stripeSimulator,
    stop: async () => {
      await product.stop();
      await stripeSimulator.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
