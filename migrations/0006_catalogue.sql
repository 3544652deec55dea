create table locations (
  location_id uuid primary key default gen_random_uuid(),
  coach_id uuid not null constraint locations_coach_exists references coaches on delete restrict,
  name text not null constraint locations_name_length check (length(trim(name)) between 1 and 120),
  address text not null constraint locations_address_length check (length(address) <= 300),
  city text not null constraint locations_city_length check (length(trim(city)) between 1 and 100),
  postcode text not null constraint locations_postcode_length check (length(postcode) <= 10),
  search tsvector not null
    generated always as (to_tsvector('english', name || ' ' || city || ' ' || postcode)) stored,
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index locations_coach on locations (coach_id);
-- Discover searches towns and postcodes by prefix, whatever the collation of the database.
create index locations_city on locations ((lower(city) collate "C"));
create index locations_postcode on locations (postcode collate "C");

-- A location as JSON with the fields of its contract (domain/catalogue/location.ts): all columns but those named here, in
-- camelCase. Bookings keep it. With other collations than C, the second word of location_id would stay in lower case.
create function describe_location(location locations) returns jsonb language sql stable as $$
  select jsonb_object_agg(left(key, 1) || substr(replace(initcap(key collate "C"), '_', ''), 2), value)
  from jsonb_each(to_jsonb(location) - array['coach_id', 'search', 'created_at', 'deleted_at'])
$$;

-- Deleting a template sets deleted_at: its slots and their bookings stay readable.
create table lesson_templates (
  template_id uuid primary key default gen_random_uuid(),
  coach_id uuid not null constraint lesson_templates_coach_exists references coaches on delete restrict,
  title text not null constraint lesson_templates_title_length check (length(trim(title)) between 1 and 120),
  description text not null default ''
    constraint lesson_templates_description_length check (length(description) <= 4000),
  sport text not null default 'other' constraint lesson_templates_sport_length check (length(sport) <= 40),
  duration_minutes integer not null
    constraint lesson_templates_duration_range check (duration_minutes between 15 and 300),
  lesson_type text not null
    constraint lesson_templates_lesson_type_known check (lesson_type in ('individual', 'group')),
  min_capacity integer not null,
  max_capacity integer not null,
  base_price_cents integer not null
    constraint lesson_templates_base_price_range check (base_price_cents between 0 and 1000000),
  -- Prices other than the base price at which a lesson can still be booked. Discover reads them for every visitor.
  former_prices_cents integer[] not null default '{}'
    constraint lesson_templates_former_prices_are_few check (cardinality(former_prices_cents) <= 200),
  -- What the search box of discover searches. `search` holds title, sport, coach's name and description;
  -- `search_with_locations` also names, towns and postcodes of all of the coach's locations. The second finds the
  -- templates, the first with the slot's own location decides on the slot.
  search tsvector not null default '',
  search_with_locations tsvector not null default '',
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  constraint lesson_templates_capacity_of_type check (
    (lesson_type = 'individual' and min_capacity = 1 and max_capacity = 1)
    or (lesson_type = 'group' and min_capacity >= 2 and max_capacity between min_capacity and 20)
  )
);
create index lesson_templates_coach on lesson_templates (coach_id, created_at desc);
create index lesson_templates_sport on lesson_templates (sport);
-- Discover samples the cheapest or the dearest templates to decide how to read a search.
create index lesson_templates_price on lesson_templates (base_price_cents);
create index lesson_templates_search on lesson_templates using gin (search_with_locations);
-- For searches in which no word is found.
create index lesson_templates_title on lesson_templates using gin (title gin_trgm_ops);
create index lesson_templates_description on lesson_templates using gin (description gin_trgm_ops);

create function set_template_search() returns trigger language plpgsql as $$
begin
  new.search :=
    setweight(to_tsvector('english', new.title || ' ' || new.sport), 'A')
    || setweight(to_tsvector('english', coalesce(
      (select coach_public_name(coach) from profiles coach where user_id = new.coach_id), '')), 'B')
    || setweight(to_tsvector('english', new.description), 'C');
  new.search_with_locations := new.search || to_tsvector('english', coalesce(
    (select string_agg(name || ' ' || city || ' ' || postcode, ' ') from locations where coach_id = new.coach_id), ''));
  return new;
end $$;
create trigger lesson_templates_search before insert or update of title, sport, description, coach_id
  on lesson_templates for each row execute function set_template_search();

-- Setting a title to itself makes the trigger above write the search columns again.
create function renew_search_of_coach() returns trigger language plpgsql as $$
declare
  changed jsonb := to_jsonb(coalesce(new, old));
begin
  update lesson_templates set title = title
    where coach_id = coalesce(changed ->> 'coach_id', changed ->> 'user_id')::uuid;
  return null;
end $$;
create trigger profiles_search after update on profiles for each row
  when (coach_public_name(old) is distinct from coach_public_name(new)) execute function renew_search_of_coach();
create trigger locations_search after insert or delete or update of name, city, postcode on locations
  for each row execute function renew_search_of_coach();

-- A published lesson, with type, sport, capacity and price of its template. Taking a seat is one conditional update of
-- booked_count. The predicates of the indexes name `is_open` instead of the comparison: so that update touches no
-- indexed column until the last seat, and stays a heap-only update. The fillfactor leaves space for it.
create table lesson_slots (
  slot_id uuid primary key default gen_random_uuid(),
  template_id uuid not null constraint lesson_slots_template_exists references lesson_templates on delete restrict,
  coach_id uuid not null constraint lesson_slots_coach_exists references coaches on delete restrict,
  location_id uuid constraint lesson_slots_location_exists references locations on delete restrict,
  start_time timestamptz not null,
  end_time timestamptz not null,
  lesson_type text not null
    constraint lesson_slots_lesson_type_known check (lesson_type in ('individual', 'group')),
  sport text not null default 'other' constraint lesson_slots_sport_length check (length(sport) <= 40),
  min_capacity integer not null constraint lesson_slots_min_capacity_positive check (min_capacity >= 1),
  max_capacity integer not null,
  booked_count integer not null default 0,
  is_open boolean not null generated always as (booked_count < max_capacity) stored,
  price_cents integer not null constraint lesson_slots_price_range check (price_cents between 0 and 1000000),
  status text not null default 'scheduled'
    constraint lesson_slots_status_known check (status in ('scheduled', 'cancelled', 'completed')),
  -- The coach's sentence to everybody who had booked: "Rain".
  cancellation_reason text
    constraint lesson_slots_cancellation_reason_length check (length(trim(cancellation_reason)) between 1 and 200),
  created_at timestamptz not null default now(),
  constraint lesson_slots_lasts_up_to_five_hours
    check (end_time > start_time and end_time <= start_time + interval '5 hours'),
  constraint lesson_slots_max_capacity_range check (max_capacity between min_capacity and 20),
  constraint lesson_slots_seats_within_capacity check (booked_count between 0 and max_capacity),
  constraint lesson_slots_cancelled_has_no_bookings check (status <> 'cancelled' or booked_count = 0),
  constraint lesson_slots_cancellation_reason_only_if_cancelled
    check (cancellation_reason is null or status = 'cancelled'),
  constraint lesson_slots_never_overlap exclude using gist (
    coach_id with =, tstzrange(start_time, end_time) with &&
  ) where (status = 'scheduled')
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);
create index lesson_slots_template on lesson_slots (template_id);
create index lesson_slots_coach on lesson_slots (coach_id, start_time);
create index lesson_slots_location on lesson_slots (location_id);
create index lesson_slots_ending on lesson_slots (end_time) where (status = 'scheduled');
create index lesson_slots_completed on lesson_slots (start_time) where (status = 'completed');
-- Discover: one index per sort order, by itself and within a type, a sport or a template.
create index lesson_slots_open_by_time on lesson_slots (start_time, slot_id)
  include (template_id, location_id) where (status = 'scheduled' and is_open);
create index lesson_slots_open_by_type_time on lesson_slots (lesson_type, start_time, slot_id)
  include (template_id, location_id) where (status = 'scheduled' and is_open);
create index lesson_slots_open_by_sport_time on lesson_slots (sport, start_time, slot_id)
  include (template_id, location_id, lesson_type) where (status = 'scheduled' and is_open);
create index lesson_slots_open_by_price on lesson_slots (price_cents, start_time, slot_id)
  include (template_id, location_id) where (status = 'scheduled' and is_open);
create index lesson_slots_open_by_type_price on lesson_slots (lesson_type, price_cents, start_time, slot_id)
  include (template_id, location_id) where (status = 'scheduled' and is_open);
create index lesson_slots_open_by_sport_price on lesson_slots (sport, price_cents, start_time, slot_id)
  include (template_id, location_id, lesson_type) where (status = 'scheduled' and is_open);
create index lesson_slots_open_by_template on lesson_slots (template_id, start_time, slot_id)
  include (lesson_type, price_cents, location_id) where (status = 'scheduled' and is_open);
