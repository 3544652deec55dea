import type { DB } from '#server/platform/db/db-types.ts';
import type { Entry, PersonalTable, Register } from './personal-data-entry.ts';
import { accountTables } from './personal-data-of-accounts.ts';
import { lessonTables } from './personal-data-of-lessons.ts';
import { moneyTables } from './personal-data-of-money.ts';
import { notificationTables } from './personal-data-of-notifications.ts';
import { participantTables } from './personal-data-of-participants.ts';
import { platformTables } from './personal-data-of-platform.ts';
import { progressTables } from './personal-data-of-progress.ts';
import { reviewTables } from './personal-data-of-reviews.ts';
import { storageTables } from './personal-data-of-storage.ts';
import { verificationTables } from './personal-data-of-verification.ts';

/**
 * The register of personal data: for every table and column of the product's schema, its purpose, what the download
 * shows, what deleting an account does, and how long rows are kept. The download, the erasure, the cleanup job and
 * docs/privacy.md are derived from the register. The tables are in the order of erasure: rows are deleted before the
 * rows that they refer to. `PersonalTable` in personal-data-entry.ts documents the parts of an entry.
 */
export const personalData: Register = {
  ...notificationTables,
  ...progressTables,
  ...reviewTables,
  ...verificationTables,
  ...lessonTables,
  ...moneyTables,
  ...storageTables,
  ...participantTables,
  ...accountTables,
  ...platformTables,
};

/** The names and entries of the tables about people, in the order of erasure. */
export const personalTables: [keyof DB, PersonalTable][] = (
  Object.entries(personalData) as [keyof DB, Entry<string>][]
).filter((entry): entry is [keyof DB, PersonalTable] => 'rowsOf' in entry[1]);
