-- The trust file: what a coach has shown about checks and documents, which of them the club asks for, and what follows
-- for the coach's lessons.
-- A club that has coaches already goes on as before, until an admin chooses what it asks for. First of all, so that
-- nobody is hidden while this migration runs.
insert into site_settings (key, value)
select 'verification_policy', jsonb_object_agg(kind, jsonb_build_object('askedOf', 'nobody', 'effect', 'badge'))
from unnest(array['criminal_record_check', 'safeguarding', 'insurance', 'first_aid', 'licence']) kind
where exists (select from coaches)
having count(*) > 0
on conflict (key) do nothing;

-- commit
alter table locations
  -- The coach states the nation, because border postcodes lie in two. Null: not stated.
  add column if not exists nation text
    constraint locations_nation_known check (nation in ('england', 'scotland', 'wales', 'northern_ireland'));

-- commit
alter table coaches
  -- The last London day on which the coach's lessons can be booked; `infinity` where nothing that the club asks for ends.
  add column if not exists listed_until date not null default 'infinity',
  -- What lists read. The job of 00:05 brings it up to date; the statement that takes a seat reads listed_until.
  add column if not exists is_listed boolean not null default true,
  -- The last day on which the coach can teach under-18s: with each kind of criminal record check, and in every nation
  -- that the coach's locations state, which is what counts for a lesson without a location.
  add column if not exists minors_until_dbs date not null default 'infinity',
  add column if not exists minors_until_pvg date not null default 'infinity',
  add column if not exists minors_until_access_ni date not null default 'infinity',
  add column if not exists minors_until date not null default 'infinity',
  -- When the person stopped being a coach; null for a coach.
  add column if not exists inactive_since timestamptz;
update coaches set inactive_since = now() where not is_active and inactive_since is null;

-- commit
create index if not exists coaches_hidden on coaches (coach_id) where (not (is_active and is_listed));

-- commit
create or replace function date_inactive_coach() returns trigger language plpgsql as $$
begin
  new.inactive_since := case when new.is_active then null else now() end;
  return new;
end $$;
create or replace trigger coaches_date_inactive before update of is_active on coaches
  for each row when (old.is_active <> new.is_active) execute function date_inactive_coach();

-- commit
-- Bytes in private buckets are encrypted with a key of their own, which DATA_KEY encrypts. Null: not encrypted.
alter table storage_objects add column if not exists key_encrypted text;

-- commit
do $$ begin
  if not exists (select from pg_constraint where conname = 'storage_objects_content_of_object') then
    alter table storage_objects add constraint storage_objects_content_of_object unique (object_id, content_id);
  end if;
end $$;

-- commit
create table if not exists update_service_consents (
  consent_id uuid primary key default gen_random_uuid(),
  coach_id uuid not null constraint update_service_consents_coach_exists references coaches on delete restrict,
  -- The version of the text that the coach agreed to (src/domain/verification/update-service.ts).
  text_version integer not null constraint update_service_consents_version_positive check (text_version > 0),
  given_at timestamptz not null default now(),
  withdrawn_at timestamptz
);
create unique index if not exists update_service_consents_one_open on update_service_consents (coach_id)
  where withdrawn_at is null;
create index if not exists update_service_consents_coach on update_service_consents (coach_id);

create table if not exists coach_documents (
  document_id uuid primary key default gen_random_uuid(),
  coach_id uuid not null constraint coach_documents_coach_exists references coaches on delete restrict,
  kind text not null constraint coach_documents_kind_known
    check (kind in ('criminal_record_check', 'safeguarding', 'insurance', 'first_aid', 'licence')),
  -- Of criminal record checks only. DBS: England and Wales; PVG: Scotland; AccessNI: Northern Ireland.
  scheme text constraint coach_documents_scheme_known check (scheme in ('dbs', 'pvg', 'access_ni')),
  level text constraint coach_documents_level_known
    check (level in ('basic', 'standard', 'enhanced', 'enhanced_barred', 'pvg')),
  workforce text constraint coach_documents_workforce_known
    check (workforce in ('child', 'adult', 'child_and_adult', 'other')),
  -- Who issued a document that isn't a criminal record check.
  issuer text constraint coach_documents_issuer_length check (length(trim(issuer)) between 1 and 120),
  number_encrypted text not null,
  issued_on date not null,
  -- A criminal record check has no end, but a day by which the club looks again.
  valid_until date,
  recheck_on date,
  ends_on date not null generated always as (coalesce(valid_until, recheck_on)) stored,
  counts_for_minors boolean not null generated always as (
    kind <> 'criminal_record_check'
    or (level in ('enhanced', 'enhanced_barred', 'pvg') and workforce in ('child', 'child_and_adult'))) stored,
  method text constraint coach_documents_method_known
    check (method in ('file', 'original_in_person', 'original_by_video', 'update_service', 'governing_body')),
  status text not null constraint coach_documents_status_known
    check (status in ('submitted', 'accepted', 'declined', 'replaced')),
  decline_reason text constraint coach_documents_decline_reason_length
    check (length(trim(decline_reason)) between 1 and 300),
  file_object_id uuid constraint coach_documents_file_once unique,
  file_content_id uuid,
  submitted_at timestamptz not null default now(),
  checked_by uuid constraint coach_documents_checked_by_exists references profiles (user_id) on delete restrict,
  checked_at timestamptz,
  -- When it was declined or replaced; it is deleted 30 days later.
  closed_at timestamptz,
  constraint coach_documents_check_is_described check (case when kind = 'criminal_record_check'
    then scheme is not null and level is not null and workforce is not null
      and (scheme = 'pvg') = (level = 'pvg') and recheck_on is not null and valid_until is null
    else scheme is null and level is null and workforce is null and issuer is not null
      and valid_until is not null and recheck_on is null end),
  -- A picture of a certificate proves nothing, and its content must not be stored anywhere: no file, no free text.
  constraint coach_documents_check_has_no_file_or_text check (kind <> 'criminal_record_check'
    or (file_object_id is null and issuer is null and decline_reason is null)),
  constraint coach_documents_check_is_recorded_decided
    check (kind <> 'criminal_record_check' or status <> 'submitted'),
  constraint coach_documents_update_service_is_dbs check (method <> 'update_service' or scheme = 'dbs'),
  constraint coach_documents_method_of_kind
    check (kind <> 'criminal_record_check' or method <> 'file'),
  constraint coach_documents_decided_by_an_admin check (case when status = 'submitted'
    then checked_by is null and checked_at is null and method is null
    else status = 'replaced' or (checked_by is not null and checked_at is not null) end),
  constraint coach_documents_accepted_has_method check (status <> 'accepted' or method is not null),
  constraint coach_documents_closed_when_over check ((status in ('declined', 'replaced')) = (closed_at is not null)),
  constraint coach_documents_ends_after_issue check (coalesce(valid_until, recheck_on) >= issued_on),
  constraint coach_documents_file_whole check ((file_object_id is null) = (file_content_id is null)),
  -- The bytes that an admin accepted stay: a coach can neither replace nor remove them.
  constraint coach_documents_file_kept foreign key (file_object_id, file_content_id)
    references storage_objects (object_id, content_id) on delete restrict on update restrict
);
create unique index if not exists coach_documents_one_submitted on coach_documents (coach_id, kind)
  where status = 'submitted';
create index if not exists coach_documents_coach on coach_documents (coach_id, kind);
create index if not exists coach_documents_waiting on coach_documents (submitted_at, document_id)
  where status = 'submitted';
create index if not exists coach_documents_ending on coach_documents (ends_on) where status = 'accepted';
create index if not exists coach_documents_closed on coach_documents (closed_at) where closed_at is not null;
create index if not exists coach_documents_checker on coach_documents (checked_by);

-- commit
-- The Update Service may be asked only with the coach's consent at that time.
create or replace function assert_update_service_consent() returns trigger language plpgsql as $$
begin
  perform from update_service_consents
  where coach_id = new.coach_id and withdrawn_at is null for key share;
  if not found then
    raise exception using errcode = 'check_violation', constraint = 'coach_documents_update_service_has_consent',
      message = 'The coach has not agreed to the Update Service.';
  end if;
  return new;
end $$;
create or replace trigger coach_documents_update_service_has_consent
  before insert or update of method, checked_at on coach_documents
  for each row when (new.method = 'update_service' and new.status = 'accepted')
  execute function assert_update_service_consent();

-- A document's file goes with the document.
create or replace function remove_document_file() returns trigger language plpgsql as $$
begin
  delete from storage_objects where object_id = old.file_object_id;
  return null;
end $$;
create or replace trigger coach_documents_remove_file after delete on coach_documents
  for each row when (old.file_object_id is not null) execute function remove_document_file();

-- Reminders that were sent, so that each is sent once.
create table if not exists document_reminders (
  document_id uuid not null constraint document_reminders_document_exists references coach_documents on delete cascade,
  days_before integer not null constraint document_reminders_days_range check (days_before between 0 and 60),
  -- The end that the reminder was about: a later end gets its own reminders.
  ends_on date not null,
  sent_at timestamptz not null default now(),
  primary key (document_id, ends_on, days_before)
);

-- Addresses of files that admins asked for. Each works once, within a minute.
create table if not exists document_openings (
  opening_id uuid primary key default gen_random_uuid(),
  document_id uuid not null constraint document_openings_document_exists references coach_documents on delete cascade,
  opened_by uuid not null constraint document_openings_opened_by_exists references profiles (user_id) on delete restrict,
  opened_at timestamptz not null default now(),
  used_at timestamptz
);
create index if not exists document_openings_document on document_openings (document_id);
create index if not exists document_openings_admin on document_openings (opened_by);
create index if not exists document_openings_over on document_openings (opened_at);

-- Coaches whose lessons left the lists, and when everybody concerned was notified of the lessons that stay booked.
create table if not exists coach_hidings (
  coach_id uuid not null constraint coach_hidings_coach_exists references coaches on delete restrict,
  hidden_on date not null,
  notified_at timestamptz not null default now(),
  primary key (coach_id, hidden_on)
);

-- commit
-- What the club asks for, by kind. The defaults are those of src/domain/settings/verification-policy.ts.
create or replace function verification_policy() returns jsonb language sql stable parallel safe as $$
  select jsonb_build_object(
    'criminal_record_check', jsonb_build_object('askedOf', 'under_18s', 'effect', 'hidden'),
    'safeguarding', jsonb_build_object('askedOf', 'under_18s', 'effect', 'hidden'),
    'insurance', jsonb_build_object('askedOf', 'all', 'effect', 'hidden'),
    'first_aid', jsonb_build_object('askedOf', 'all', 'effect', 'badge'),
    'licence', jsonb_build_object('askedOf', 'all', 'effect', 'badge')
  ) || coalesce((select value from site_settings
    where key = 'verification_policy' and jsonb_typeof(value) = 'object'), '{}')
$$;

-- The last day that a coach's accepted documents of a kind cover without a gap, from today; -infinity if none does. A
-- document that begins the day after another ends continues it.
create or replace function document_end(coach uuid, of_kind text, of_scheme text, for_minors boolean)
returns date language sql stable parallel safe as $$
  with accepted as materialized (
    select issued_on, ends_on from coach_documents
    where coach_id = coach and kind = of_kind and status = 'accepted'
      and (of_scheme is null or scheme = of_scheme) and (counts_for_minors or not for_minors)
  ), current_end as (
    select max(ends_on) as ends_on from accepted where issued_on <= (now() at time zone 'Europe/London')::date
  )
  select coalesce(
    (select greatest(current_end.ends_on, max(accepted.ends_on)) from accepted
      where accepted.issued_on <= current_end.ends_on + 1),
    '-infinity')
  from current_end
$$;

-- Whether a coach offers lessons that under-18s can book: a template without a lower age limit of 18 is one.
create or replace function teaches_minors(coach uuid) returns boolean language sql stable parallel safe as $$
  select exists (
    select from lesson_templates where coach_id = coach and deleted_at is null and coalesce(min_age, 0) < 18)
$$;

create or replace function scheme_of_nation(nation text) returns text language sql immutable parallel safe as $$
  select case nation when 'england' then 'dbs' when 'wales' then 'dbs' when 'scotland' then 'pvg'
    when 'northern_ireland' then 'access_ni' end
$$;

-- The last day that a coach's documents of a kind cover. A criminal record check counts in its own nations, so a coach
-- with locations in several needs one for each; a coach who states none needs any.
create or replace function kind_end(coach uuid, of_kind text) returns date language sql stable parallel safe as $$
  select case when of_kind = 'criminal_record_check' and count(*) > 0
    then min(document_end(coach, of_kind, stated.scheme, teaches_minors(coach)))
    else document_end(coach, of_kind, null, teaches_minors(coach)) end
  from (select distinct scheme_of_nation(nation) as scheme from locations
    where coach_id = coach and deleted_at is null and nation is not null) stated
$$;

-- Until when a coach is listed and can teach under-18s under a policy.
create or replace function coach_clearance(coach uuid, policy jsonb, out listed_until date, out minors_until_dbs date,
  out minors_until_pvg date, out minors_until_access_ni date, out minors_until date)
language plpgsql stable as $$
declare
  is_for_minors boolean := teaches_minors(coach);
  stated text[] := array(select distinct scheme_of_nation(nation) from locations
    where coach_id = coach and deleted_at is null and nation is not null);
  asks_check boolean := policy -> 'criminal_record_check' ->> 'askedOf' <> 'nobody';
  dbs date := 'infinity';
  pvg date := 'infinity';
  access_ni date := 'infinity';
  others date := 'infinity';
  asked record;
begin
  listed_until := 'infinity';
  for asked in select key as kind, value ->> 'askedOf' as asked_of, value ->> 'effect' as effect
    from jsonb_each(policy)
  loop
    continue when asked.effect <> 'hidden'
      or not (asked.asked_of = 'all' or (asked.asked_of = 'under_18s' and is_for_minors));
    listed_until := least(listed_until, kind_end(coach, asked.kind));
  end loop;
  if asks_check then
    dbs := document_end(coach, 'criminal_record_check', 'dbs', true);
    pvg := document_end(coach, 'criminal_record_check', 'pvg', true);
    access_ni := document_end(coach, 'criminal_record_check', 'access_ni', true);
  end if;
  if policy -> 'safeguarding' ->> 'askedOf' <> 'nobody' then
    others := document_end(coach, 'safeguarding', null, true);
  end if;
  minors_until_dbs := least(dbs, others);
  minors_until_pvg := least(pvg, others);
  minors_until_access_ni := least(access_ni, others);
  minors_until := case
    when not asks_check then others
    when cardinality(stated) = 0 then '-infinity'
    else least(others, case when 'dbs' = any(stated) then dbs end, case when 'pvg' = any(stated) then pvg end,
      case when 'access_ni' = any(stated) then access_ni end) end;
end $$;

-- Writes a coach's clearance. The row is locked first, so that of two concurrent changes the later one sees both.
create or replace function renew_clearance(coach uuid) returns void language plpgsql as $$
begin
  perform from coaches where coach_id = coach for no key update;
  update coaches set listed_until = clear.listed_until, minors_until_dbs = clear.minors_until_dbs,
    minors_until_pvg = clear.minors_until_pvg, minors_until_access_ni = clear.minors_until_access_ni,
    minors_until = clear.minors_until,
    is_listed = clear.listed_until >= (now() at time zone 'Europe/London')::date
  from coach_clearance(coach, verification_policy()) clear
  where coach_id = coach
    and (coaches.listed_until, coaches.minors_until_dbs, coaches.minors_until_pvg, coaches.minors_until_access_ni,
      coaches.minors_until, coaches.is_listed)
      is distinct from (clear.listed_until, clear.minors_until_dbs, clear.minors_until_pvg,
        clear.minors_until_access_ni, clear.minors_until,
        clear.listed_until >= (now() at time zone 'Europe/London')::date);
end $$;

-- The last day on which a coach can teach under-18s at a location, or at one still to be agreed. A location whose
-- nation is not stated needs the checks of every nation.
create or replace function minors_until_at(coach coaches, location_id uuid, nation text) returns date
language sql immutable parallel safe as $$
  select case
    when location_id is null then coach.minors_until
    when nation in ('england', 'wales') then coach.minors_until_dbs
    when nation = 'scotland' then coach.minors_until_pvg
    when nation = 'northern_ireland' then coach.minors_until_access_ni
    else least(coach.minors_until_dbs, coach.minors_until_pvg, coach.minors_until_access_ni) end
$$;

-- commit
create or replace function renew_clearance_of_row() returns trigger language plpgsql as $$
begin
  perform renew_clearance(coalesce(new.coach_id, old.coach_id));
  return null;
end $$;
create or replace trigger coaches_clearance after insert on coaches
  for each row execute function renew_clearance_of_row();
create or replace trigger coach_documents_clearance after insert or update or delete on coach_documents
  for each row execute function renew_clearance_of_row();

-- commit
create or replace trigger lesson_templates_clearance after insert or update of min_age, deleted_at on lesson_templates
  for each row execute function renew_clearance_of_row();

-- commit
create or replace trigger locations_clearance after insert or update of nation, deleted_at on locations
  for each row execute function renew_clearance_of_row();

-- commit
-- Open pages of the coach and of admins.
create or replace function record_document() returns trigger language plpgsql as $$
begin
  perform record_change('coach', coalesce(new.coach_id, old.coach_id)::text, 'documents');
  perform record_change('admin', 'documents');
  return null;
end $$;
create or replace trigger coach_documents_record_change after insert or update or delete on coach_documents
  for each row execute function record_document();
create or replace trigger update_service_consents_record_change after insert or update or delete
  on update_service_consents for each row execute function record_document();
create or replace function record_listing() returns trigger language plpgsql as $$
begin
  perform record_change('coach', new.coach_id::text, 'documents');
  perform record_change('admin', 'documents');
  return null;
end $$;
create or replace trigger coaches_record_listing after update on coaches
  for each row when (old.is_listed <> new.is_listed) execute function record_listing();

