import { Client } from 'pg';
import { migrate } from '#server/platform/db/migrate.ts';

/**
 * SQL after which a club asks its coaches for no checks and documents, like one that existed before there were any. The
 * clubs of tests and benchmarks do; tests of checks choose a policy themselves.
 */
export const askNothing = `
  insert into site_settings (key, value)
  select 'verification_policy', jsonb_object_agg(kind, jsonb_build_object('askedOf', 'nobody', 'effect', 'badge'))
  from unnest(array['criminal_record_check', 'safeguarding', 'insurance', 'first_aid', 'licence']) kind
  on conflict (key) do update set value = excluded.value;
  select renew_clearance(coach_id) from coaches`;

/** Migrates a database that is no copy of the template, and asks its coaches for nothing, like the template. */
export async function migrateClub(url: string): Promise<void> {
  await migrate(url);
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(askNothing).finally(() => client.end());
}
