import type { RawBuilder } from 'kysely';
import type { DB } from '#server/platform/db/db-types.ts';

/** The person whose data is read or erased; `email` is in lower case. */
export type DataSubject = { userId: string; email: string };

/**
 * How the download treats a column. `exported`: includes the value unchanged. `masked`: includes only the
 * last digits; for encrypted bank numbers only. `decrypted`: includes the decrypted value; for care details
 * and document numbers only. `secret`: omits a value such as a hash or key, which could grant access or be
 * cracked. `others`: omits an id of another person or of something that leads to one, in a column named …Id or …By;
 * a text that another person wrote needs a separate table instead (see `rowsOf`). `derived`: omits a value computed
 * from other columns. A function returns the SQL expression to export.
 */
export type Treatment =
  | 'exported'
  | 'masked'
  | 'decrypted'
  | 'secret'
  | 'others'
  | 'derived'
  | ((person: DataSubject) => RawBuilder<unknown>);

/** How long rows are kept, as a sentence, and the SQL condition for a row whose retention has ended. */
export type Retention = { text: string; isOver?: RawBuilder<boolean> };

/** A table with personal data. Conditions and expressions are SQL on the unaliased table. */
export type PersonalTable<Column extends string = string> = {
  purpose: string;
  /**
   * The condition for this person's rows. The download shows these rows, and deleting the account affects
   * them as `erasure` says. Text that one person writes about another belongs to both people (article 15 of
   * the UK GDPR entitles both to a copy), so such text needs a separate table, in which `rowsOf` selects a
   * row for either person. An example is a coach's private note on a booking: in a column of `bookings`,
   * whose rows are the customer's, the note would outlive the coach's account.
   */
  rowsOf: (person: DataSubject) => RawBuilder<boolean>;
  /**
   * The effect of deleting an account on these rows: `deletes` removes all rows or those that meet a condition, which
   * may depend on the person; `empties` overwrites columns of the remaining rows.
   */
  erasure: {
    text: string;
    deletes?: true | RawBuilder<boolean> | ((person: DataSubject) => RawBuilder<boolean>);
    empties?: Partial<Record<Column, (person: DataSubject) => RawBuilder<unknown>>>;
  };
  retention: Retention;
  columns: Record<Column, Treatment>;
  /**
   * A dependant's rows: guardians can download them, and deleting the dependant affects them as `erasure`
   * says. Absent if the table has none.
   */
  dependant?: {
    rowsOf: (participantId: string) => RawBuilder<boolean>;
    /** The columns in the dependant's download; by default, all columns in the person's own. */
    columns?: Column[];
    erasure: { text: string; deletes?: true; empties?: Partial<Record<Column, RawBuilder<unknown>>> };
  };
  /** Values from other tables, such as names for the ids in a row, which the download adds under these keys. */
  readable?: Record<string, RawBuilder<unknown>>;
};

/** A table without personal data; `reason` describes its contents. */
export type ImpersonalTable<Column extends string = string> = {
  reason: string;
  retention: Retention;
  columns: Record<Column, 'impersonal'>;
};

export type Entry<Column extends string> = PersonalTable<Column> | ImpersonalTable<Column>;

type ColumnOf<Table extends keyof DB> = keyof DB[Table] & string;

/** `collectOwnData` masks only these columns; any other `masked` column would be exported unmasked. */
type MaskedColumn = 'accountNumberEncrypted' | 'sortCodeEncrypted';
/** `collectOwnData` decrypts only these columns. */
type DecryptedColumn = 'careEncrypted' | 'numberEncrypted';
type Unmasked<Table extends keyof DB> = Exclude<ColumnOf<Table>, MaskedColumn | DecryptedColumn>;
/** The columns that can't be `others`: all but ids. A text with this treatment would outlive its author's account. */
type NoId<Table extends keyof DB> = Exclude<ColumnOf<Table>, `${string}Id` | `${string}By`>;
type PlainTreatment = Exclude<Treatment | 'impersonal', 'masked' | 'decrypted'>;

/** Entries for some of the tables. An entry that does not list every column of its table fails the type check. */
export type Register<Table extends keyof DB = keyof DB> = {
  [Name in Table]: Entry<ColumnOf<Name>> & {
    columns: Record<Unmasked<Name>, PlainTreatment> &
      Record<NoId<Name>, Exclude<Treatment | 'impersonal', 'others'>>;
  };
};
