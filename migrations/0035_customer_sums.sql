-- Figures that count a whole history are sums of closed months plus what came since (docs/decisions/0108). Nothing is
-- closed by this file: until the job `bookings.month-ended` has run, the figures are counted as before.
create table if not exists closed_sums (
  name text primary key constraint closed_sums_name_known check (name in ('customer_coaches')),
  -- Facts before this instant are in the sums, later ones are not.
  until timestamptz not null default '-infinity'
);
insert into closed_sums (name) values ('customer_coaches') on conflict do nothing;

-- A customer's lessons with a coach that began in closed months. `bookings` are all that were ever confirmed, `lessons`
-- and `minutes` those that are still booked or attended, `latest` is the start of the latest booking.
create table if not exists customer_coaches (
  customer_user_id uuid not null
    constraint customer_coaches_customer_exists references profiles (user_id) on delete restrict,
  coach_id uuid not null,
  bookings integer not null constraint customer_coaches_bookings_positive check (bookings > 0),
  lessons integer not null constraint customer_coaches_lessons_within_bookings check (lessons between 0 and bookings),
  minutes bigint not null constraint customer_coaches_minutes_not_negative check (minutes >= 0),
  latest timestamptz not null,
  primary key (customer_user_id, coach_id)
);
create index if not exists customer_coaches_coach on customer_coaches (coach_id);

-- A month is closed two days after its end at the earliest: no transaction that saw it as open is still running then.
create or replace function guard_closed_sums() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.name = old.name and new.until > old.until and new.until <= now() - interval '2 days'
    and extract(day from new.until at time zone 'Europe/London') = 1
    and (new.until at time zone 'Europe/London')::time = '00:00'
  then
    return new;
  end if;
  raise exception 'closed_sums only moves to the end of a month that is over' using errcode = 'restrict_violation';
end $$;
create or replace trigger closed_sums_only_rise before update or delete on closed_sums
  for each row execute function guard_closed_sums();

-- What the sums are sums of, in the period from `since` to before `upto`.
create or replace function customer_lessons(since timestamptz, upto timestamptz)
  returns table (customer_user_id uuid, coach_id uuid, bookings integer, lessons integer, minutes bigint,
    latest timestamptz)
  language sql stable parallel safe as $$
  select booking.customer_user_id, slot.coach_id, count(*)::integer,
    (count(*) filter (where booking.status in ('booked', 'attended')))::integer,
    coalesce(sum(extract(epoch from upper(booking.during) - lower(booking.during)) / 60)
      filter (where booking.status in ('booked', 'attended')), 0)::bigint,
    max(lower(booking.during))
  from bookings booking join lesson_slots slot using (slot_id)
  where lower(booking.during) >= since and lower(booking.during) < upto
    and booking.status in ('booked', 'attended', 'cancelled', 'refunded')
  group by booking.customer_user_id, slot.coach_id
$$;

-- Adds the next month to these sums; false if no further month is over.
create or replace function close_next_month(of_sums text) returns boolean language plpgsql as $$
declare
  since timestamptz;
  upto timestamptz;
begin
  -- Late changes lock the same row, so each is either in the sums of this month or refreshes them afterwards.
  select until into strict since from closed_sums where name = of_sums for update;
  upto := (date_trunc('month', case when since > '-infinity' then since
    else (select min(lower(during)) from bookings) end at time zone 'Europe/London')
    + interval '1 month') at time zone 'Europe/London';
  if upto is null or upto > now() - interval '2 days' then
    return false;
  end if;
  insert into customer_coaches as sums select * from customer_lessons(since, upto)
  on conflict (customer_user_id, coach_id) do update
  set bookings = sums.bookings + excluded.bookings, lessons = sums.lessons + excluded.lessons,
    minutes = sums.minutes + excluded.minutes, latest = excluded.latest;
  update closed_sums set until = upto where name = of_sums;
  return true;
end $$;

-- A booking of a closed month was changed: sums it up again.
create or replace function refresh_customer_coach(customer uuid, slot_of_coach uuid, at timestamptz) returns void
  language plpgsql as $$
declare
  closed timestamptz;
  coach uuid := (select coach_id from lesson_slots where slot_id = slot_of_coach);
begin
  select until into strict closed from closed_sums where name = 'customer_coaches' for update;
  if at < closed then
    delete from customer_coaches sums where sums.customer_user_id = customer and sums.coach_id = coach;
    insert into customer_coaches select * from customer_lessons('-infinity', closed) lessons
    where lessons.customer_user_id = customer and lessons.coach_id = coach;
  end if;
end $$;

create or replace function refresh_sums_of_booking() returns trigger language plpgsql as $$
begin
  perform refresh_customer_coach(new.customer_user_id, new.slot_id, lower(new.during));
  if tg_op = 'UPDATE' then
    perform refresh_customer_coach(old.customer_user_id, old.slot_id, lower(old.during));
  end if;
  return null;
end $$;

-- commit
-- Only bookings of lessons that began more than a day ago can be in a closed month: buying a seat costs nothing more.
create or replace trigger bookings_refresh_sums after update of status, during, slot_id, customer_user_id on bookings
  for each row when (
    (lower(old.during) < now() - interval '1 day' or lower(new.during) < now() - interval '1 day')
    and (old.status in ('booked', 'attended'), old.status in ('cancelled', 'refunded'), old.during, old.slot_id,
        old.customer_user_id)
      is distinct from (new.status in ('booked', 'attended'), new.status in ('cancelled', 'refunded'), new.during,
        new.slot_id, new.customer_user_id))
  execute function refresh_sums_of_booking();

-- commit
create or replace trigger bookings_refresh_sums_of_new after insert on bookings
  for each row when (lower(new.during) < now() - interval '1 day')
  execute function refresh_sums_of_booking();

-- commit
alter table customer_coaches
  drop constraint if exists customer_coaches_coach_exists,
  add constraint customer_coaches_coach_exists foreign key (coach_id) references coaches on delete restrict;
