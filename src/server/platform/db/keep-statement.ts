import { CompiledQuery } from 'kysely';
import type { Database } from './db.ts';

/**
 * A statement whose SQL is built and compiled at the first call only: compiling a long statement takes more than 0.1 ms
 * of processor time. The SQL must be the same for all values. Throws at the first call if `values` are not exactly the
 * statement's parameters, in their order.
 */
export function keepStatement<Values extends readonly unknown[], Row>(
  write: (db: Database, values: Values) => { compile: (db: Database) => CompiledQuery<Row> },
): (db: Database, values: Values) => Promise<Row[]> {
  let text: string | undefined;
  return async (db, values) => {
    if (text === undefined) {
      const { sql, parameters } = write(db, values).compile(db);
      const isSame = parameters.length === values.length && parameters.every((one, n) => one === values[n]);
      if (!isSame) throw new Error(`The values are not the parameters of: ${sql}`);
      text = sql;
    }
    const { rows } = await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]));
    return rows;
  };
}
