import type pg from 'pg';
import { splitHosts } from './database-hosts.ts';

/** The server can't start on this database. The message is one sentence for the operator. */
export class StartRefusal extends Error {}

const oldestMajor = 15;
/** How many times we check whether a pooler moves a session from one server process to another. */
const poolerRounds = 3;

/**
 * Throws {@link StartRefusal} if PostgreSQL is too old, is behind a transaction pooler (which breaks session settings,
 * locks and notifications), or does not let a session use UTC. `another` creates a second, unconnected client.
 */
export async function checkServer(client: pg.Client, another: () => pg.Client): Promise<void> {
  const { rows } = await client.query(
    `select current_setting('server_version_num')::int / 10000 as major, current_setting('server_version') as version`,
  );
  if (rows[0].major < oldestMajor) {
    throw new StartRefusal(
      `This is PostgreSQL ${rows[0].version}; the server needs PostgreSQL ${oldestMajor} or newer.`,
    );
  }
  const other = another();
  other.on('error', () => {});
  await other.connect();
  try {
    for (let round = 0; round < poolerRounds; round += 1) await refuseSharedConnection(client, other);
  } finally {
    await other.end();
  }
  await client.query(`set timezone to 'UTC'`);
  const session = await client.query(`select current_setting('TimeZone') as zone`);
  if (session.rows[0].zone !== 'UTC') {
    throw new StartRefusal(
      `The database sets the time zone of our sessions to ${session.rows[0].zone} instead of UTC.`,
    );
  }
}

/**
 * Throws if two open sessions share a server process, or one changes its process, as behind a pooler that assigns a
 * process per transaction.
 */
async function refuseSharedConnection(client: pg.Client, other: pg.Client): Promise<void> {
  const pidOf = async (one: pg.Client) =>
    (await one.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]!.pid;
  const before = await pidOf(client);
  await other.query('begin');
  const others = await pidOf(other);
  const after = await pidOf(client);
  await other.query('rollback');
  if (others !== before && after === before) return;
  throw new StartRefusal(
    'DATABASE_URL leads to a connection pooler in transaction mode, which loses the settings and locks of a session; use its session mode (pool_mode = session), or the address of PostgreSQL itself.',
  );
}

/**
 * Explains to the operator, in one sentence without the password or a stack trace, why a start failed on this database;
 * undefined if the database is not the reason. Codes such as ECONNREFUSED are Node's. The others are PostgreSQL's
 * (appendix A of its manual).
 */
export function explainStartFailure(error: unknown, databaseUrl: string): string | undefined {
  if (error instanceof StartRefusal) return error.message;
  const { code = '', message } = error as Error & { code?: string };
  const { role, database, hosts } = describe(databaseUrl);
  if (/^(28P01|28000)$/.test(code)) {
    return `The database at ${hosts} refused the role ${role} of DATABASE_URL: ${message}.`;
  }
  if (/password must be a string/.test(message)) return `DATABASE_URL has no password for the role ${role}.`;
  if (code === '3D000')
    return `There is no database ${database} at ${hosts}; create it, or correct DATABASE_URL.`;
  if (code === '42501') {
    return `The role ${role} of DATABASE_URL lacks a privilege that the server needs (${message}); make it the owner: ALTER DATABASE ${database} OWNER TO ${role}.`;
  }
  if (code === '25006') return `None of the servers in DATABASE_URL (${hosts}) accepts writes: ${message}`;
  if (code === '53300') return `The database at ${hosts} has no free connections: ${message}.`;
  const isUnreachable =
    /^(ECONN|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|57P0|08)/.test(code) ||
    /timeout expired|Connection terminated/.test(message);
  if (isUnreachable) return `Can't reach PostgreSQL at ${hosts} (DATABASE_URL): ${code || message}.`;
  return undefined;
}

function describe(databaseUrl: string): { role: string; database: string; hosts: string } {
  const urls = splitHosts(databaseUrl).map((url) => new URL(url));
  const role = decodeURIComponent(urls[0]!.username) || 'of this system user';
  const database = decodeURIComponent(urls[0]!.pathname.slice(1)) || role;
  return { role, database, hosts: urls.map(({ host }) => host).join(', ') };
}
