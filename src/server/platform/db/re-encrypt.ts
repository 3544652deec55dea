import { sql } from 'kysely';
import { ciphertextPrefix, type DataKeys, decryptText, encryptText } from '../encryption.ts';
import type { Database, Tx } from './db.ts';

/**
 * A table with encrypted columns. `contexts` has a function per column, which returns the encryption context for a row
 * with camelCase keys.
 */
export type EncryptedTable = {
  table: string;
  /** Columns of the primary key, all of them uuids. */
  key: readonly [string, ...string[]];
  contexts: Record<string, (row: Record<string, string>) => string>;
};

/** How many rows were re-encrypted, and how many can't be decrypted with any known key. */
export type ReEncrypted = { table: string; reEncrypted: number; unreadable: number };

const batchSize = 100;
const camel = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** SQL: whether any of these columns of a row was encrypted with a key other than the first. */
function isOld(columns: string[], dataKeys: DataKeys) {
  const prefix = ciphertextPrefix(dataKeys);
  return sql`(${sql.join(
    columns.map((column) => sql`not starts_with(${sql.id(column)}, ${prefix})`),
    sql` or `,
  )})`;
}

/** Counts the rows that were encrypted with a key other than the first, by table. Omits tables without such rows. */
export async function countRowsWithOldKeys(
  db: Database,
  dataKeys: DataKeys,
  tables: readonly EncryptedTable[],
): Promise<{ table: string; rows: number }[]> {
  const found: { table: string; rows: number }[] = [];
  for (const { table, contexts } of tables) {
    const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${sql.id(table)}
      where ${isOld(Object.keys(contexts), dataKeys)}`.execute(db);
    if (rows[0]!.rows > 0) found.push({ table, rows: rows[0]!.rows });
  }
  return found;
}

/**
 * Re-encrypts the rows of a table that were encrypted with a known key other than the first, in transactions of a
 * hundred rows. If a run is killed, the next run does the rest. Concurrent changes to a row are kept.
 */
export async function reEncryptTable(
  db: Database,
  dataKeys: DataKeys,
  encrypted: EncryptedTable,
): Promise<ReEncrypted> {
  const done: ReEncrypted = { table: encrypted.table, reEncrypted: 0, unreadable: 0 };
  let after: string[] = encrypted.key.map(() => '00000000-0000-0000-0000-000000000000');
  for (;;) {
    const rows = await db.transaction().execute(async (tx) => {
      const batch = await lockBatch(tx, dataKeys, encrypted, after);
      for (const row of batch) {
        if (await reEncryptRow(tx, dataKeys, encrypted, row)) done.reEncrypted += 1;
        else done.unreadable += 1;
      }
      return batch;
    });
    const last = rows.at(-1);
    if (!last) return done;
    after = encrypted.key.map((column) => last[camel(column)]!);
  }
}

async function lockBatch(
  tx: Tx,
  dataKeys: DataKeys,
  { table, key, contexts }: EncryptedTable,
  after: string[],
): Promise<Record<string, string>[]> {
  const columns = sql.join(key.map((column) => sql.id(column)));
  const from = sql.join(after.map((id) => sql`${id}::uuid`));
  const { rows } = await sql<Record<string, string>>`select * from ${sql.id(table)}
    where (${columns}) > (${from}) and ${isOld(Object.keys(contexts), dataKeys)}
    order by ${columns} limit ${batchSize} for update`.execute(tx);
  return rows;
}

async function reEncryptRow(
  tx: Tx,
  dataKeys: DataKeys,
  { table, key, contexts }: EncryptedTable,
  row: Record<string, string>,
): Promise<boolean> {
  let values: { column: string; text: string }[];
  try {
    values = Object.entries(contexts).map(([column, contextOf]) => {
      const text = decryptText(dataKeys, row[camel(column)]!, contextOf(row));
      return { column, text: encryptText(dataKeys, text, contextOf(row)) };
    });
  } catch {
    return false;
  }
  const set = sql.join(values.map(({ column, text }) => sql`${sql.id(column)} = ${text}`));
  const same = sql.join(
    key.map((column) => sql`${sql.id(column)} = ${row[camel(column)]}::uuid`),
    sql` and `,
  );
  await sql`update ${sql.id(table)} set ${set} where ${same}`.execute(tx);
  return true;
}
