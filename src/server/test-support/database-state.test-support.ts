import { sql } from 'kysely';
import { recurringJobs } from '#domain/jobs.ts';
import type { Database } from '#server/platform/db/db.ts';

/**
 * Tables left out of the comparison: they change in the background or with every attempt, or record only migrations.
 */
const restless = ['changes', 'health', 'rate_limits', 'reminder_progress', 'schema_migrations'];

/**
 * The content of every table that is not {@link restless} as "count checksum", and the number of waiting jobs by name,
 * without recurring jobs. Two states are equal only if no such table or number changed in between.
 */
export async function readState(db: Database): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db);
  const names = tables.rows.map(({ name }) => name).filter((name) => !restless.includes(name));
  const parts = names.map(
    (name) => sql`select ${name}::text as name, count(*) || ' ' ||
      coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as state from ${sql.id(name)} t`,
  );
  const { rows } = await sql<{ name: string; state: string }>`
    ${sql.join(parts, sql` union all `)}
    union all
    select 'job ' || task_identifier, count(*)::text from graphile_worker.jobs
    where task_identifier <> all(${Object.keys(recurringJobs)}) group by 1 order by 1`.execute(db);
  return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
}
