import pg from 'pg';

export type Statement = { name: string; text: string; values: unknown[] };

/** The named statements that the app runs in this process during `run`, recorded at the driver. */
export async function recordStatements(run: () => Promise<unknown>): Promise<Statement[]> {
  const recorded: Statement[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...parts: unknown[]) {
    const [first] = parts as [Partial<Statement>];
    if (typeof first === 'object' && first?.name && first.text) {
      recorded.push({ name: first.name, text: first.text, values: [...(first.values ?? [])] });
    }
    return (query as (...all: unknown[]) => unknown).apply(this, parts);
  } as typeof query;
  try {
    await run();
  } finally {
    pg.Client.prototype.query = query;
  }
  return recorded;
}

/**
 * A named statement on one connection: its calls, and how often PostgreSQL planned it for one call (`customPlans`) or
 * used the generic plan that it keeps (`keptPlans`).
 */
export type StatementPlans = { text: string; calls: number; customPlans: number; keptPlans: number };

/**
 * The named statements that the app runs in this process during `run`, on each connection. `calls` counts the calls
 * during `run`; plans are counted since the connection began.
 */
export async function readPlans(run: () => Promise<unknown>): Promise<StatementPlans[]> {
  const connections = new Map<pg.Client, Map<string, number>>();
  function forget(this: pg.Client) {
    connections.delete(this);
  }
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...parts: unknown[]) {
    const [first] = parts as [Partial<Statement>];
    if (first?.name) {
      let calls = connections.get(this);
      if (!calls) {
        calls = new Map();
        connections.set(this, calls);
        this.once('end', forget);
      }
      calls.set(first.name, (calls.get(first.name) ?? 0) + 1);
    }
    return (query as (...all: unknown[]) => unknown).apply(this, parts);
  } as typeof query;
  try {
    await run();
  } finally {
    pg.Client.prototype.query = query;
  }
  const answers = await Promise.all(
    [...connections].map(async ([client, calls]) => {
      client.off('end', forget);
      const { rows } = await client.query<StatementPlans & { name: string }>(
        `select name, statement as text, custom_plans::int as "customPlans", generic_plans::int as "keptPlans"
        from pg_prepared_statements where name = any($1)`,
        [[...calls.keys()]],
      );
      return rows.map(({ name, ...plans }) => ({ ...plans, calls: calls.get(name)! }));
    }),
  );
  return answers.flat();
}
