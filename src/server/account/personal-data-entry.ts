import type { RawBuilder } from 'kysely';
import type { DB } from '#server/platform/db/db-types.ts';

/** Whose data is meant; `email` in lower case. */
export type DataSubject = { userId: string; email: string };

/**
 * What the download does with a column. `exported`: as it is. `masked`: the last digits of an encrypted bank number,
 * which only such a column can be. `secret`: hashes and keys, which grant access or could be guessed from. `others`: about another person. `derived`:
 * computed from the other columns. A function returns the SQL expression to export.
 */
export type Treatment =
  | 'exported'
  | 'masked'
  | 'secret'
  | 'others'
  | 'derived'
  | ((person: DataSubject) => RawBuilder<unknown>);

/** A sentence on retention, and the condition of a row whose time is up. */
export type Retention = { text: string; isOver?: RawBuilder<boolean> };

/** A table with personal data. Conditions and expressions are SQL on the unaliased table. */
export type PersonalTable<Column extends string = string> = {
  purpose: string;
  /** The condition on the rows that are about a person. */
  rowsOf: (person: DataSubject) => RawBuilder<boolean>;
  /**
   * What deleting an account does to these rows: deletes them (all, or those that meet a condition), and empties
   * columns of the rest.
   */
  erasure: {
    text: string;
    deletes?: true | RawBuilder<boolean>;
    empties?: Partial<Record<Column, (person: DataSubject) => RawBuilder<unknown>>>;
  };
  retention: Retention;
  columns: Record<Column, Treatment>;
  /** Further values for the download, by name: what the ids in a row refer to. */
  readable?: Record<string, RawBuilder<unknown>>;
};

/** A table without personal data; `reason` says why. */
export type ImpersonalTable<Column extends string = string> = {
  reason: string;
  retention: Retention;
  columns: Record<Column, 'impersonal'>;
};

export type Entry<Column extends string> = PersonalTable<Column> | ImpersonalTable<Column>;

type ColumnOf<Table extends keyof DB> = keyof DB[Table] & string;

/** `collectOwnData` masks these two; any other column with that treatment would leave the server as it is. */
type MaskedColumn = 'accountNumberEncrypted' | 'sortCodeEncrypted';
type Unmasked<Table extends keyof DB> = Exclude<ColumnOf<Table>, MaskedColumn>;

/** Entries for some of the tables; each names every column of its table, or it fails type checking. */
export type Register<Table extends keyof DB = keyof DB> = {
  [Name in Table]: Entry<ColumnOf<Name>> & {
    columns: Record<Unmasked<Name>, Exclude<Treatment | 'impersonal', 'masked'>>;
  };
};
