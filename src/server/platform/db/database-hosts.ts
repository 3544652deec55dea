import pg from 'pg';

/** Which of several servers to use: the primary or a standby. */
export type HostRole = 'primary' | 'standby';

type Host = { host: string; port: number };

/**
 * How long one server may take to report its role, in milliseconds. Must be shorter than a pool's wait for a
 * connection.
 */
const probeMs = 2_000;

/**
 * Splits a URL that names several hosts as libpq allows (`postgres://user@one:5432,two:5432/club`) into one URL per
 * host. The driver itself accepts only one host.
 */
export function splitHosts(url: string): string[] {
  const found = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#]*)(.*)$/.exec(url);
  if (!found) return [url];
  const [, start = '', hosts = '', rest = ''] = found;
  return hosts.split(',').map((host) => start + host + rest);
}

/** Connection options for a pool or client. Await `check` on each new connection. */
export type Connecting = {
  options: { connectionString: string };
  Client: typeof pg.Client;
  check: (client: pg.ClientBase) => Promise<void>;
};

/**
 * Returns the connection options for a URL. If the URL names several hosts, the host with the given role is used and
 * looked up again after a failure, so that a promoted standby is found without a restart. A primary is chosen as with
 * `target_session_attrs=primary`, whatever the URL says.
 */
export function connectingTo(url: string, role: HostRole = 'primary'): Connecting {
  const urls = splitHosts(url);
  const options = { connectionString: urls[0]! };
  if (urls.length === 1) return { options, Client: pg.Client, check: async () => {} };
  let known: Promise<Host> | undefined;
  const find = (): Promise<Host> => {
    known ??= findHost(urls, role);
    known.catch(reset);
    return known;
  };
  const reset = () => {
    known = undefined;
  };

  class Client extends pg.Client {
    async #connect(): Promise<void> {
      Object.assign(this, await find());
      try {
        await super.connect();
      } catch (error) {
        reset();
        throw error;
      }
    }
    // Like the driver's own method, returns a promise if there is no callback.
    override connect(callback?: (error: never, client: never) => void): never {
      const connected = this.#connect();
      const report = callback as ((error?: Error) => void) | undefined;
      if (report) connected.then(() => report(), report);
      return (report ? undefined : connected) as never;
    }
  }

  return {
    options,
    Client: Client as unknown as typeof pg.Client,
    check: async (client) => {
      const { rows } = await client.query('select pg_is_in_recovery() as is_standby');
      if (rows[0].is_standby === (role === 'standby')) return;
      reset();
      throw roleError(role);
    },
  };
}

/** An error with the SQLSTATE of a write on a standby, so that the database is reported as read-only. */
const roleError = (role: HostRole) =>
  Object.assign(new Error(`None of the database hosts is a ${role} right now.`), { code: '25006' });

/** Returns the first host that reports the role. If no host does, throws the error of one of them. */
async function findHost(urls: string[], role: HostRole): Promise<Host> {
  const probes = urls.map((url) => probe(url, role));
  return Promise.any(probes).catch(({ errors }: AggregateError) => {
    throw errors.find((error) => error.code === '25006') ?? errors[0];
  });
}

async function probe(url: string, role: HostRole): Promise<Host> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: probeMs,
    query_timeout: probeMs,
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query('select pg_is_in_recovery() as is_standby');
    if (rows[0].is_standby !== (role === 'standby')) throw roleError(role);
    return { host: client.host, port: client.port };
  } finally {
    void client.end().catch(() => {});
  }
}
