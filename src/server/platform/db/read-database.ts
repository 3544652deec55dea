import type pg from 'pg';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import type { Gauge } from '../metrics.ts';
import { classifyDatabaseFailure } from './database-failure.ts';
import {
  type Connection,
  type ConnectionSource,
  connectionsOf,
  type Database,
  openDatabaseOn,
  openPool,
} from './db.ts';
import { type ReplicaWatch, watchReplica } from './replica-watch.ts';

/** Connections to the primary for visitors' reads: so few that a crowd of visitors can't slow bookings down. */
const primarySize = 4;
/** How long a read waits for the replica before it falls back to the primary, in milliseconds. */
const replicaMs = 2_500;

/** The database that visitors' pages are read from. */
export type ReadDatabase = {
  db: Database;
  pools: Record<string, pg.Pool>;
  /** The state and lag of the replica; empty if there is no replica. */
  readGauges: () => Gauge[];
  close: () => Promise<void>;
};

/**
 * Opens the database for reads that may lag: the replica while its lag is small, otherwise the primary through a small
 * separate pool. Meant for single statements outside transactions: a statement that fails because of the replica is
 * sent to the primary.
 */
export function openReadDatabase(
  {
    databaseUrl,
    replicaUrl,
    poolSize,
    statementTimeoutMs,
    queryTimeoutMs,
  }: Pick<Config, 'databaseUrl' | 'replicaUrl' | 'poolSize' | 'statementTimeoutMs'> & {
    queryTimeoutMs: number;
  },
  log: Log,
): ReadDatabase {
  const primaryPool = openPool(databaseUrl, { size: primarySize, statementTimeoutMs, queryTimeoutMs });
  const primary = connectionsOf(primaryPool);
  if (!replicaUrl) {
    const db = openDatabaseOn(primary);
    return { db, pools: { reads: primaryPool }, readGauges: () => [], close: () => end(db, primaryPool) };
  }
  const replicaPool = openPool(replicaUrl, {
    size: poolSize,
    acquireTimeoutMs: replicaMs,
    queryTimeoutMs: replicaMs,
    role: 'standby',
  });
  const watch = watchReplica({ primary: primaryPool, replica: replicaPool, log });
  const db = openDatabaseOn(preferReplica(connectionsOf(replicaPool), primary, watch));
  return {
    db,
    pools: { reads: primaryPool, replica: replicaPool },
    readGauges: watch.readGauges,
    close: async () => {
      await watch.stop();
      await end(db, replicaPool, primaryPool);
    },
  };
}

/** Closes a database and its pools. Kysely closes neither unused pools nor the pools behind {@link preferReplica}. */
async function end(db: Database, ...pools: pg.Pool[]): Promise<void> {
  await db.destroy();
  await Promise.all(pools.map((pool) => (pool.ended ? undefined : pool.end())));
}

function preferReplica(
  replica: ConnectionSource,
  primary: ConnectionSource,
  watch: ReplicaWatch,
): ConnectionSource {
  const withFallback = (connection: Connection): Connection => ({
    query: async (text, values) => {
      try {
        return await connection.query(text, values);
      } catch (error) {
        if (!isReplicaToBlame(error)) throw error;
        watch.fail(error);
        const other = await primary.connect();
        return other.query(text, values).finally(() => other.release());
      }
    },
    release: () => connection.release(),
  });
  return {
    connect: async () => {
      if (!watch.isUsable()) return primary.connect();
      try {
        return withFallback(await replica.connect());
      } catch (error) {
        watch.fail(error);
        return primary.connect();
      }
    },
    end: async () => {},
  };
}

/**
 * Whether the primary should run a statement that failed on the replica. A statement that exceeded its time limit would
 * take as long on the primary; a statement that log replay cancelled (40001) would not.
 */
function isReplicaToBlame(error: unknown): boolean {
  const failure = classifyDatabaseFailure(error);
  if (failure !== 'database overloaded') return failure !== null;
  return (error as { code?: string }).code === '40001';
}
