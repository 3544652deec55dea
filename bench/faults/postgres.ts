import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts';
import { migrate } from '#server/platform/migrate.ts';
import { readPostmaster } from '#server/platform/postmaster.ts';

/** A PostgreSQL server of our own that can be killed, paused and started again on the same data. */
export type KillablePostgres = Awaited<ReturnType<typeof startKillablePostgres>>;

const templateName = 'faults_template';

// A dozen customers live through thousands of bookings, whose limits would soon end the load.
const countNothing = `
  create function count_nothing() returns trigger language plpgsql as 'begin new.points := 0; return new; end';
  create trigger count_nothing before insert or update on rate_limits for each row execute function count_nothing();`;

/** Starts one in a folder of its own, which `stop` removes, and migrates the database that each schedule copies. */
export async function startKillablePostgres() {
  const dataDir = await makeDataFolder();
  const home = join(dataDir, 'postgres');
  let server = await startEmbeddedPostgres({ dataDir });
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
  await run(`create database ${templateName}`);
  await migrate(urlOf(templateName).href);
  await run(countNothing, templateName);

  const signalAll = (signal: NodeJS.Signals) => signalServer(home, signal);
  return {
    urlOf,
    /** Where it listens; another one after each start. */
    port: () => Number(new URL(server.url).port),
    createDatabase: (name: string) => run(`create database ${name} template ${templateName}`),
    dropDatabase: (name: string) => run(`drop database if exists ${name} with (force)`),
    /** `kill -9` of the server and everything of it, as a power cut would. */
    kill: () => signalAll('SIGKILL'),
    /** `kill -9` of one of its processes: PostgreSQL then ends all connections and recovers by itself. */
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
      await server.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Sends a signal to the server of this data folder and to every process of it; does nothing where none runs. */
export async function signalServer(home: string, signal: NodeJS.Signals): Promise<void> {
  const running = await readPostmaster(home);
  if (!running) return;
  for (const pid of [running.pid, ...childrenOf(running.pid)]) send(pid, signal);
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

function childrenOf(parent: number): number[] {
  if (process.platform !== 'linux') {
    const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n');
    const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
    return pairs.filter(([, ppid]) => ppid === parent).map(([pid]) => pid!);
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => Number(readProcess(pid, 'stat').split(') ')[1]?.split(' ')[1]) === parent);
}

/** Serves a client, as its title says; elsewhere than on Linux any process of the server has to do. */
const isBackend = (pid: number) =>
  process.platform !== 'linux' || readProcess(pid, 'cmdline').includes('127.0.0.1(');

function readProcess(pid: number, what: string): string {
  try {
    return readFileSync(`/proc/${pid}/${what}`, 'utf8');
  } catch {
    return '';
  }
}

/** In memory where there is room: after a kill PostgreSQL syncs all of its files, which a busy disk takes long for. */
async function makeDataFolder(): Promise<string> {
  const memory = await statfs('/dev/shm').catch(() => null);
  const isRoomy = memory && memory.bavail * memory.bsize > 2_000_000_000;
  return mkdtemp(join(isRoomy ? '/dev/shm' : tmpdir(), 'touchline-faults-'));
}
