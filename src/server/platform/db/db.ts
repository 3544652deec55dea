import { createHash } from 'node:crypto';
import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import type { JobName } from '#domain/jobs.ts';
import { findQueuedJobs, followTransactions } from '../jobs/queued-jobs.ts';
import {
  classifyDatabaseFailure,
  isPoolFull,
  isQueryTimeout,
  QueryTimeoutError,
} from './database-failure.ts';
import { connectingTo, type HostRole, splitHosts } from './database-hosts.ts';
import type { DB } from './db-types.ts';

export type Database = Kysely<DB>;
/**
 * An open transaction. Functions that must run in the caller's transaction take a `Tx` instead of a {@link Database}.
 */
export type Tx = Transaction<DB>;

const types = new pg.TypeOverrides();
// Sums of money and counts of rows stay far below 2^53.
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, readInstant);
// A calendar date has no time and no zone: it stays text.
types.setTypeParser(pg.types.builtins.DATE, String);

/**
 * Converts an instant as PostgreSQL prints it ("2026-06-01 10:00:00.123456+01") to ISO 8601 in UTC. Instants stay
 * text from the database to the screen. Sessions are in UTC, so there is normally nothing to convert, but correctness
 * must not depend on that.
 */
function readInstant(text: string): string {
  const [, date, time, fraction = '', offset = ''] =
    /^(\d{4,}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?([+-].*)$/.exec(text) ?? [];
  if (offset === '+00') return `${date}T${time}${fraction}Z`;
  if (!offset) return text;
  const [hours, minutes = '00', seconds = '00'] = offset.slice(1).split(':');
  const aheadMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000;
  const utcMs = Date.parse(`${date}T${time}Z`) - (offset[0] === '-' ? -aheadMs : aheadMs);
  return `${new Date(utcMs).toISOString().slice(0, -5)}${fraction}Z`;
}

type KnownStatement = { name: string; jobs: JobName[] };
const knownStatements = new Map<string, KnownStatement>();
const unnamed: KnownStatement = { name: '', jobs: [] };

/**
 * A stable name for a statement, so that PostgreSQL parses it once per connection, and the jobs that the statement
 * queues.
 */
function readStatement(text: string): KnownStatement {
  // Short statements such as `begin` are not worth preparing.
  if (text.length < 12) return unnamed;
  let known = knownStatements.get(text);
  if (!known) {
    known = { name: createHash('sha1').update(text).digest('base64url'), jobs: findQueuedJobs(text) };
    knownStatements.set(text, known);
  }
  return known;
}

/** Milliseconds after which PostgreSQL cancels a statement, unless the configuration says otherwise. */
export const defaultStatementTimeoutMs = 2_000;

/**
 * Client-side query timeout in ms. PostgreSQL cancels a statement long before this timeout, and at most two statements
 * queue per connection, so no response within this time means that the server or the network is down.
 */
export const queryTimeoutFor = (statementTimeoutMs: number): number => 2.5 * statementTimeoutMs;

/**
 * Session settings. They are set on each new connection instead of as start-up options, which connection poolers
 * refuse or ignore.
 */
const sessionSettings = (statementTimeoutMs: number) =>
  Object.entries({
    timezone: 'UTC',
    datestyle: 'ISO',
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: 2.5 * statementTimeoutMs,
    lock_timeout: statementTimeoutMs / 2,
  })
    .map(([name, value]) => `set ${name} to '${value}'`)
    .join('; ');

const poolsOfSeveralHosts = new WeakSet<pg.Pool>();

type PoolSettings = {
  size?: number;
  statementTimeoutMs?: number;
  acquireTimeoutMs?: number;
  queryTimeoutMs?: number;
  role?: HostRole;
};

/**
 * Opens a pool of connections in UTC with the time limits that apply to every request. A URL may name several hosts:
 * `role` selects one, the primary by default. PostgreSQL cancels a statement after `statementTimeoutMs`, and a wait for
 * a lock after half that time. A request fails, with a 503 to the client, if it finds no free connection within
 * `acquireTimeoutMs` or gets no response to a statement for `queryTimeoutMs`. Without `queryTimeoutMs`, a request waits
 * until the network connection fails.
 */
export function openPool(
  url: string,
  {
    size = 12,
    statementTimeoutMs = defaultStatementTimeoutMs,
    acquireTimeoutMs = 1.5 * statementTimeoutMs,
    queryTimeoutMs,
    role = 'primary',
  }: PoolSettings = {},
): pg.Pool {
  const { options, Client, check } = connectingTo(url, role);
  const settings = sessionSettings(statementTimeoutMs);
  const pool = new pg.Pool({
    ...options,
    Client,
    onConnect: async (client: pg.ClientBase) => {
      await client.query(settings);
      await check(client);
    },
    max: size,
    types,
    connectionTimeoutMillis: acquireTimeoutMs,
    query_timeout: queryTimeoutMs,
    idleTimeoutMillis: 30_000,
    application_name: 'app',
  });
  if (splitHosts(url).length > 1) poolsOfSeveralHosts.add(pool);
  // The pool replaces a dead connection on next use. Without these listeners, the connection's error would end the
  // process.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

export type Connection = {
  query: (text: string, values: unknown[]) => Promise<unknown>;
  release: () => void;
};

/** The source of Kysely's connections. */
export type ConnectionSource = { connect: () => Promise<Connection>; end: () => Promise<void> };

/** Opens a database on this pool. Names are in snake_case in the database and in camelCase in TypeScript. */
export const openDatabase = (pool: pg.Pool): Database => openDatabaseOn(connectionsOf(pool));

/** Like {@link openDatabase}, with connections from another source. */
export function openDatabaseOn({ connect, end }: ConnectionSource): Database {
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool: { connect: connect as never, end } }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}

/**
 * A connection source backed by a pool. Names every statement except short ones such as `begin`. A statement without a
 * response fails after the query timeout.
 */
export function connectionsOf(pool: pg.Pool): ConnectionSource {
  let answeredAt = 0;
  const wrappers = new WeakMap<pg.PoolClient, Connection>();
  const wrap = (client: pg.PoolClient): Connection => {
    let wrapped = wrappers.get(client);
    if (!wrapped) {
      let timeout: unknown;
      const follow = followTransactions();
      wrapped = {
        query: async (text: string, values: unknown[]) => {
          // A rollback would only report that the connection is closed.
          if (timeout) throw timeout;
          const { name, jobs } = readStatement(text);
          try {
            const answer = await (name ? client.query({ name, text, values }) : client.query(text));
            answeredAt = performance.now();
            follow(text, jobs);
            return answer;
          } catch (error) {
            // Nobody would read a late response, so the connection is closed and the pool opens another.
            if (isQueryTimeout(error)) {
              timeout = error;
              void (client as unknown as pg.Client).end();
            } else answeredAt = performance.now();
            throw error;
          }
        },
        release: () => client.release(),
      };
      wrappers.set(client, wrapped);
    }
    return wrapped;
  };
  const connect = async (): Promise<Connection> => {
    const askedAt = performance.now();
    try {
      return wrap(await connectAgain(pool));
    } catch (error) {
      // Statements time out sooner than a wait for a connection, so if no statement ended during the wait, the
      // database is not responding.
      const isSilent = isPoolFull(error) && answeredAt < askedAt;
      throw isSilent ? new QueryTimeoutError('No response from the database', { cause: error }) : error;
    }
  };
  return { connect, end: () => pool.end() };
}

/** Connects; tries once more after a failure that may mean that the role has moved to another host. */
async function connectAgain(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    const failure = classifyDatabaseFailure(error);
    const mayHaveMoved = failure === 'database unreachable' || failure === 'database is read-only';
    if (!poolsOfSeveralHosts.has(pool) || !mayHaveMoved) throw error;
    return pool.connect();
  }
}

type PgError = Error & { code?: string; constraint?: string };

/** True if the named constraint or unique index refused the statement. */
export function isViolation(error: unknown, constraint: string): boolean {
  return error instanceof Error && (error as PgError).constraint === constraint;
}
