import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { readPassword, startEmbeddedPostgres } from '#server/embedded/embedded-postgres.ts';
import { readPostmaster } from '#server/embedded/postmaster.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import { askNothing } from '#server/verification/ask-nothing.test-support.ts';
import { standbySlot, startReplica } from './replica.ts';
import { childrenOf, isBackend, send, signalServer } from './server-signals.ts';

/** An embedded PostgreSQL server that can be killed, paused and restarted on the same data, with a hot standby. */
export type KillablePostgres = Awaited<ReturnType<typeof startKillablePostgres>>;

const templateName = 'faults_template';

/**
 * SQL that disables rate limits: a dozen customers make thousands of bookings, so the limits would soon stop the load.
 */
export const countNothing = `
  create function count_nothing() returns trigger language plpgsql as 'begin new.calls := 0; return new; end';
  create trigger count_nothing before insert or update on rate_limits for each row execute function count_nothing();`;

/**
 * Starts the server and its standby in their own folders, which `stop` removes, and migrates the database that each
 * schedule copies.
 */
export async function startKillablePostgres() {
  const dataDir = await makeDataFolder();
  const home = join(dataDir, 'postgres');
  await startEmbeddedPostgres({ dataDir }).then(({ stop }) => stop());
  const replicaDir = await makeDataFolder();
  execFileSync('cp', ['-a', `${dataDir}/.`, replicaDir]);
  let server = await startEmbeddedPostgres({ dataDir });
  const port = () => Number(new URL(server.url).port);
  const urlOf = (name: string) => {
    const url = new URL(server.url);
    url.pathname = `/${name}`;
    return url;
  };
  const run = async (text: string, name?: string) => {
    const client = new pg.Client({ connectionString: name ? urlOf(name).href : server.url });
    await client.connect();
    await client.query(text).finally(() => client.end());
  };
  await createStandbySlot({ port: port(), password: await readPassword(home) });
  const replica = await startReplica(replicaDir, port);
  await run(`create database ${templateName}`);
  await migrate(urlOf(templateName).href);
  await run(askNothing, templateName);
  await run(countNothing, templateName);

  const signalAll = (signal: NodeJS.Signals) => signalServer(home, signal);
  return {
    urlOf,
    /** The port on which the server listens; it changes with each start. */
    port,
    replica,
    createDatabase: (name: string) => run(`create database ${name} template ${templateName}`),
    dropDatabase: (name: string) => run(`drop database if exists ${name} with (force)`),
    /** Ends the server and all its processes with `kill -9`, as a power cut would. */
    kill: () => signalAll('SIGKILL'),
    /** Ends one server process with `kill -9`; PostgreSQL then closes all connections and recovers. */
    killBackend: async (which: number) => {
      const running = await readPostmaster(home);
      const backends = running ? childrenOf(running.pid).filter(isBackend) : [];
      const pid = backends[which % Math.max(1, backends.length)];
      if (pid) send(pid, 'SIGKILL');
    },
    pause: () => signalAll('SIGSTOP'),
    resume: () => signalAll('SIGCONT'),
    start: async () => {
      server = await startEmbeddedPostgres({ dataDir });
    },
    stop: async () => {
      await replica.stop();
      await server.stop();
      for (const folder of [dataDir, replicaDir]) await rm(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Creates the replication slot. Without a slot, a restarted primary may remove changes that the standby has not
 * received, and the standby never catches up.
 */
async function createStandbySlot(owner: { port: number; password: string }): Promise<void> {
  const client = new pg.Client({ host: '127.0.0.1', user: 'postgres', database: 'postgres', ...owner });
  await client.connect();
  await client
    .query('select pg_create_physical_replication_slot($1, true)', [standbySlot])
    .finally(() => client.end());
}

/** Creates a folder, in memory if possible: after a kill PostgreSQL syncs all its files, which is slow on a disk. */
async function makeDataFolder(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => null);
  const isRoomy = memory && memory.bavail * memory.bsize > 2_000_000_000;
  return mkdtemp(join(isRoomy ? '/dev/shm' : tmpdir(), 'app-faults-'));
}
