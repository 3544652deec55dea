import { type RawBuilder, sql } from 'kysely';
import type { Database } from './db.ts';

/** The rows that one statement fetches. */
const batchSize = 500;

/**
 * Reads the rows of a query in batches, with a cursor in a read-only transaction that sees one state of the database.
 * The next batch is fetched when it is requested. The transaction lasts until the last batch is read or the generator
 * is closed. `name` is the cursor's name. Each query needs its own, because statements are prepared by their text.
 */
export async function* readCursor<Row>(
  db: Database,
  name: string,
  query: RawBuilder<unknown>,
): AsyncGenerator<Row[], void, void> {
  let isClosed = false;
  let asked = defer<void>();
  let batch = defer<Row[]>();
  const transaction = db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      // A slow reader may keep the transaction longer than a request does.
      await sql`set local idle_in_transaction_session_timeout = '90s'`.execute(tx);
      await sql`declare ${sql.ref(name)} no scroll cursor for ${query}`.execute(tx);
      for (;;) {
        await asked.promise;
        if (isClosed) return;
        asked = defer();
        const { rows } = await sql<Row>`fetch ${sql.lit(batchSize)} from ${sql.ref(name)}`.execute(tx);
        batch.resolve(rows);
        if (rows.length < batchSize) return;
      }
    });
  // The transaction is awaited below, but may fail before that.
  transaction.catch(() => {});
  try {
    for (;;) {
      batch = defer();
      asked.resolve();
      const failed = transaction.then(() => batch.promise);
      const rows = await Promise.race([batch.promise, failed]);
      if (rows.length > 0) yield rows;
      if (rows.length < batchSize) return;
    }
  } finally {
    isClosed = true;
    asked.resolve();
    await transaction.catch(() => {});
  }
}

function defer<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((fulfil) => {
    resolve = fulfil;
  });
  return { promise, resolve };
}
