import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Role, roles } from '#domain/access.ts';
import { AppError } from '#domain/errors.ts';
import { findRunning } from '#tools/stripe-sandbox/running.ts';
import { createProfile } from './accounts/create-profile.ts';
import { findUserByEmail } from './auth/queries.ts';
import { resetTwoStep } from './auth/two-step/reset-two-step.ts';
import { grantRole, revokeRole } from './businesses/change-roles.ts';
import { BackupRefusal, backUp } from './embedded/backup.ts';
import { generateSecrets, loadDemoSecrets } from './embedded/demo-secrets.ts';
import { startEmbeddedPostgres } from './embedded/embedded-postgres.ts';
import { readPostmaster } from './embedded/postmaster.ts';
import { restore } from './embedded/restore-backup.ts';
import { encryptedTables } from './encrypted-tables.ts';
import { ConfigError, readDataKeys } from './platform/config.ts';
import { type Database, openDatabase, openPool } from './platform/db/db.ts';
import { reEncryptTable } from './platform/db/re-encrypt.ts';
import { deleteFailedJobs, listFailedJobs, retryFailedJobs } from './platform/jobs/failed-jobs.ts';

const usage = `Commands for operators:

  npm run admin -- grant EMAIL [${roles.join('|')}]    grants a role: admin unless you name another
  npm run admin -- revoke EMAIL ROLE                 revokes a role
  npm run admin -- reset-two-step EMAIL              switches two-step sign-in off for someone who lost the app and codes, and signs them out
  npm run admin -- keys                              prints new AUTH_SIGNING_KEYS, DATA_KEY and VAPID keys
  npm run admin -- re-encrypt                        re-encrypts older data with the first key in DATA_KEY
  npm run admin -- failed-jobs                       lists jobs that are no longer retried, with their errors
  npm run admin -- retry-jobs [ID …]                 runs these failed jobs again, or all of them if no ID is given
  npm run admin -- delete-jobs ID …                  deletes failed jobs, so that they never run again
  npm run backup -- FILE                             writes the embedded database, secrets and files into a backup file
  npm run restore -- FILE [--replace]                restores a backup file; --replace moves existing data aside

All except keys, backup and restore use the database in DATABASE_URL or, if that is not set, the embedded database in ./data (DATA_DIR).`;

/** An error that the operator can fix; its message says how. */
class Stop extends Error {}

const actor = { system: 'npm run admin' };
const say = (text: string) => void process.stdout.write(`${text}\n`);

async function run([command, email = '', roleName, ...more]: string[]): Promise<void> {
  const jobIds = [email, roleName ?? '', ...more].filter(Boolean);
  if (command === 'keys') return printKeys();
  if (command === 'failed-jobs') return withDatabase(printFailedJobs);
  if (command === 'retry-jobs') return withDatabase((db) => retryJobs(db, jobIds));
  if (command === 'delete-jobs') return withDatabase((db) => deleteJobs(db, jobIds));
  if (command === 'grant') return changeRole(email, readRole(roleName ?? 'admin'), 'grant');
  if (command === 'reset-two-step') return resetTwoStepOf(email);
  if (command === 'backup') return writeBackup(email);
  if (command === 'restore') return restoreBackup(email, roleName);
  if (command === 're-encrypt') return reEncrypt();
  if (command === 'revoke') return changeRole(email, readRole(roleName ?? ''), 'revoke');
  if (command === undefined || command === 'help' || command === '--help') return say(usage);
  throw new Stop(`There is no command "${command}".\n\n${usage}`);
}

function printKeys(): void {
  const { AUTH_SIGNING_KEYS, DATA_KEY, VAPID_PUBLIC_KEY, VAPID_PRIVATE_KEY } = generateSecrets();
  say(`AUTH_SIGNING_KEYS='${AUTH_SIGNING_KEYS}'
DATA_KEY=${DATA_KEY}
VAPID_PUBLIC_KEY=${VAPID_PUBLIC_KEY}
VAPID_PRIVATE_KEY=${VAPID_PRIVATE_KEY}`);
}

async function printFailedJobs(db: Database): Promise<void> {
  const jobs = await listFailedJobs(db);
  for (const { jobId, name, failedAt, error } of jobs) say(`${jobId}  ${name}  ${failedAt}  ${error ?? ''}`);
  if (jobs.length === 0) say('There are no failed jobs.');
}

async function retryJobs(db: Database, jobIds: string[]): Promise<void> {
  const ids = jobIds.length > 0 ? jobIds : (await listFailedJobs(db)).map(({ jobId }) => jobId);
  say(`Jobs that will run again: ${await retryFailedJobs(db, ids)}.`);
}

async function deleteJobs(db: Database, jobIds: string[]): Promise<void> {
  if (jobIds.length === 0) throw new Stop(`Give the ids of the jobs.\n\n${usage}`);
  say(`Jobs deleted: ${await deleteFailedJobs(db, jobIds)}.`);
}

/**
 * Re-encrypts the encrypted data with the first key in DATA_KEY. Safe to stop and repeat, even while the server is
 * running.
 */
async function reEncrypt(): Promise<void> {
  const dataDir = resolve(process.env.DATA_DIR ?? 'data');
  await withDatabase(async (db) => {
    const isOwn = Boolean(process.env.DATABASE_URL);
    const secrets = isOwn ? {} : await loadDemoSecrets(dataDir);
    const keys = readDataKeys(process.env.DATA_KEY || secrets.DATA_KEY);
    let unreadable = 0;
    for (const table of encryptedTables) {
      const done = await reEncryptTable(db, keys, table);
      unreadable += done.unreadable;
      const rest = done.unreadable > 0 ? `, ${done.unreadable} that none of the keys can decrypt` : '';
      say(`${done.table}: ${done.reEncrypted} re-encrypted${rest}`);
    }
    if (unreadable > 0) {
      throw new Stop(
        'Rows that none of the keys can decrypt are unchanged. Add their key to DATA_KEY and run this again.',
      );
    }
    say('Everything is encrypted with the first key in DATA_KEY.');
  });
}

/**
 * Files in the data folder that belong with the database: the installation's secrets, the Stripe simulator's journal,
 * and stored pictures and documents.
 */
const belongings = ['secrets.json', 'card-network/card-network.journal', 'files/'];

function readBackupFile(given: string): { dataDir: string; file: string; others: string[] } {
  if (!given) throw new Stop(`Give the name of the backup file.\n\n${usage}`);
  if (process.env.DATABASE_URL) {
    throw new Stop(
      'This command works only with the embedded database. To back up your own PostgreSQL, see "Keep the data" in docs/operations.md.',
    );
  }
  return {
    dataDir: resolve(process.env.DATA_DIR ?? 'data'),
    file: resolve(given),
    others: belongings,
  };
}

async function writeBackup(given: string): Promise<void> {
  const backup = readBackupFile(given);
  const { bytes } = await backUp(backup);
  say(
    `Wrote ${backup.file} (${(bytes / 1e6).toFixed(1)} MB). It contains every secret of this installation: keep it safe.`,
  );
}

async function restoreBackup(given: string, flag?: string): Promise<void> {
  const backup = readBackupFile(given);
  if (flag && flag !== '--replace') throw new Stop(`There is no option "${flag}".\n\n${usage}`);
  if (await findRunning(join(backup.dataDir, 'card-network'))) {
    throw new Stop(`A server is using the data in ${backup.dataDir}. Stop it, then restore.`);
  }
  const { createdAt, movedTo } = await restore({ ...backup, isReplacing: flag === '--replace' });
  say(`Restored the data as of ${createdAt}. Start the server with npm start.`);
  for (const path of movedTo) say(`The previous data is kept in ${path}`);
}

function readRole(name: string): Role {
  const role = roles.find((known) => known === name);
  if (!role) throw new Stop(`Give one of these roles: ${roles.join(', ')}.\n\n${usage}`);
  return role;
}

async function changeRole(address: string, role: Role, verb: 'grant' | 'revoke'): Promise<void> {
  const email = address.trim().toLowerCase();
  if (!email.includes('@')) throw new Stop(`Give the person's email address.\n\n${usage}`);
  await withDatabase(async (db) => {
    const user = await findUserByEmail(db, email);
    if (!user) throw new Stop(`Nobody has signed up as ${email}. Create the account on the site first.`);
    if (!user.emailConfirmedAt && verb === 'grant') {
      throw new Stop(`${email} has not confirmed the address yet. Ask them to open the link in the email.`);
    }
    await createProfile(db, user.userId);
    const change = verb === 'grant' ? grantRole : revokeRole;
    const isChanged = await change(db, actor, user.userId, role);
    const output = {
      grant: isChanged ? `${email} now has the role ${role}.` : `${email} already has the role ${role}.`,
      revoke: isChanged
        ? `${email} no longer has the role ${role}.`
        : `${email} does not have the role ${role}.`,
    };
    say(output[verb]);
  });
}

async function resetTwoStepOf(address: string): Promise<void> {
  const email = address.trim().toLowerCase();
  if (!email.includes('@')) throw new Stop(`Give the person's email address.\n\n${usage}`);
  await withDatabase(async (db) => {
    const user = await findUserByEmail(db, email);
    if (!user) throw new Stop(`Nobody has signed up as ${email}.`);
    const isReset = await resetTwoStep(db, actor, user);
    say(
      isReset
        ? `Two-step sign-in for ${email} is off, and every browser is signed out. The person will be notified by email.`
        : `Two-step sign-in for ${email} is already off.`,
    );
  });
}

/**
 * Runs `use` on the configured or embedded database. Stops an embedded database afterwards unless it was already
 * running.
 */
async function withDatabase(use: (db: Database) => Promise<void>): Promise<void> {
  const { url, stop } = process.env.DATABASE_URL
    ? { url: process.env.DATABASE_URL, stop: async () => {} }
    : await openEmbedded(resolve(process.env.DATA_DIR ?? 'data'));
  const db = openDatabase(openPool(url, { size: 2 }));
  try {
    await use(db);
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === '42P01')
      throw new Stop('This database is still empty. Start the server once, then try again.');
    throw error;
  } finally {
    await db.destroy();
    await stop();
  }
}

async function openEmbedded(dataDir: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const home = join(dataDir, 'postgres');
  if (!existsSync(home)) {
    throw new Stop(
      `There is no database in ${dataDir} yet. Run npm start once, or set DATABASE_URL to your own database.`,
    );
  }
  const wasRunning = (await readPostmaster(home))?.isAlive;
  const postgres = await startEmbeddedPostgres({ dataDir });
  return wasRunning ? { url: postgres.url, stop: async () => {} } : postgres;
}

try {
  if (existsSync('.env')) process.loadEnvFile('.env');
  await run(process.argv.slice(2));
} catch (error) {
  const isExpected =
    error instanceof Stop ||
    error instanceof AppError ||
    error instanceof ConfigError ||
    error instanceof BackupRefusal;
  const { message } = error as Error;
  process.stderr.write(isExpected ? `${message}\n` : `The command failed: ${message}\n`);
  process.exitCode = 1;
}
