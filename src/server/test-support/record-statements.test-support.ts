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
