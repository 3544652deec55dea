-- Coaches whose lessons were listed and are hidden now, for whatever reason, so that everyone concerned is notified once.
create table if not exists hidden_coaches (
  coach_id uuid primary key constraint hidden_coaches_coach_exists references coaches on delete restrict,
  hidden_at timestamptz not null default now(),
  -- Admins and owners first, because they get one message about several coaches.
  admins_notified_at timestamptz,
  owner_notified_at timestamptz,
  coach_notified_at timestamptz,
  -- The lessons are listed again: the row stays until those who were notified know it.
  listed_at timestamptz
);

-- A new coach is never hidden first: the row begins with what the policy says.
create or replace function clear_new_coach() returns trigger language plpgsql as $$
begin
  select clear.listed_until, clear.minors_until_dbs, clear.minors_until_pvg, clear.minors_until_access_ni,
    clear.minors_until, clear.listed_until >= (now() at time zone 'Europe/London')::date
  into new.listed_until, new.minors_until_dbs, new.minors_until_pvg, new.minors_until_access_ni, new.minors_until,
    new.is_listed
  from coach_clearance(new.coach_id, verification_policy()) clear;
  return new;
end $$;

-- Nobody needs to know of a change that was undone before anybody was notified.
create or replace function record_hiding() returns trigger language plpgsql as $$
begin
  if new.is_active and not new.is_listed then
    insert into hidden_coaches (coach_id) values (new.coach_id)
    on conflict (coach_id) do update set listed_at = null;
  else
    delete from hidden_coaches where coach_id = new.coach_id
      and (not new.is_active or (owner_notified_at is null and coach_notified_at is null));
    update hidden_coaches set listed_at = now() where coach_id = new.coach_id;
  end if;
  return null;
end $$;

-- commit
create or replace trigger coaches_clearance before insert on coaches
  for each row execute function clear_new_coach();
-- A person who becomes a coach again learns with the role what is missing.
create or replace trigger coaches_record_hiding after update of is_active, is_listed on coaches
  for each row when (old.is_active and (new.is_active, new.is_listed) is distinct from (old.is_active, old.is_listed))
  execute function record_hiding();

-- commit
-- The former version notified only where a document had ended. Its job of 00:05 is repeated by this version.
drop table if exists coach_hidings;
