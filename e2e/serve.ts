// Serves the product with the demo club for the browser tests. Creates a fresh database on the PostgreSQL server that
// DATABASE_URL names, or on an embedded server in a temporary folder. SIGTERM at any moment stops the product and
// removes everything that was created.
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { seedDemo } from '#server/demo/seed-demo.ts';
import { generateSecrets } from '#server/embedded/demo-secrets.ts';
import { startEmbeddedPostgres } from '#server/embedded/embedded-postgres.ts';
import { createStripeClient } from '#server/payments/stripe-client.ts';
import { webhookEventTypes } from '#server/payments/webhook-events.ts';
import { readConfig } from '#server/platform/config.ts';
import { openDatabase, openPool } from '#server/platform/db/db.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import { createLog } from '#server/platform/log.ts';
import { serveProduct } from '#server/serve.ts';
import { openStorage } from '#server/storage/storage.ts';
import { dropDatabase } from '#server/test-support/drop-database.test-support.ts';
import { askNothing } from '#server/verification/ask-nothing.test-support.ts';
import { startPushService } from '#tools/push-service/push-service.ts';
import { launchStripeSimulator } from '#tools/stripe-sandbox/launch.ts';

async function runOn(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statements).finally(() => client.end());
}

type Scratch = { url: string; drop: () => Promise<void> };

async function createScratchDatabase(folder: string): Promise<Scratch> {
  if (!process.env.DATABASE_URL) {
    const postgres = await startEmbeddedPostgres({ dataDir: folder });
    return { url: postgres.url, drop: () => postgres.stop() };
  }
  const name = `app_e2e_${process.pid}`;
  const run = (statement: string) => runOn(process.env.DATABASE_URL!, statement);
  await run(`create database ${name}`);
  const url = new URL(process.env.DATABASE_URL);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => dropDatabase(process.env.DATABASE_URL!, name) };
}

let isStopping = false;
/** Functions that stop or remove everything that was started, last started first. */
const endings: { name: string; end: () => Promise<unknown> }[] = [];

/** Calls `start` now. When the server stops, waits for the result of `start`, if necessary, and calls `end` with it. */
function begin<T>(name: string, start: () => Promise<T>, end: (begun: T) => Promise<unknown>): Promise<T> {
  if (isStopping) throw new Error('The server is stopping.');
  const begun = start();
  endings.unshift({ name, end: async () => end(await begun) });
  return begun;
}

async function stop(exitCode = 0): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  // Ignores failures: a process that did not start has reported its error and needn't be stopped.
  for (const { name, end } of endings) {
    const slow = setTimeout(() => console.error(`Still stopping after a minute: ${name}`), 60_000);
    await end().catch(() => {});
    clearTimeout(slow);
  }
  process.exit(exitCode);
}

async function serve(): Promise<void> {
  const folder = await begin(
    'temporary folder',
    () => mkdtemp(join(tmpdir(), 'app-e2e-')),
    (made) => rm(made, { recursive: true, force: true }),
  );
  const secrets = generateSecrets();
  const built = join(import.meta.dirname, 'stripe-simulator.js');
  const scratch = await begin(
    'database',
    () => createScratchDatabase(folder),
    ({ drop }) => drop(),
  );
  const databaseFile = process.env.DATABASE_FILE;
  if (databaseFile) {
    await begin(
      'database file',
      () => writeFile(databaseFile, scratch.url, { mode: 0o600 }),
      () => rm(databaseFile, { force: true }),
    );
  }
  const stripeSimulator = await begin(
    'Stripe simulator',
    () =>
      launchStripeSimulator({
        dataDir: join(folder, 'card-network'),
        ...(existsSync(built) && { command: [process.execPath, built] }),
        webhookSecret: secrets.STRIPE_WEBHOOK_SECRET!,
        webhookEvents: webhookEventTypes,
      }),
    (network) => network.stop(),
  );
  const pushService = await begin(
    'push service',
    () => startPushService(),
    (service) => service.stop(),
  );
  const port = Number(process.env.PORT ?? 4173);
  const config = readConfig(
    {
      ...secrets,
      PORT: String(port),
      HOST: '127.0.0.1',
      TRUST_PROXY: 'true',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      DATABASE_URL: scratch.url,
      DATABASE_STATEMENT_TIMEOUT_MS: '20000',
      STRIPE_API_BASE: stripeSimulator.url,
      PUSH_SERVICE_BASE: pushService.url,
      CHANGE_NOTICE_SECONDS: '0',
      MAIL_OUTBOX: join(folder, 'outbox'),
      STORAGE_DIR: join(folder, 'files'),
      LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
    },
    { isDemo: true },
  );
  // Losing the database during a migration would end this process before it cleans up. So `stop` waits for migrations.
  await begin(
    'migrations',
    () => migrate(config.databaseUrl),
    () => Promise.resolve(),
  );
  const db = openDatabase(openPool(config.databaseUrl, { size: 2 }));
  await seedDemo({ db, config, cards: createStripeClient(config.stripe), files: openStorage(config).files });
  await db.destroy();
  await runOn(config.databaseUrl, askNothing);
  await begin(
    'product',
    () => serveProduct(config, createLog(config.logLevel)),
    (product) => product.stop(),
  );
  if (process.env.SECOND_PORT) {
    await begin(
      'second product',
      () => serveProduct({ ...config, port: Number(process.env.SECOND_PORT) }, createLog(config.logLevel)),
      (product) => product.stop(),
    );
  }
  await stripeSimulator.control({ webhookUrl: `${config.publicUrl}/webhooks/stripe` });
}

process.once('SIGTERM', () => stop());
process.once('SIGINT', () => stop());
try {
  await serve();
} catch (error) {
  // While stopping, a start in progress may fail because its folder is gone.
  if (!isStopping) {
    console.error(error);
    await stop(1);
  }
}
