create extension if not exists btree_gist;
create extension if not exists pg_trgm;

-- Who did what, written in the transaction of the event itself.
create table audit_log (
  audit_id bigint generated always as identity primary key,
  at timestamptz not null default now(),
  actor_user_id uuid,
  actor_system text,
  action text not null,
  subject_type text not null,
  subject_id text not null,
  before jsonb,
  after jsonb,
  check ((actor_user_id is null) <> (actor_system is null))
);
create index audit_log_subject on audit_log (subject_type, subject_id, audit_id);
create index audit_log_actor on audit_log (actor_user_id, audit_id);

-- Rate limits live here so that they hold across processes. The columns are those of rate-limiter-flexible.
create unlogged table rate_limits (
  key varchar(255) primary key,
  points integer not null default 0,
  expire bigint
);
create index rate_limits_expire on rate_limits (expire);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

create trigger audit_log_is_append_only before update or delete on audit_log
  for each row execute function refuse_change();
