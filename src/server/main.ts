import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startPushService } from '#tools/push-service/push-service.ts';
import { launchStripeSimulator } from '#tools/stripe-sandbox/launch.ts';
import { refuseDemoAccounts } from './demo/refuse-demo-accounts.ts';
import { seedDemo } from './demo/seed-demo.ts';
import { loadDemoSecrets } from './embedded/demo-secrets.ts';
import { keepEmbeddedPostgres } from './embedded/keep-postgres.ts';
import { createStripeClient } from './payments/stripe-client.ts';
import { webhookEventTypes } from './payments/webhook-events.ts';
import { assertDemo, type Config, ConfigError, readConfig } from './platform/config.ts';
import { openDatabase, openPool } from './platform/db/db.ts';
import { migrate } from './platform/db/migrate.ts';
import { explainStartFailure, StartRefusal } from './platform/db/start-check.ts';
import { createLog } from './platform/log.ts';
import { serveProduct } from './serve.ts';
import { openStorage } from './storage/storage.ts';

type Stoppable = { stop: (options?: { drainMs?: number }) => Promise<void> };

/** How long a stopping process still accepts requests, in milliseconds, so that load balancers notice first. */
const drainMs = 5_000;

const say = (text: string) => process.stdout.write(`${text}\n`);

async function start(env: Record<string, string | undefined>): Promise<Stoppable> {
  if (env.DATABASE_URL?.trim()) return startLive(env);
  assertDemo(env);
  return startDemo(env);
}

async function startLive(env: Record<string, string | undefined>): Promise<Stoppable> {
  const config = readConfig(env);
  const log = createLog(config.logLevel);
  await migrate(config.databaseUrl);
  await refuseDemoAccounts(config.databaseUrl);
  const product = await serveProduct(config, log);
  if (config.storage.kind === 'disk') {
    log.info(
      { folder: config.storage.folder },
      'files are stored in this folder; processes on several machines need a shared volume, or S3',
    );
  }
  log.info({ port: product.port, publicUrl: config.publicUrl }, 'ready');
  return product;
}

async function startDemo(env: Record<string, string | undefined>): Promise<Stoppable> {
  const dataDir = resolve(env.DATA_DIR ?? 'data');
  const secrets = await loadDemoSecrets(dataDir);
  // In a build, all programs are in one folder.
  const built = join(import.meta.dirname, 'stripe-simulator.js');
  const [postgres, pushService, stripeSimulator] = await Promise.all([
    keepEmbeddedPostgres(dataDir, createLog('warn')),
    startPushService({ file: join(dataDir, 'push-service.json') }),
    launchStripeSimulator({
      dataDir: join(dataDir, 'card-network'),
      webhookSecret: secrets.STRIPE_WEBHOOK_SECRET!,
      webhookEvents: webhookEventTypes,
      ...(existsSync(built) && { command: [process.execPath, built] }),
    }),
  ]);
  const config = readConfig(
    {
      ...secrets,
      ...env,
      // The demo's passwords are public, so the demo is reachable from other machines only if HOST allows that.
      HOST: env.HOST?.trim() || '127.0.0.1',
      DATABASE_URL: postgres.url,
      STRIPE_API_BASE: stripeSimulator.url,
      PUSH_SERVICE_BASE: pushService.url,
      MAIL_OUTBOX: join(dataDir, 'outbox'),
      CHANGE_NOTICE_SECONDS: '5',
      LOG_LEVEL: env.LOG_LEVEL ?? 'warn',
    },
    { isDemo: true },
  );
  await migrate(config.databaseUrl);
  await seedIfEmpty(config);
  const product = await serveProduct(config, createLog(config.logLevel));
  await stripeSimulator.control({ webhookUrl: `http://127.0.0.1:${product.port}/webhooks/stripe` });
  say(`
  Ready: ${config.publicUrl}

  Sign in as   customer@demo.test, coach@demo.test or admin@demo.test
  Password     demo-lesson-2026
  Emails       ${config.publicUrl}/demo/outbox

  Press Ctrl-C to stop.
`);
  return {
    stop: async () => {
      await product.stop();
      await Promise.all([stripeSimulator.stop(), pushService.stop(), postgres.stop()]);
    },
  };
}

async function seedIfEmpty(config: Config): Promise<void> {
  const db = openDatabase(openPool(config.databaseUrl, { size: 2 }));
  try {
    const anyone = await db.selectFrom('users').select('userId').limit(1).executeTakeFirst();
    if (!anyone)
      await seedDemo({
        db,
        config,
        cards: createStripeClient(config.stripe),
        files: openStorage(config).files,
      });
  } finally {
    await db.destroy();
  }
}

try {
  if (existsSync('.env')) process.loadEnvFile('.env');
  const running = await start(process.env);
  let isStopping = false;
  const stop = async (options: { drainMs?: number }) => {
    if (isStopping) return;
    isStopping = true;
    await running.stop(options);
    process.exit(0);
  };
  process.on('SIGINT', () => stop({}));
  process.on('SIGTERM', () => stop({ drainMs }));
} catch (error) {
  process.stderr.write(`${explain(error as NodeJS.ErrnoException & { port?: number })}\n`);
  process.exit(1);
}

function explain(error: NodeJS.ErrnoException & { port?: number }): string | undefined {
  if (error instanceof ConfigError || error instanceof StartRefusal) return error.message;
  const url = process.env.DATABASE_URL?.trim();
  const reason = url && explainStartFailure(error, url);
  if (reason) return reason;
  if (error.code !== 'EADDRINUSE') return error.stack;
  return `Port ${error.port} is taken, perhaps by a server that is already running. Stop it, or set PORT to another number.`;
}
