import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type pg from 'pg';
import { openDatabase } from '#server/platform/db/db.ts';
import type { DB } from '#server/platform/db/db-types.ts';
import type { Log } from '#server/platform/log.ts';

/** A change since the last read. Changes with the same fields are reported once. */
export type Change = {
  topic: DB['changes']['topic'];
  key: string;
  kind: string | null;
  subjectId: string | null;
};

/** Kinds of changes that may end topics. They are always read, because a join may be under way. */
export const rightsKinds = ['session', 'profile'];

export type ChangeReader = {
  /** Reads until {@link ChangeReader.pause}. Resolves as soon as every later commit will be reported. */
  start: () => Promise<void>;
  /** Stops reading while nobody is connected. */
  pause: () => void;
  /** Seconds since the last successful read while reading, otherwise 0. */
  readLag: () => number;
  close: () => Promise<void>;
};

/**
 * Reads the table of changes every `everyMs`. A read returns the rows that the snapshot of the previous read did
 * not see. Rows are committed in any order, so neither ids nor times show which rows are new. Reading only up to the
 * oldest running transaction would delay every change while any transaction of the database server stays open. The
 * pool must have a single connection. If this connection is replaced, the database may have been restored or have
 * failed over, so changes may be missing, and `onGap` is called instead of `onChanges`.
 */
export function createChangeReader({
  pool,
  log,
  everyMs,
  listTopics,
  onChanges,
  onGap,
  onRead,
}: {
  pool: pg.Pool;
  log: Log;
  /** How often new changes are read, in milliseconds. */
  everyMs: number;
  /** The topics of `changes` that are joined in this process; of other topics, only {@link rightsKinds} are read. */
  listTopics: () => Change['topic'][];
  onChanges: (changes: Change[]) => void;
  onGap: () => void;
  /** Called after every read, with or without changes. */
  onRead: () => void;
}): ChangeReader {
  const db = openDatabase(pool);
  let snapshot: string | null = null;
  let isGap = false;
  let readAt = 0;
  let running: { stop: AbortController; first: Promise<void> } | null = null;
  pool.on('connect', () => {
    isGap = snapshot !== null;
  });

  async function read(): Promise<void> {
    const topics = listTopics();
    const { rows } = await sql<Change & { snapshot: string; isChange: boolean }>`
      select seen.snapshot::text as snapshot, change.topic is not null as is_change,
        change.topic, change.key, change.kind, change.subject_id
      from (select pg_current_snapshot() as snapshot) seen
      left join lateral (
        select distinct topic, key, kind, subject_id from changes
        where xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot)
          and not pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot)
          and (topic = any(${topics}) or kind = any(${rightsKinds}))
      ) change on true`.execute(db);
    // Another topic was joined while the database was reading, so the result may lack changes of that topic.
    if (listTopics().some((topic) => !topics.includes(topic))) return read();
    snapshot = rows[0]!.snapshot;
    readAt = performance.now();
    if (isGap) {
      isGap = false;
      return onGap();
    }
    if (rows[0]!.isChange) onChanges(rows);
  }

  async function run(signal: AbortSignal, onFirst: () => void): Promise<void> {
    let isFailing = false;
    while (!signal.aborted) {
      try {
        await read();
        if (signal.aborted) return;
        isFailing = false;
        onFirst();
        onRead();
      } catch (error) {
        if (!isFailing) log.warn({ reason: String(error) }, 'changes could not be read');
        isFailing = true;
      }
      await delay(everyMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }

  const pause = () => {
    running?.stop.abort();
    running = null;
    snapshot = null;
  };
  return {
    start: () => {
      if (running) return running.first;
      const stop = new AbortController();
      readAt = performance.now();
      const first = new Promise<void>((resolve) => void run(stop.signal, resolve));
      running = { stop, first };
      return first;
    },
    pause,
    readLag: () => (running ? (performance.now() - readAt) / 1_000 : 0),
    close: async () => {
      pause();
      await db.destroy();
      if (!pool.ended) await pool.end();
    },
  };
}
