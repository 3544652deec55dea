import { sql } from 'kysely';
import type { Tx } from '#server/platform/db/db.ts';
import { personalTables } from './personal-data.ts';
import type { DataSubject } from './personal-data-entry.ts';

/**
 * Does in every table what the register of personal data says about a deleted account. Whatever else has to happen
 * with an account (lessons, money and teams that are still open) is the caller's concern.
 */
export async function erasePerson(tx: Tx, person: DataSubject): Promise<void> {
  for (const [table, { rowsOf, erasure }] of personalTables) {
    const { deletes, empties } = erasure;
    const rows = rowsOf(person);
    if (deletes) {
      const only = deletes === true ? sql`true` : deletes;
      await sql`delete from ${sql.table(table)} where ${rows} and ${only}`.execute(tx);
    }
    if (empties) {
      const values = Object.entries(empties).map(
        ([column, value]) => sql`${sql.ref(column)} = ${value!(person)}`,
      );
      await sql`update ${sql.table(table)} set ${sql.join(values)} where ${rows}`.execute(tx);
    }
  }
}
