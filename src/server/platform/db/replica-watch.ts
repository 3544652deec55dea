import type pg from 'pg';
import type { Log } from '../log.ts';
import type { Gauge } from '../metrics.ts';

/** The states of a replica. The server reads from the replica only in the first state. */
const states = ['in_use', 'lagging', 'unreachable', 'not_a_standby'] as const;
type State = (typeof states)[number];

/** The largest lag at which the server still reads from a replica, in seconds. */
const maxLagSeconds = 5;
const everyMs = 1_000;
/**
 * How many positions of the primary are kept to compute the lag. For a replica behind the oldest position, only a lower
 * bound for the lag is known.
 */
const maxSamples = 600;

export type ReplicaWatch = {
  isUsable: () => boolean;
  /** Stops using the replica until it has been checked again. */
  fail: (error: unknown) => void;
  readGauges: () => Gauge[];
  stop: () => Promise<void>;
};

/** A position in the write-ahead log (bytes), and when the primary reached it (`performance.now()`). */
type Sample = { position: number; atMs: number };

const primarySql = `select (pg_current_wal_lsn() - '0/0'::pg_lsn)::float8 as position,
  (select system_identifier::text from pg_control_system()) as system, current_database() as database`;
const replicaSql = `select pg_is_in_recovery() as is_standby,
  (pg_last_wal_replay_lsn() - '0/0'::pg_lsn)::float8 as position,
  (select system_identifier::text from pg_control_system()) as system, current_database() as database`;

/**
 * Checks every second whether the replica is a standby of this database and how far behind it is. The lag is the age of
 * the newest primary position that the replica has replayed. Unlike the time of the replica's last transaction, this
 * age also grows while the replica is disconnected from the primary.
 */
export function watchReplica({
  primary,
  replica,
  log,
}: {
  primary: pg.Pool;
  replica: pg.Pool;
  log: Log;
}): ReplicaWatch {
  let state: State | undefined;
  let lagSeconds = 0;
  let samples: Sample[] = [];
  let identity = '';
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();
  let isStopped = false;

  const become = (next: State, error?: unknown) => {
    if (state === next) return;
    const facts = { state: next, lagSeconds: Math.round(lagSeconds), err: error };
    if (next === 'in_use') log.info(facts, 'reads use the replica');
    else log.warn(facts, 'reads use the primary instead of the replica');
    state = next;
  };

  const look = async () => {
    const atMs = performance.now();
    // While the primary is unreachable, the lag is measured against its last known position.
    const own = await primary.query(primarySql).catch(() => undefined);
    if (own) {
      const { position, system, database } = own.rows[0];
      identity = `${system} ${database}`;
      samples = [...samples.slice(1 - maxSamples), { position, atMs }];
    }
    const newest = samples.at(-1);
    if (!newest) return become('unreachable');
    const { rows } = await replica.query(replicaSql);
    const { is_standby: isStandby, position, system, database } = rows[0];
    if (!isStandby || `${system} ${database}` !== identity) return become('not_a_standby');
    const replayed = samples.findLast((sample) => sample.position <= position);
    lagSeconds = (newest.atMs - (replayed ?? samples[0]!).atMs) / 1_000;
    const isClose = replayed !== undefined && lagSeconds <= maxLagSeconds;
    become(isClose ? 'in_use' : 'lagging');
  };
  const lookAgain = () => {
    looking = look()
      .catch((error) => become('unreachable', error))
      .finally(() => {
        if (!isStopped) timer = setTimeout(lookAgain, everyMs).unref();
      });
  };
  lookAgain();

  return {
    isUsable: () => state === 'in_use',
    fail: (error) => become('unreachable', error),
    readGauges: () => [
      {
        name: 'app_replica_lag_seconds',
        help: 'How far the replica was behind the primary when the replica last responded.',
        value: lagSeconds,
      },
      ...states.map((name) => ({
        name: `app_replica_${name}`,
        help: `1 while the replica is ${name.replaceAll('_', ' ')}; reads go to it only while it is in use.`,
        value: state === name ? 1 : 0,
      })),
    ],
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
