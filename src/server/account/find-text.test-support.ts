import { sql } from 'kysely';
import type { Database } from '#server/platform/db/db.ts';
import { personalData } from './personal-data.ts';

/** The tables of the register with a row that contains this text, in upper or lower case. */
export async function findTables(db: Database, text: string): Promise<string[]> {
  const found: string[] = [];
  for (const table of Object.keys(personalData)) {
    const { rows } = await sql`select from ${sql.table(table)} held
      where strpos(lower(held::text), ${text.toLowerCase()}) > 0 limit 1`.execute(db);
    if (rows.length > 0) found.push(table);
  }
  return found.sort();
}
