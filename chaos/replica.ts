import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readPassword, startEmbeddedPostgres } from '#server/embedded/embedded-postgres.ts';
import { openPlainWire } from './plain-wire.ts';
import { signalServer } from './server-signals.ts';

/** The replication slot on the primary, which keeps the changes that the standby has not received. */
export const standbySlot = 'standby';

/**
 * Starts a hot standby that can be killed, paused and restarted on the same data. `dataDir` is a copy of a stopped
 * primary's data folder; `primaryPort` returns the port on which the primary currently listens.
 */
export async function startReplica(dataDir: string, primaryPort: () => number) {
  const home = join(dataDir, 'postgres');
  const replication = await openPlainWire(primaryPort);
  const source = `host=127.0.0.1 port=${replication.port} user=postgres password=${await readPassword(home)}`;
  await writeFile(join(home, 'standby.signal'), '');
  // By default, the standby retries a lost connection every 5 s. That is too rare if the primary is killed often.
  const settings = [
    `primary_conninfo = '${source} sslmode=disable'`,
    `primary_slot_name = '${standbySlot}'`,
    "wal_retrieve_retry_interval = '200ms'",
  ];
  await appendFile(join(home, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
  let server = await startEmbeddedPostgres({ dataDir });
  return {
    /** The port on which the standby listens; it changes with each start. */
    port: () => Number(new URL(server.url).port),
    /** The proxy that carries the primary's changes. While it is silent, the replica falls behind. */
    replication,
    kill: () => signalServer(home, 'SIGKILL'),
    pause: () => signalServer(home, 'SIGSTOP'),
    resume: () => signalServer(home, 'SIGCONT'),
    start: async () => {
      server = await startEmbeddedPostgres({ dataDir });
    },
    stop: async () => {
      await server.stop();
      replication.close();
    },
  };
}
