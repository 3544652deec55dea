import { createHash } from 'node:crypto';
import { CamelCasePlugin, Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { isPoolFull, isSilence, SilenceError } from './database-failure.ts';
import type { DB } from './db-types.ts';

export type Database = Kysely<DB>;
/** An open transaction; functions that must be part of a larger change take this instead of {@link Database}. */
export type Tx = Transaction<DB>;

const types = new pg.TypeOverrides();
// Sums and counts of money and rows stay far below 2^53.
types.setTypeParser(pg.types.builtins.INT8, Number);
// Instants travel as ISO 8601 from the database to the screen; a Date in between would only be undone again.
types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) => `${text.slice(0, 10)}T${text.slice(11, -3)}Z`);

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

/** Milliseconds after which PostgreSQL itself gives a statement up. */
const statementMs = 2_000;

/**
 * How long a process that serves people waits for an answer to a statement, in milliseconds. PostgreSQL gives each up
 * long before, and two may stand in line on one connection: who says nothing for so long is frozen, or the way there is.
 */
export const silenceMs = 2.5 * statementMs;

type PoolSettings = { size?: number; acquireTimeoutMs?: number; silenceMs?: number };

/**
 * Opens a pool of connections in UTC with the time limits every request lives under.
 * A request that finds no free connection within `acquireTimeoutMs`, or hears nothing of a statement for `silenceMs`,
 * fails, which the edge answers with 503. Without `silenceMs` it waits as long as the network does.
 */
export function openPool(
  url: string,
  { size = 12, acquireTimeoutMs = 3_000, silenceMs }: PoolSettings = {},
): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    types,
    connectionTimeoutMillis: acquireTimeoutMs,
    query_timeout: silenceMs,
    idleTimeoutMillis: 30_000,
    application_name: 'touchline',
    options: `-c timezone=UTC -c statement_timeout=${statementMs} -c idle_in_transaction_session_timeout=5000 -c lock_timeout=1000`,
  });
  // A connection that dies while idle or in use is replaced on next use; without listeners the process would end.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Wraps a pool so that Kysely speaks camelCase and every statement is a named one. */
export function openDatabase(pool: pg.Pool): Database {
  type Wrapped = { query: (text: never, values?: never) => Promise<never>; release: () => void };
  let answeredAt = 0;
  const wrappers = new WeakMap<pg.PoolClient, Wrapped>();
  const wrap = (client: pg.PoolClient): Wrapped => {
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
            return answer as never;
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
      } as unknown as Wrapped;
      wrappers.set(client, wrapped);
    }
    return wrapped;
  };
  const connect = async (): Promise<Wrapped> => {
    const askedAt = performance.now();
    try {
      return wrap(await pool.connect());
    } catch (error) {
      // Statements end sooner than a wait for a connection: a pool in which none did meanwhile is not crowded.
      const isSilent = isPoolFull(error) && answeredAt < askedAt;
      throw isSilent ? new SilenceError('No answer from the database', { cause: error }) : error;
    }
  };
  return new Kysely<DB>({
    dialect: new PostgresDialect({
      pool: { connect: connect as never, end: () => pool.end() },
    }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
}

type PgError = Error & { code?: string; constraint?: string };

/** True where the database refused because of the named constraint or unique index. */
export function isViolation(error: unknown, constraint: string): boolean {
  return error instanceof Error && (error as PgError).constraint === constraint;
}
