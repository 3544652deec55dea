import type { DB } from '#server/platform/db/db-types.ts';
import type { Entry, PersonalTable, Register } from './personal-data-entry.ts';
import { accountTables } from './personal-data-of-accounts.ts';
import { lessonTables } from './personal-data-of-lessons.ts';
import { moneyTables } from './personal-data-of-money.ts';
import { platformTables } from './personal-data-of-platform.ts';

/**
 * The register of personal data: for every table and column of the product's schema its purpose, what the download
 * shows, what deleting an account does, and how long rows are kept. Download, erasure, cleanup job and
 * docs/privacy.md are derived from it. The order is the order of erasure: rows that reference another row come before
 * it.
 */
export const personalData: Register = {
  ...lessonTables,
  ...moneyTables,
  ...accountTables,
  ...platformTables,
};

/** The tables about people with their names, in the order of erasure. */
export const personalTables: [keyof DB, PersonalTable][] = (
  Object.entries(personalData) as [keyof DB, Entry<string>][]
).filter((entry): entry is [keyof DB, PersonalTable] => 'rowsOf' in entry[1]);
