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
