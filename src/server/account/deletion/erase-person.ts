import { sql } from 'kysely';
import type { Tx } from '#server/platform/db/db.ts';
import { personalTables } from '../personal-data.ts';
import type { DataSubject } from '../personal-data-entry.ts';

/**
 * Erases a dependant from every table, as the register says. The caller must already have checked that nothing is
 * booked.
 */
export async function eraseDependant(tx: Tx, participantId: string): Promise<void> {
  for (const [table, { dependant }] of personalTables) {
    if (!dependant) continue;
    const { deletes, empties } = dependant.erasure;
    const rows = dependant.rowsOf(participantId);
    if (deletes) await sql`delete from ${sql.table(table)} where ${rows}`.execute(tx);
    if (empties) {
      const values = Object.entries(empties).map(([column, value]) => sql`${sql.ref(column)} = ${value!}`);
      await sql`update ${sql.table(table)} set ${sql.join(values)} where ${rows}`.execute(tx);
    }
  }
}

/**
 * Erases a person from every table, as the register of personal data says. The caller must already have settled
 * lessons, payments and teams.
 */
export async function erasePerson(tx: Tx, person: DataSubject): Promise<void> {
  for (const [table, { rowsOf, erasure }] of personalTables) {
    const { deletes, empties } = erasure;
    const rows = rowsOf(person);
    if (deletes) {
      const condition = typeof deletes === 'function' ? deletes(person) : deletes;
      const only = condition === true ? sql`true` : condition;
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
