-- What no area owns: extensions, the audit log, the counters of rate limits and the health check.

-- uuid columns in exclusion constraints.
create extension if not exists btree_gist;
-- Searches for any part of a name or a text.
create extension if not exists pg_trgm;

-- Audit events: who did what to which record. Each is written in the transaction of the change itself. Events about
-- personal data name the fields that changed, not their values.
create table audit_log (
  audit_id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_user_id uuid,
  -- The job or command that acted, if no person did.
  actor_system text,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  constraint audit_log_has_one_actor check ((actor_user_id is null) <> (actor_system is null))
);
-- Every list of the admin's audit log walks one of these from the newest event on.
create index audit_log_actor on audit_log (actor_user_id, audit_id);
create index audit_log_actor_type on audit_log (actor_user_id, subject_type, audit_id);
create index audit_log_subject_id on audit_log (subject_id, audit_id);
create index audit_log_subject_type on audit_log (subject_type, audit_id);
-- Finds the first and last event of a period, and those that the cleanup job deletes.
create index audit_log_at on audit_log (at);

-- The audit log is append-only for as long as it is kept (personal-data-of-platform.ts): no event is ever changed, and
-- only an older one can be deleted.
create function refuse_change_before_expiry() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < now() - interval '6 years' then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger audit_log_is_append_only before delete or update on audit_log
  for each row execute function refuse_change_before_expiry();

-- Counted calls (http/rate-limit.ts), in the database so that a limit holds for all processes together. Unlogged: after
-- a crash of the database every count starts again. `expires_at_ms` is in milliseconds since 1970.
create unlogged table rate_limits (
  key varchar(255) primary key,
  calls integer not null default 0,
  expires_at_ms bigint
);
create index rate_limits_expiring on rate_limits (expires_at_ms);

-- One row, for what every process needs to know about the others.
create table health (
  is_only_row boolean primary key default true constraint health_has_one_row check (is_only_row),
  -- Rewritten by every health check, which proves that the database can be written to.
  proven_at timestamptz not null default now(),
  -- When any process last finished a payment sweep. Payments whose response was lost stay unsettled without one.
  swept_at timestamptz not null default now(),
  -- Until when the card network's list of events was read for missed ones. It keeps events for 30 days.
  events_read_until timestamptz not null default now() - interval '30 days',
  -- Until when the books agree with the card network's ledger. The next audit starts there.
  books_compared_at timestamptz
);
insert into health default values;

-- Writes a row and some kilobytes of temporary files, so that a full disk is noticed even while the row itself still
-- has space on an existing page.
create function prove_health() returns void language plpgsql
  set work_mem = '64kB'
as $$
begin
  update health set proven_at = now();
  perform count(*)
  from (select repeat(md5(n::text), 8) as filler from generate_series(1, 1500) n order by 1) as spilled;
end $$;
