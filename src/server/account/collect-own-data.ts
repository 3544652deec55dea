import { sql } from 'kysely';
import type { OwnData } from '#domain/account/contract.ts';
import { AppError } from '#domain/errors.ts';
import { maskAccountNumber, maskSortCode } from '#domain/payouts/rules.ts';
import { decryptBankNumbers } from '#server/payouts/bank-details.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { DB } from '#server/platform/db/db-types.ts';
import { personalTables } from './personal-data.ts';
import type { DataSubject, PersonalTable } from './personal-data-entry.ts';

type Row = Record<string, unknown>;

/**
 * Collects a person's stored personal data: the person's rows of each table in the register, with purpose and
 * retention. Of other people, the result names only the person's coaches. Throws `not_found` for a deleted account.
 */
export async function collectOwnData(
  { db, config }: { db: Database; config: Pick<Config, 'dataKeys'> },
  { userId }: { userId: string },
): Promise<OwnData> {
  const user = await db.selectFrom('users').select('email').where('userId', '=', userId).executeTakeFirst();
  if (!user) throw new AppError('not_found', 'This account has been deleted.');
  const person = { userId, email: user.email };
  const records: OwnData['records'] = [];
  // Sequential, so that one download does not use every connection in the pool.
  for (const [table, entry] of personalTables) {
    const rows = await readRows(db, table, entry, person);
    records.push({
      table,
      purpose: entry.purpose,
      keptFor: entry.retention.text,
      whenAccountIsDeleted: entry.erasure.text,
      rows: rows.map((row) => maskNumbers(config.dataKeys, row)),
    });
  }
  return { madeAt: new Date().toISOString(), records };
}

async function readRows(
  db: Database,
  table: keyof DB,
  { columns, readable = {}, rowsOf }: PersonalTable,
  person: DataSubject,
): Promise<Row[]> {
  const own = Object.entries(columns).flatMap(([column, treatment]) => {
    if (treatment === 'exported' || treatment === 'masked') return [sql`${sql.ref(column)}`];
    return typeof treatment === 'function' ? [sql`${treatment(person)} as ${sql.ref(column)}`] : [];
  });
  const further = Object.entries(readable).map(([name, value]) => sql`${value} as ${sql.ref(name)}`);
  const { rows } = await sql<Row>`
    select ${sql.join([...own, ...further])} from ${sql.table(table)}
    where ${rowsOf(person)} order by 1`.execute(db);
  return rows;
}

/** Replaces the encrypted account number and sort code in a row with their last digits. */
function maskNumbers(dataKeys: Config['dataKeys'], row: Row): Row {
  if (!('accountNumberEncrypted' in row)) return row;
  const { accountNumberEncrypted, sortCodeEncrypted, ...rest } = row as Row & {
    coachId: string;
    accountNumberEncrypted: string;
    sortCodeEncrypted: string;
  };
  const { coachId } = rest;
  const numbers = decryptBankNumbers(dataKeys, { coachId, accountNumberEncrypted, sortCodeEncrypted });
  return {
    ...rest,
    maskedAccountNumber: maskAccountNumber(numbers.accountNumber),
    maskedSortCode: maskSortCode(numbers.sortCode),
  };
}
