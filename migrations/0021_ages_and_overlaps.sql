-- A participant has one active booking of a lesson, and no two lessons at one time, by any guardian. Brothers and sisters
-- may share both. The names stay, because the version before this migration knows them.
create unique index if not exists bookings_one_active_per_participant on bookings (slot_id, participant_id)
  where (is_active);

-- commit
-- In a transaction of its own: one that locks out writers first and then readers deadlocks with a request that reads
-- and then writes.
drop index if exists bookings_one_active_per_slot;
alter index bookings_one_active_per_participant rename to bookings_one_active_per_slot;

-- commit
alter table bookings
  drop constraint if exists bookings_customer_never_overlap,
  add constraint bookings_customer_never_overlap exclude using gist (
    participant_id with =, during with &&
  ) where (is_active);

-- commit
-- The bookings of dependants. Those for oneself are found by their customer.
create index if not exists bookings_dependant on bookings (participant_id, created_at desc, booking_id desc)
  where (participant_id <> customer_user_id);

-- commit
-- The ages for which a lesson is meant, in years, and the date on which they count (domain/catalogue/ages.ts). A slot
-- keeps the range that it was published with.
alter table lesson_templates
  add column if not exists min_age smallint
    constraint lesson_templates_min_age_range check (min_age between 0 and 120),
  add column if not exists max_age smallint
    constraint lesson_templates_max_age_range check (max_age between 0 and 120),
  add column if not exists age_date text not null default 'day'
    constraint lesson_templates_age_date_known check (age_date in ('day', 'aug31', 'dec31')),
  drop constraint if exists lesson_templates_ages_in_order,
  add constraint lesson_templates_ages_in_order check (min_age <= max_age);

-- commit
alter table lesson_slots
  add column if not exists min_age smallint
    constraint lesson_slots_min_age_range check (min_age between 0 and 120),
  add column if not exists max_age smallint
    constraint lesson_slots_max_age_range check (max_age between 0 and 120),
  add column if not exists age_date text not null default 'day'
    constraint lesson_slots_age_date_known check (age_date in ('day', 'aug31', 'dec31')),
  drop constraint if exists lesson_slots_ages_in_order,
  add constraint lesson_slots_ages_in_order check (min_age <= max_age);

-- commit
-- A request to let one participant into the lessons of a template although their age is outside its range.
create table if not exists age_requests (
  age_request_id uuid primary key default gen_random_uuid(),
  template_id uuid not null constraint age_requests_template_exists references lesson_templates on delete cascade,
  participant_id uuid not null constraint age_requests_participant_exists references participants on delete restrict,
  asked_by uuid not null constraint age_requests_asked_by_exists references profiles (user_id) on delete restrict,
  status text not null default 'asked'
    constraint age_requests_status_known check (status in ('asked', 'allowed', 'declined')),
  asked_at timestamptz not null default now(),
  decided_at timestamptz,
  constraint age_requests_once unique (template_id, participant_id),
  constraint age_requests_decided_unless_asked check ((status = 'asked') = (decided_at is null))
);
create index if not exists age_requests_participant on age_requests (participant_id);
create index if not exists age_requests_asked_by on age_requests (asked_by);
