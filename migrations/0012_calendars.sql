-- SEQUENCE of a lesson's calendar event (RFC 5545, 3.8.7.4): calendar programs ignore an event with a lower one than
-- they have. A booking's event has the booking's id, a coach's event the slot's.
alter table bookings
  add column sequence integer not null default 0,
  -- Whether an invitation was emailed. If so, its updates and cancellation are emailed even while a feed is in use.
  add column is_invited boolean not null default false;
alter table lesson_slots
  add column sequence integer not null default 0,
  -- Null for lessons cancelled before this column existed.
  add column cancelled_at timestamptz;

create function raise_sequence() returns trigger language plpgsql as $$
begin
  new.sequence := old.sequence + 1;
  return new;
end $$;
create trigger bookings_raise_sequence before update of during, location, changed_to, status on bookings
  for each row when (
    old.during <> new.during or old.location is distinct from new.location
    or old.changed_to is distinct from new.changed_to
    or (old.is_active and new.status in ('cancelled', 'refunded'))
  ) execute function raise_sequence();
-- Taking a seat sets none of these columns.
create trigger lesson_slots_raise_sequence before update of start_time, end_time, location_id, status on lesson_slots
  for each row when (
    old.start_time <> new.start_time or old.end_time <> new.end_time
    or old.location_id is distinct from new.location_id
    or (old.status <> 'cancelled' and new.status = 'cancelled')
  ) execute function raise_sequence();

create function refuse_lower_sequence() returns trigger language plpgsql as $$
begin
  raise exception 'the sequence of a calendar event only rises' using errcode = 'restrict_violation';
end $$;
-- PostgreSQL runs triggers in the order of their names: these after the ones above.
create trigger bookings_sequence_only_rises before update of sequence on bookings
  for each row when (new.sequence < old.sequence) execute function refuse_lower_sequence();
create trigger lesson_slots_sequence_only_rises before update of sequence on lesson_slots
  for each row when (new.sequence < old.sequence) execute function refuse_lower_sequence();

create function date_slot_cancellation() returns trigger language plpgsql as $$
begin
  new.cancelled_at := now();
  return new;
end $$;
create trigger lesson_slots_date_cancellation before update of status on lesson_slots
  for each row when (old.status <> 'cancelled' and new.status = 'cancelled') execute function date_slot_cancellation();

-- An address at which a calendar program reads a person's lessons: those booked (`customer`) or given (`coach`). The
-- token in the address is stored only as a hash. Creating another address revokes the earlier one.
create table calendar_feeds (
  feed_id uuid primary key default gen_random_uuid(),
  user_id uuid not null constraint calendar_feeds_person_exists references profiles (user_id) on delete cascade,
  scope text not null constraint calendar_feeds_scope_known check (scope in ('customer', 'coach')),
  token_hash bytea not null constraint calendar_feeds_token_hash_unique unique,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  -- The last time at which a program read the feed, to within ten minutes.
  read_at timestamptz
);
create unique index calendar_feeds_one_in_use on calendar_feeds (user_id, scope) where (revoked_at is null);
create index calendar_feeds_person on calendar_feeds (user_id);
