import { createHash } from 'node:crypto';
import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { findDatabaseTrouble, isPoolFull, isSilence, SilenceError } from './database-failure.ts';
import { connectingTo, type HostRole, splitHosts } from './database-hosts.ts';
import type { DB } from './db-types.ts';

export type Database = Kysely<DB>;
/** An open transaction; functions that must be part of a larger change take this instead of {@link Database}. */
export type Tx = Transaction<DB>;

const types = new pg.TypeOverrides();
// Sums and counts of money and rows stay far below 2^53.
types.setTypeParser(pg.types.builtins.INT8, Number);
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, readInstant);

/**
 * An instant as PostgreSQL writes it ("2026-06-01 10:00:00.123456+01"), in ISO 8601 and UTC. Instants travel as text from the
 * database to the screen; sessions are in UTC, so nothing is left to convert, but the right instant must not depend on that.
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

const statementNames = new Map<string, string>();

/** A stable name for a statement text, so that PostgreSQL plans it once per connection. */
export function nameStatement(text: string): string {
  let name = statementNames.get(text);
  if (!name) {
    name = createHash('sha1').update(text).digest('base64url');
    statementNames.set(text, name);
  }
  return name;
}

/** Milliseconds after which PostgreSQL cancels a statement, where the configuration names none. */
export const defaultStatementTimeoutMs = 2_000;

/**
 * How long a process that serves people waits for an answer to a statement, in milliseconds. PostgreSQL cancels each
 * long before, and at most two queue on one connection: without an answer for so long the server or the network is down.
 */
export const silenceOf = (statementTimeoutMs: number): number => 2.5 * statementTimeoutMs;

/**
 * What every session needs. It is set on each new connection and not by options at its start, which connection poolers
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
  silenceMs?: number;
  role?: HostRole;
};

/**
 * Opens a pool of connections in UTC with the time limits every request lives under. A URL may name several hosts: `role` says
 * which of them is wanted, the primary unless given.
 * PostgreSQL cancels a statement after `statementTimeoutMs`, and one that waits for a lock after half of that.
 * A request that finds no free connection within `acquireTimeoutMs`, or hears nothing of a statement for `silenceMs`,
 * fails, which the edge answers with 503. Without `silenceMs` it waits as long as the network does.
 */
export function openPool(
  url: string,
  {
    size = 12,
    statementTimeoutMs = defaultStatementTimeoutMs,
    acquireTimeoutMs = 1.5 * statementTimeoutMs,
    silenceMs,
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
    query_timeout: silenceMs,
    idleTimeoutMillis: 30_000,
    application_name: 'touchline',
  });
  if (splitHosts(url).length > 1) poolsOfSeveralHosts.add(pool);
  // A connection that dies while idle or in use is replaced on next use; without listeners the process would end.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** A connection as Kysely uses it. */
export type Connection = {
  query: (text: string, values: unknown[]) => Promise<unknown>;
  release: () => void;
};

/** Where Kysely gets connections from. */
export type ConnectionSource = { connect: () => Promise<Connection>; end: () => Promise<void> };

/** A database whose statements are in snake_case there and in camelCase here. */
export const openDatabase = (pool: pg.Pool): Database => openDatabaseOn(connectionsOf(pool));

/** As {@link openDatabase}, on connections from anywhere. */
export function openDatabaseOn({ connect, end }: ConnectionSource): Database {
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool: { connect: connect as never, end } }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}

/** The connections of a pool, on which every statement is a named one, and one that nobody answers is given up. */
export function connectionsOf(pool: pg.Pool): ConnectionSource {
  let answeredAt = 0;
  const wrappers = new WeakMap<pg.PoolClient, Connection>();
  const wrap = (client: pg.PoolClient): Connection => {
    let wrapped = wrappers.get(client);
    if (!wrapped) {
      let silence: unknown;
      wrapped = {
        query: async (text: string, values: unknown[]) => {
          // What rolling back would say instead is only that the connection is closed.
          if (silence) throw silence;
          try {
            const answer = await (text.length < 12
              ? client.query(text)
              : client.query({ name: nameStatement(text), text, values }));
            answeredAt = performance.now();
            return answer;
          } catch (error) {
            // The answer may still come: to nobody, so the connection is closed and the pool makes another.
            if (isSilence(error)) {
              silence = error;
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
      // Statements end sooner than a wait for a connection: a pool in which none did meanwhile is not crowded.
      const isSilent = isPoolFull(error) && answeredAt < askedAt;
      throw isSilent ? new SilenceError('No answer from the database', { cause: error }) : error;
    }
  };
  return { connect, end: () => pool.end() };
}

/** After a failure another of several hosts may be the one that is wanted, so they are asked once more. */
async function connectAgain(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect();
  } catch (error) {
    const trouble = findDatabaseTrouble(error);
    const mayHaveMoved = trouble === 'database unreachable' || trouble === 'database is read-only';
    if (!poolsOfSeveralHosts.has(pool) || !mayHaveMoved) throw error;
    return pool.connect();
  }
}

type PgError = Error & { code?: string; constraint?: string };

/** True where the database refused because of the named constraint or unique index. */
export function isViolation(error: unknown, constraint: string): boolean {
  return error instanceof Error && (error as PgError).constraint === constraint;
}
