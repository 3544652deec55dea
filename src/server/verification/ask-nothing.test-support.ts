import { Client } from 'pg';
import { migrate } from '#server/platform/db/migrate.ts';

/**
 * SQL that makes a club require no checks or documents. Tests and benchmarks use it; tests of checks set their own
 * policy.
 */
export const askNothing = `
  insert into site_settings (key, value)
  select 'verification_policy', jsonb_object_agg(kind, jsonb_build_object('askedOf', 'nobody', 'effect', 'badge'))
  from unnest(array['criminal_record_check', 'safeguarding', 'insurance', 'first_aid', 'licence']) kind
  on conflict (key) do update set value = excluded.value;
  select renew_clearance(coach_id) from coaches`;

/**
 * Migrates a database that isn't a copy of the template, and makes it require nothing of coaches, as in the
 * template.
 */
export async function migrateClub(url: string): Promise<void> {
  await migrate(url);
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(askNothing).finally(() => client.end());
}
