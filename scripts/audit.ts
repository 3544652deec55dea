// Checks seats, bookings, payments, refunds and the ledger against each other. If Stripe can be reached, also compares
// them with Stripe's own ledger: the changes in it since the last audit without findings, or everything with --all.
// Prints every row that breaks a rule. The exit code is 1 if there is one, or if the comparison with Stripe fails.
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { auditLedger } from '#server/bookings/checks/audit-ledger.ts';
import { loadDemoSecrets } from '#server/embedded/demo-secrets.ts';
import { startEmbeddedPostgres } from '#server/embedded/embedded-postgres.ts';
import { readPostmaster } from '#server/embedded/postmaster.ts';
import { encryptedTables } from '#server/encrypted-tables.ts';
import { createStripeClient } from '#server/payments/stripe-client.ts';
import { readDataKeys } from '#server/platform/config.ts';
import { type Database, openDatabase, openPool } from '#server/platform/db/db.ts';
import { countRowsWithOldKeys } from '#server/platform/db/re-encrypt.ts';
import { explainStartFailure } from '#server/platform/db/start-check.ts';
import { findRunning } from '#tools/stripe-sandbox/running.ts';

type Audited = {
  url: string;
  /** DATA_KEY; if undefined, rows with an old key are not reported. */
  dataKey: string | undefined;
  stripe: { secretKey: string; apiBase: string | undefined } | null;
  /** Why `stripe` is null, for the report. */
  whyNoCards: string;
  stop: () => Promise<void>;
};

const notCompared =
  'so nothing was compared with Stripe: charges without a booking, refunds that were never sent or came back, and wrong amounts in Stripe go unnoticed.';

if (existsSync('.env')) process.loadEnvFile('.env');

function openLive(url: string): Audited {
  const secretKey = process.env.STRIPE_SECRET_KEY;
  const apiBase = process.env.STRIPE_API_BASE || undefined;
  return {
    url,
    dataKey: process.env.DATA_KEY || undefined,
    stripe: secretKey ? { secretKey, apiBase } : null,
    whyNoCards: 'STRIPE_SECRET_KEY is not set',
    stop: async () => {},
  };
}

/** Opens the demo's database. If the database was already running, `stop` leaves it running. */
async function openDemo(dataDir: string): Promise<Audited> {
  const home = join(dataDir, 'postgres');
  if (!existsSync(home))
    throw new Error(`There is no database in ${dataDir}. Run npm start once, or set DATABASE_URL.`);
  const wasRunning = (await readPostmaster(home))?.isAlive;
  const postgres = await startEmbeddedPostgres({ dataDir });
  const simulator = await findRunning(join(dataDir, 'card-network'));
  const secrets = await loadDemoSecrets(dataDir);
  const secretKey = secrets.STRIPE_SECRET_KEY!;
  return {
    url: postgres.url,
    dataKey: process.env.DATA_KEY || secrets.DATA_KEY,
    stripe: simulator && { secretKey, apiBase: simulator.url },
    whyNoCards: 'The Stripe simulator is not running',
    stop: wasRunning ? async () => {} : postgres.stop,
  };
}

const audited = process.env.DATABASE_URL
  ? openLive(process.env.DATABASE_URL)
  : await openDemo(resolve(process.env.DATA_DIR ?? 'data'));
const db = openDatabase(openPool(audited.url, { size: 2 }));
try {
  const cards = audited.stripe ? createStripeClient(audited.stripe) : undefined;
  let isCompared = Boolean(cards);
  const began = new Date().toISOString();
  const since = process.argv.includes('--all') ? null : await readComparedAt(db);
  const findings = await auditLedger(db, cards, { since }).catch((error: Error & { type?: string }) => {
    if (!error.type?.startsWith('Stripe')) throw error;
    isCompared = false;
    console.error(`The comparison with Stripe failed: ${error.message}`);
    process.exitCode = 1;
    return auditLedger(db);
  });
  for (const { rule, rows } of findings) {
    console.log(`\nBroken: ${rule} (${rows.length})`);
    for (const row of rows) console.log(`  ${JSON.stringify(row)}`);
  }
  const against = isCompared
    ? ''
    : ` ${audited.stripe ? 'The comparison with Stripe failed' : audited.whyNoCards}, ${notCompared}`;
  console.log(
    findings.length === 0
      ? `The ledger is in order.${against}`
      : `\n${findings.length} ${findings.length === 1 ? 'rule is' : 'rules are'} broken.${against}`,
  );
  if (findings.length > 0) process.exitCode = 1;
  // Moves the start of the next audit only if nothing was found, so a difference is reported until it is resolved.
  else if (isCompared) await db.updateTable('health').set({ booksComparedAt: began }).execute();
  if (audited.dataKey) {
    for (const { table, rows } of await countRowsWithOldKeys(
      db,
      readDataKeys(audited.dataKey),
      encryptedTables,
    )) {
      console.log(
        `${table}: ${rows} ${rows === 1 ? 'row is' : 'rows are'} encrypted with an earlier DATA_KEY; npm run admin -- re-encrypt encrypts ${rows === 1 ? 'it' : 'them'} with the first key.`,
      );
    }
  }
} catch (error) {
  const reason = explainStartFailure(error, audited.url);
  if (!reason) throw error;
  console.error(reason);
  process.exitCode = 1;
} finally {
  await db.destroy();
  await audited.stop();
}

async function readComparedAt(on: Database): Promise<string | null> {
  const { booksComparedAt } = await on
    .selectFrom('health')
    .select('booksComparedAt')
    .executeTakeFirstOrThrow();
  return booksComparedAt;
}
