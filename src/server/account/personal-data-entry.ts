import type { RawBuilder } from 'kysely';
import type { DB } from '#server/platform/db/db-types.ts';

/** The person whose data is read or erased; `email` in lower case. */
export type DataSubject = { userId: string; email: string };

/**
 * What the download does with a column. `exported`: includes it unchanged. `masked`: includes the last digits, for
 * encrypted bank numbers only. `secret`: leaves out hashes and keys, which grant access or could be cracked. `others`:
 * leaves out the id of another person, in a column named …Id or …By; a text that another person wrote needs a table of
 * its own, see `rowsOf`. `derived`: leaves out what is computed from other columns. A function returns the SQL
 * expression to export.
 */
export type Treatment =
  | 'exported'
  | 'masked'
  | 'secret'
  | 'others'
  | 'derived'
  | ((person: DataSubject) => RawBuilder<unknown>);

/** How long rows are kept, as a sentence, and the condition for a row whose retention has ended. */
export type Retention = { text: string; isOver?: RawBuilder<boolean> };

/** A table with personal data. Conditions and expressions are SQL on the unaliased table. */
export type PersonalTable<Column extends string = string> = {
  purpose: string;
  /**
   * The condition for this person's rows. It decides whose download shows a row and whose deletion erases it. What one
   * person writes about another belongs to both (article 15 of the UK GDPR gives both a copy), so it needs a table of
   * its own, in which `rowsOf` selects a row for either of them. Example: a coach's private note on a booking. As a
   * column of `bookings`, whose rows are the customer's, it would outlive the coach's account.
   */
  rowsOf: (person: DataSubject) => RawBuilder<boolean>;
  /**
   * What deleting an account does to these rows: `deletes` all of them or those that meet a condition, `empties`
   * columns of the rest.
   */
  erasure: {
    text: string;
    deletes?: true | RawBuilder<boolean>;
    empties?: Partial<Record<Column, (person: DataSubject) => RawBuilder<unknown>>>;
  };
  retention: Retention;
  columns: Record<Column, Treatment>;
  /** Further values for the download, by name: readable names for the ids in a row. */
  readable?: Record<string, RawBuilder<unknown>>;
};

/** A table without personal data; `reason` says what it holds. */
export type ImpersonalTable<Column extends string = string> = {
  reason: string;
  retention: Retention;
  columns: Record<Column, 'impersonal'>;
};

export type Entry<Column extends string> = PersonalTable<Column> | ImpersonalTable<Column>;

type ColumnOf<Table extends keyof DB> = keyof DB[Table] & string;

/** `collectOwnData` masks only these columns; any other column with that treatment would be exported unmasked. */
type MaskedColumn = 'accountNumberEncrypted' | 'sortCodeEncrypted';
type Unmasked<Table extends keyof DB> = Exclude<ColumnOf<Table>, MaskedColumn>;
/** Only an id can be `others`: a text with that treatment would never be erased. */
type NoId<Table extends keyof DB> = Exclude<ColumnOf<Table>, `${string}Id` | `${string}By`>;
type PlainTreatment = Exclude<Treatment | 'impersonal', 'masked'>;

/** Entries for some of the tables. An entry that does not list every column of its table fails the type check. */
export type Register<Table extends keyof DB = keyof DB> = {
  [Name in Table]: Entry<ColumnOf<Name>> & {
    columns: Record<Unmasked<Name>, PlainTreatment> &
      Record<NoId<Name>, Exclude<Treatment | 'impersonal', 'others'>>;
  };
};
