import { type RawBuilder, sql } from 'kysely';

/** SQL for a JSON object with these columns of a table (or alias), keyed by their TypeScript names. */
export const jsonObject = <T>(table: string, fields: readonly (keyof T & string)[]): RawBuilder<T> =>
  sql<T>`jsonb_build_object(${sql.join(fields.flatMap((field) => [sql.lit(field), sql.ref(`${table}.${field}`)]))})`;
