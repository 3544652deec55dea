-- Addresses of coaches' pages by name, such as /coaches/jo-smith (docs/decisions/0099). A coach keeps every address they
-- have had, so that old links redirect and nobody else gets them. Triggers give the addresses: the version before this
-- migration adds and renames coaches too. A name is personal data, so erasure deletes the rows.
create or replace function coach_address_is_reserved(address text) returns boolean
language sql immutable parallel safe as $$
  select address in ('all', 'apply', 'join', 'me', 'near', 'new', 'nobody', 'search', 'sitemap')
    -- Ids also lead to a coach's page.
    or address ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
$$;

create table if not exists coach_addresses (
  address text primary key constraint coach_addresses_address_form check (
    address ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(address) <= 80 and not coach_address_is_reserved(address)
  ),
  coach_id uuid not null constraint coach_addresses_coach_exists references coaches on delete restrict,
  created_at timestamptz not null default now(),
  constraint coach_addresses_owner unique (address, coach_id)
);
create index if not exists coach_addresses_coach on coach_addresses (coach_id);

-- A name in the letters of an address: without accents and apostrophes, words joined by hyphens. A name in another
-- script has no such letters and becomes "coach".
create or replace function write_coach_address(public_name text) returns text
language sql immutable parallel safe as $$
  select coalesce(nullif(trim('-' from left(trim('-' from regexp_replace(lower(regexp_replace(
    normalize(
      replace(replace(replace(replace(replace(
        translate(public_name, 'ŁłØøĐđÐðı', 'LlOoDdDdi'),
        'ß', 'ss'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
      NFKD),
    '[\u0300-\u036f''’]', '', 'g')), '[^a-z0-9]+', '-', 'g')), 60)), ''), 'coach')
$$;

-- Returns the address that the coach has from now on. Of two coaches with one name, the primary key decides who gets the
-- address without a number; the other waits for the first and takes the next number. A coach who returns to an earlier
-- name gets its address back. At most 20 addresses, so that nobody collects names: then the coach keeps the present one,
-- and the result is null.
create or replace function claim_coach_address(coach uuid, public_name text) returns text
language plpgsql as $$
declare
  base text := write_coach_address(public_name);
  candidate text;
  may_add boolean := (select count(*) < 20 from coach_addresses where coach_id = coach);
begin
  for number in 1..60 loop
    candidate := case
      when number = 1 then base
      when number <= 50 then base || '-' || number
      else base || '-' || left(md5(gen_random_uuid()::text), 8)
    end;
    continue when coach_address_is_reserved(candidate);
    if may_add then
      insert into coach_addresses (address, coach_id) values (candidate, coach) on conflict do nothing;
    end if;
    if exists (select from coach_addresses where address = candidate and coach_id = coach) then
      return candidate;
    end if;
  end loop;
  return null;
end $$;

-- commit
-- The present address. Lists read it with the name; null for people who have never been coaches.
alter table profiles add column if not exists coach_address text;

create or replace function renew_coach_address() returns trigger language plpgsql as $$
begin
  if new.deleted_at is not null and old.deleted_at is null then
    new.coach_address := null;
    delete from coach_addresses where coach_id = new.user_id;
  elsif new.coach_address is not null and coach_public_name(new) is distinct from coach_public_name(old) then
    new.coach_address := coalesce(claim_coach_address(new.user_id, coach_public_name(new)), new.coach_address);
  end if;
  return new;
end $$;
create or replace trigger profiles_renew_coach_address before update on profiles for each row
  execute function renew_coach_address();

create or replace function give_coach_address() returns trigger language plpgsql as $$
begin
  update profiles set coach_address = claim_coach_address(user_id, coach_public_name(profiles))
    where user_id = new.coach_id and deleted_at is null and coach_address is null;
  return null;
end $$;
create or replace trigger coaches_give_address after insert on coaches for each row
  execute function give_coach_address();

-- commit
-- Coaches from before the triggers, the earliest first.
do $$
declare
  coach uuid;
begin
  for coach in
    select coach_id from coaches join profiles on user_id = coach_id
    where deleted_at is null and coach_address is null order by coaches.created_at, coach_id
  loop
    update profiles set coach_address = claim_coach_address(user_id, coach_public_name(profiles))
      where user_id = coach and deleted_at is null and coach_address is null;
    commit;
  end loop;
end $$;

-- commit
-- Deferred, because erasure deletes the addresses and empties the profile in one transaction, in any order.
alter table profiles
  drop constraint if exists profiles_coach_address_own,
  add constraint profiles_coach_address_own foreign key (coach_address, user_id)
    references coach_addresses (address, coach_id) deferrable initially deferred not valid,
  drop constraint if exists profiles_deleted_has_no_coach_address,
  add constraint profiles_deleted_has_no_coach_address
    check (deleted_at is null or coach_address is null) not valid;

-- commit
alter table profiles validate constraint profiles_coach_address_own;
alter table profiles validate constraint profiles_deleted_has_no_coach_address;
