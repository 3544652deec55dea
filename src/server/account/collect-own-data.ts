import { sql } from 'kysely';
import type { OwnData } from '#domain/account/contract.ts';
import { AppError } from '#domain/errors.ts';
import { maskAccountNumber, maskSortCode } from '#domain/payouts/rules.ts';
import { decryptCare } from '#server/accounts/care/care-details.ts';
import { decryptBankNumbers } from '#server/payouts/bank-details.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { DB } from '#server/platform/db/db-types.ts';
import { decryptDocumentNumber } from '#server/verification/documents/document-numbers.ts';
import { personalTables } from './personal-data.ts';
import type { DataSubject, PersonalTable, Treatment } from './personal-data-entry.ts';

type Row = Record<string, unknown>;

/**
 * Collects a person's stored personal data: the person's rows in each table of the register, with the table's purpose
 * and retention. The register says which columns are left out. Throws `not_found` for a deleted account.
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
      rows: rows.map((row) => decryptRow(config.dataKeys, row)),
    });
  }
  return { madeAt: new Date().toISOString(), records };
}

/**
 * Collects the stored data of a dependant, for their guardians. The caller must already have checked access. Other
 * people's data, such as who paid, is left out.
 */
export async function collectDependantData(
  { db, config }: { db: Database; config: Pick<Config, 'dataKeys'> },
  participantId: string,
): Promise<OwnData> {
  const records: OwnData['records'] = [];
  for (const [table, { purpose, retention, columns, dependant }] of personalTables) {
    if (!dependant) continue;
    const exported = Object.keys(columns).filter((column) => isPlain(columns[column]!));
    const { rows } = await sql<Row>`
      select ${sql.join((dependant.columns ?? exported).map((column) => sql.ref(column)))} from ${sql.table(table)}
      where ${dependant.rowsOf(participantId)} order by 1`.execute(db);
    records.push({
      table,
      purpose,
      keptFor: retention.text,
      whenAccountIsDeleted: dependant.erasure.text,
      rows: rows.map((row) => decryptRow(config.dataKeys, row)),
    });
  }
  return { madeAt: new Date().toISOString(), records };
}

const isPlain = (treatment: Treatment) =>
  ['exported', 'masked', 'decrypted'].some((plain) => plain === treatment);

async function readRows(
  db: Database,
  table: keyof DB,
  { columns, readable = {}, rowsOf }: PersonalTable,
  person: DataSubject,
): Promise<Row[]> {
  const own = Object.entries(columns).flatMap(([column, treatment]) => {
    if (isPlain(treatment)) return [sql`${sql.ref(column)}`];
    return typeof treatment === 'function' ? [sql`${treatment(person)} as ${sql.ref(column)}`] : [];
  });
  const further = Object.entries(readable).map(([name, value]) => sql`${value} as ${sql.ref(name)}`);
  const { rows } = await sql<Row>`
    select ${sql.join([...own, ...further])} from ${sql.table(table)}
    where ${rowsOf(person)} order by 1`.execute(db);
  return rows;
}

/**
 * The row with its encrypted account number and sort code replaced by their last digits, or its care details
 * or document number decrypted. Other rows are returned unchanged.
 */
function decryptRow(dataKeys: Config['dataKeys'], row: Row): Row {
  if ('careEncrypted' in row) {
    const { careEncrypted, ...rest } = row as Row & { participantId: string; careEncrypted: string };
    return { ...rest, care: decryptCare(dataKeys, { participantId: rest.participantId, careEncrypted }) };
  }
  if ('numberEncrypted' in row) {
    const { numberEncrypted, ...rest } = row as Row & { documentId: string; numberEncrypted: string };
    const { documentId } = rest;
    return { ...rest, number: decryptDocumentNumber(dataKeys, { documentId, numberEncrypted }) };
  }
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
