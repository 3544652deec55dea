import { type RawBuilder, sql } from 'kysely';

/** SQL of a JSON object with these fields of a table or its alias, under their names in TypeScript. */
export const jsonObject = <T>(table: string, fields: readonly (keyof T & string)[]): RawBuilder<T> =>
  sql<T>`jsonb_build_object(${sql.join(fields.flatMap((field) => [sql.lit(field), sql.ref(`${table}.${field}`)]))})`;
