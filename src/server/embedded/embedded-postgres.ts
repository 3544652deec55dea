import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  open,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { StartRefusal } from '#server/platform/db/start-check.ts';
import { findFreePort } from '#server/platform/free-port.ts';
import {
  findPostgresUser,
  isReachable,
  type PostgresUser,
  preparePostgresBinaries,
} from './postgres-binaries.ts';
import { readPostmaster, stopPostmaster } from './postmaster.ts';

export type EmbeddedPostgres = {
  /** Connection string of the `app` database; its role may create databases but is not a superuser. */
  url: string;
  /** True if this call created the database, which is then empty. */
  isNew: boolean;
  /** Whether the server's main process is running. */
  isRunning(): Promise<boolean>;
  /** Ends every connection, flushes to disk and stops the server, even if this process did not start it. */
  stop(): Promise<void>;
};

const startDeadlineMs = 60_000;
/** Milliseconds for which the lock of a crashed or stopping server may block the start. */
const staleLockMs = 5_000;
const logLimitBytes = 10_000_000;
/** Error codes from a server that is stopping or starting: connection refused or reset, shutting down, starting up. */
const goingCodes = ['ECONNREFUSED', 'ECONNRESET', '57P01', '57P02', '57P03'];
const passwordFile = 'app-password';

const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_buffers: '256MB',
  effective_cache_size: '1GB',
  work_mem: '8MB',
  maintenance_work_mem: '64MB',
  max_wal_size: '1GB',
  random_page_cost: 1.1,
  jit: 'off',
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
};

// The caller's PG… and locale variables must not affect the server.
const cleanEnv = { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' };

/**
 * Starts the embedded PostgreSQL with its data in `<dataDir>/postgres`, created on first use. The server listens on the
 * loopback address only, on `port` if given, otherwise on any free port. A server that outlived a killed Node.js
 * process is reused. Errors that an operator can solve say what to do.
 */
export async function startEmbeddedPostgres({
  dataDir,
  port,
  maxConnections = 100,
}: {
  dataDir: string;
  port?: number;
  maxConnections?: number;
}): Promise<EmbeddedPostgres> {
  await mkdir(dataDir, { recursive: true });
  const link = join(await realpath(dataDir), 'postgres');
  const user = await findPostgresUser(link);
  const home = await findHome(link, user);
  const bin = await preparePostgresBinaries(dirname(home), user).catch((error) => {
    throw error.code === 'ENOSPC' ? explainFailure(error.message, home) : error;
  });
  if (!(await exists(join(home, 'PG_VERSION')))) await initialise(home, bin, user);
  const password = await readPassword(home);
  const began = Date.now();
  for (;;) {
    const running = await findRunningOrStart(home, bin, user, { port, maxConnections });
    try {
      return {
        ...(await openDatabase(running, password)),
        isRunning: async () => (await readPostmaster(home))?.isAlive ?? false,
        stop: () => stopPostmaster(home),
      };
    } catch (error) {
      // A running server may be about to stop, or may have just been killed.
      const { code = '', message } = error as Error & { code?: string };
      const isGoing = goingCodes.includes(code) || message.startsWith('Connection terminated');
      if (!isGoing || Date.now() - began > staleLockMs) throw error;
      await delay(50);
    }
  }
}

/**
 * Reads the password that both roles in this data folder share: `app`, and `postgres`, which is a superuser. Throws
 * {@link StartRefusal} if another program created the folder: the server must not start with an empty database instead.
 */
export function readPassword(home: string): Promise<string> {
  return readFile(join(home, passwordFile), 'utf8').catch((error) => {
    if (error.code !== 'ENOENT') throw error;
    throw new StartRefusal(
      `The database in ${home} belongs to another version of this program and cannot be updated. Move the folder away, or delete it, to begin with an empty database.`,
    );
  });
}

function exists(path: string): Promise<boolean> {
  return stat(path).then(Boolean, () => false);
}

/**
 * Finds the data folder. If root's checkout is in a folder that no other user may enter, such as `/root`, the data gets
 * its own folder in `/var/lib`, and `<dataDir>/postgres` is a link to it.
 */
export async function findHome(link: string, user: PostgresUser | undefined): Promise<string> {
  const target = await readlink(link).catch(() => undefined);
  if (target) return target;
  if (!user || (await exists(link))) return link;
  const folder = dirname(link);
  await chmod(folder, (await stat(folder)).mode | 0o011);
  if (await isReachable(folder, user)) return link;
  await mkdir('/var/lib', { recursive: true });
  const outside = await mkdtemp('/var/lib/app-');
  await chmod(outside, 0o711);
  await symlink(join(outside, 'postgres'), link);
  return join(outside, 'postgres');
}

async function initialise(home: string, bin: string, user: PostgresUser | undefined): Promise<void> {
  const draft = `${home}.new-${process.pid}`;
  const secret = `${draft}.password`;
  try {
    await mkdir(draft, { mode: 0o700 });
    await writeFile(secret, randomBytes(24).toString('base64url'), { mode: 0o600 });
    if (user) await Promise.all([draft, secret].map((path) => chown(path, user.uid, user.gid)));
    await promisify(execFile)(
      join(bin, 'initdb'),
      [
        ...['-D', draft, '--username=postgres', '--auth=scram-sha-256', `--pwfile=${secret}`],
        ...['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=en', '--no-instructions'],
      ],
      { ...user, cwd: '/', env: cleanEnv },
    );
    await rename(secret, join(draft, passwordFile));
    // The database appears complete or not at all, so an interrupted or repeated start leaves no incomplete database.
    await rename(draft, home).catch(async (error) => {
      if (!(await exists(join(home, 'PG_VERSION')))) throw error;
    });
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw explainFailure(`${stdout}${stderr}` || message, home);
  } finally {
    await rm(draft, { recursive: true, force: true });
    await rm(secret, { force: true });
  }
}

async function findRunningOrStart(
  home: string,
  bin: string,
  user: PostgresUser | undefined,
  { port, maxConnections }: { port: number | undefined; maxConnections: number },
): Promise<number> {
  const began = Date.now();
  for (;;) {
    const waited = Date.now() - began;
    const running = await readPostmaster(home);
    if (running?.isAlive) {
      if (running.isReady) return running.port;
      if (waited > startDeadlineMs) {
        throw new Error(`PostgreSQL has not become ready within a minute; see ${join(home, 'server.log')}.`);
      }
      await delay(20);
      continue;
    }
    const options = { port: port ?? (await findFreePort()), max_connections: maxConnections, ...settings };
    const attempt = await launch(home, bin, user, options);
    if ('port' in attempt) return attempt.port;
    const isLocked = /lock file|pre-existing shared memory/.test(attempt.log);
    const isPortTaken = /Address already in use/.test(attempt.log);
    if (waited > staleLockMs || !(isLocked || isPortTaken)) throw explainFailure(attempt.log, home);
    // After the machine or container restarts, another program may have the process id in the old lock.
    if (isLocked && running && waited > 1000) await rm(join(home, 'postmaster.pid'), { force: true });
    await delay(100);
  }
}

async function launch(
  home: string,
  bin: string,
  user: PostgresUser | undefined,
  options: { port: number } & Record<string, string | number>,
): Promise<{ port: number } | { log: string }> {
  const logPath = join(home, 'server.log');
  const log = await open(logPath, 'a', 0o600);
  try {
    if (user) await log.chown(user.uid, user.gid);
    if ((await log.stat()).size > logLimitBytes) await truncate(logPath);
    const logStart = (await log.stat()).size;
    const given = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    // Detached: Ctrl-C in the terminal must not stop the database before the program finishes.
    const child = spawn(join(bin, 'postgres'), ['-D', home, ...given], {
      ...user,
      cwd: '/',
      env: cleanEnv,
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    });
    child.unref();
    let ending: string | undefined;
    child.once('error', (error) => {
      ending = error.message;
    });
    child.once('exit', () => {
      ending ??= '';
    });
    const deadline = Date.now() + startDeadlineMs;
    while (ending === undefined && Date.now() < deadline) {
      const running = await readPostmaster(home);
      if (running?.isReady && running.pid === child.pid) return { port: options.port };
      await delay(10);
    }
    const said = (await readFile(logPath)).subarray(logStart).toString();
    return { log: `${ending ?? 'It did not become ready within a minute.'}\n${said}` };
  } finally {
    await log.close();
  }
}

async function openDatabase(port: number, password: string): Promise<{ url: string; isNew: boolean }> {
  const urlOf = (role: string) => `postgresql://${role}:${password}@127.0.0.1:${port}/${role}`;
  const url = urlOf('app');
  try {
    await withClient(url, () => Promise.resolve());
    return { url, isNew: false };
  } catch (error) {
    const isMissing = ['28P01', '28000', '3D000'].includes((error as { code?: string }).code ?? '');
    if (!isMissing) throw error;
  }
  return withClient(urlOf('postgres'), async (client) => {
    await client.query(`select pg_advisory_lock(hashtext('app'))`);
    const role = await client.query(`select from pg_roles where rolname = 'app'`);
    if (!role.rowCount) await client.query(`create role app login createdb password '${password}'`);
    const database = await client.query(`select from pg_database where datname = 'app'`);
    if (!database.rowCount) await client.query('create database app owner app');
    return { url, isNew: !database.rowCount };
  });
}

async function withClient<T>(connectionString: string, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

function explainFailure(said: string, home: string): Error {
  if (/No space left on device|Disk quota exceeded/i.test(said)) {
    return new Error(
      `The disk is full: PostgreSQL needs at least 200 MB free for ${home}. Free some space and start again.`,
    );
  }
  if (/EPERM|Operation not permitted/.test(said)) {
    return new Error(
      'PostgreSQL does not run as root, and this system does not let root start it as another user. Start the server as an ordinary user, or set DATABASE_URL to your own database.',
    );
  }
  if (/incompatible with server|initialized by PostgreSQL version/.test(said)) {
    return new Error(
      `The database in ${home} was created by another version of PostgreSQL. Migrate it with pg_dump and pg_restore, or delete the folder to begin with an empty database.`,
    );
  }
  if (/Cannot allocate memory|could not map anonymous shared memory/.test(said)) {
    return new Error('There is not enough free memory to start PostgreSQL: it needs about 300 MB.');
  }
  return new Error(`PostgreSQL did not start. Its output:\n${said.trim().split('\n').slice(-12).join('\n')}`);
}
