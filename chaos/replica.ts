import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readPassword, startEmbeddedPostgres } from '#server/embedded/embedded-postgres.ts';
import { openPlainWire } from './plain-wire.ts';
import { signalServer } from './server-signals.ts';

/** The replication slot on the primary, which keeps the changes that the standby has not received. */
export const standbySlot = 'standby';

/**
 * Starts a hot standby that can be killed, paused and started again on the same data: `dataDir`, a copy of a stopped
 * primary's. `primaryPort` is where that one listens now.
 */
export async function startReplica(dataDir: string, primaryPort: () => number) {
  const home = join(dataDir, 'postgres');
  const replication = await openPlainWire(primaryPort);
  const source = `host=127.0.0.1 port=${replication.port} user=postgres password=${await readPassword(home)}`;
  await writeFile(join(home, 'standby.signal'), '');
  // Five seconds is the default between retries: too long after each kill of the primary.
  const settings = [
    `primary_conninfo = '${source} sslmode=disable'`,
    `primary_slot_name = '${standbySlot}'`,
    "wal_retrieve_retry_interval = '200ms'",
  ];
  await appendFile(join(home, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
  let server = await startEmbeddedPostgres({ dataDir });
  return {
    /** Where it listens; another port after each start. */
    port: () => Number(new URL(server.url).port),
    /** The proxy that the primary's changes come through: while it is paused, the replica falls behind. */
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
