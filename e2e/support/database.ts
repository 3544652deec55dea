import { readFile } from 'node:fs/promises';
import { type Database, openDatabase, openPool } from '#server/platform/db/db.ts';

/** Changes the database of the product under test in ways that no call can, for example as if time had passed. */
export async function changeDatabase(change: (db: Database) => Promise<unknown>): Promise<void> {
  const url = await readFile(process.env.E2E_DATABASE_FILE!, 'utf8');
  const db = openDatabase(openPool(url, { size: 1 }));
  await change(db).finally(() => db.destroy());
}
