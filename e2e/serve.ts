// Serves the whole product with the demo club for the browser tests, on a fresh database: one made on the server
// that DATABASE_URL names, else the embedded one in a folder of its own. Stops with SIGTERM and leaves nothing.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { launchCardNetwork } from '#sandbox/card-network/launch.ts';
import { seedDemo } from '#server/demo/seed-demo.ts';
import { openCardNetwork } from '#server/payments/card-network.ts';
import { readConfig } from '#server/platform/config.ts';
import { openDatabase, openPool } from '#server/platform/db.ts';
import { generateSecrets } from '#server/platform/demo-secrets.ts';
import { dropDatabase } from '#server/platform/drop-database.test-support.ts';
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts';
import { createLog } from '#server/platform/log.ts';
import { migrate } from '#server/platform/migrate.ts';
import { serveProduct } from '#server/serve.ts';

type Scratch = { url: string; drop: () => Promise<void> };

async function createScratchDatabase(folder: string): Promise<Scratch> {
  if (!process.env.DATABASE_URL) {
    const postgres = await startEmbeddedPostgres({ dataDir: folder });
    return { url: postgres.url, drop: () => postgres.stop() };
  }
  const name = `touchline_e2e_${process.pid}`;
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  await run(`create database ${name}`);
  const url = new URL(process.env.DATABASE_URL);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => dropDatabase(process.env.DATABASE_URL!, name) };
}

const port = Number(process.env.PORT ?? 4173);
const folder = await mkdtemp(join(tmpdir(), 'touchline-e2e-'));
const secrets = generateSecrets();
const scratch = await createScratchDatabase(folder);
const cardNetwork = await launchCardNetwork({
  dataDir: join(folder, 'card-network'),
  webhookSecret: secrets.STRIPE_WEBHOOK_SECRET!,
});
const config = readConfig(
  {
    ...secrets,
    PORT: String(port),
    HOST: '127.0.0.1',
    TRUST_PROXY: 'true',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: scratch.url,
    STRIPE_API_BASE: cardNetwork.url,
    MAIL_OUTBOX: join(folder, 'outbox'),
    LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn',
  },
  { isDemo: true },
);
await migrate(config.databaseUrl);
const db = openDatabase(openPool(config.databaseUrl, { size: 2 }));
await seedDemo({ db, config, cards: openCardNetwork(config.stripe) });
await db.destroy();
const product = await serveProduct(config, createLog(config.logLevel));
await cardNetwork.control({ webhookUrl: `${config.publicUrl}/webhooks/stripe` });

const stop = async () => {
  await product.stop();
  await cardNetwork.stop();
  await scratch.drop();
  await rm(folder, { recursive: true, force: true });
  process.exit(0);
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
