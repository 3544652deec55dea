create table locations (
  location_id uuid primary key default gen_random_uuid(),
  coach_id uuid not null references coaches on delete restrict,
  name text not null check (length(trim(name)) between 1 and 120),
  address text not null check (length(address) <= 300),
  city text not null check (length(trim(city)) between 1 and 100),
  postcode text not null check (length(postcode) <= 10),
  created_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index locations_coach on locations (coach_id);
-- Discover reads places by prefix, whatever the database's own collation.
create index locations_city on locations ((lower(city) collate "C"));
create index locations_postcode on locations (postcode collate "C");

-- Discover leaves out the coaches who are not active; there are few of them.
create index coaches_inactive on coaches (coach_id) where (not is_active);

-- Deleting a template sets deleted_at: its slots and their bookings stay readable.
create table lesson_templates (
  template_id uuid primary key default gen_random_uuid(),
  coach_id uuid not null references coaches on delete restrict,
  title text not null check (length(trim(title)) between 1 and 120),
  description text not null default '' check (length(description) <= 4000),
  sport text not null default 'other' check (length(sport) <= 40),
  duration_minutes integer not null check (duration_minutes between 15 and 300),
  base_price_cents integer not null check (base_price_cents between 0 and 1000000),
  -- Prices this template had before: slots published then still stand at them.
  former_prices_cents integer[] not null default '{}',
  lesson_type text not null check (lesson_type in ('individual', 'group')),
  min_capacity integer not null,
  max_capacity integer not null,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  search tsvector generated always as (
    setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', description), 'B')
  ) stored,
  check (
    (lesson_type = 'individual' and min_capacity = 1 and max_capacity = 1)
    or (lesson_type = 'group' and min_capacity >= 2 and max_capacity between min_capacity and 20)
  )
);
create index lesson_templates_coach on lesson_templates (coach_id, created_at desc);
create index lesson_templates_sport on lesson_templates (sport);
create index lesson_templates_search on lesson_templates using gin (search);
create index lesson_templates_title on lesson_templates using gin (title gin_trgm_ops);
create index lesson_templates_description on lesson_templates using gin (description gin_trgm_ops);

-- `is_open` stands in the index predicates instead of the comparison itself, so that taking a seat touches
-- no indexed column until the last one and stays a heap-only update.
create table lesson_slots (
  slot_id uuid primary key default gen_random_uuid(),
  template_id uuid not null references lesson_templates on delete restrict,
  coach_id uuid not null references coaches on delete restrict,
  location_id uuid references locations on delete restrict,
  start_time timestamptz not null,
  end_time timestamptz not null,
  lesson_type text not null check (lesson_type in ('individual', 'group')),
  sport text not null default 'other' check (length(sport) <= 40),
  min_capacity integer not null check (min_capacity >= 1),
  max_capacity integer not null check (max_capacity between min_capacity and 20),
  price_cents integer not null check (price_cents between 0 and 1000000),
  status text not null default 'scheduled' check (status in ('scheduled', 'cancelled', 'completed')),
  booked_count integer not null default 0,
  is_open boolean not null generated always as (booked_count < max_capacity) stored,
  created_at timestamptz not null default now(),
  check (end_time > start_time and end_time <= start_time + interval '5 hours'),
  check (booked_count between 0 and max_capacity),
  constraint lesson_slots_never_overlap exclude using gist (
    coach_id with =, tstzrange(start_time, end_time) with &&
  ) where (status = 'scheduled')
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05);

create index lesson_slots_coach on lesson_slots (coach_id, start_time);
create index lesson_slots_location on lesson_slots (location_id);
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
create index lesson_slots_template on lesson_slots (template_id);
create index lesson_slots_ending on lesson_slots (end_time) where (status = 'scheduled');
