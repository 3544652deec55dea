-- A coach's earnings as sums of closed months, like 0035 (docs/decisions/0108). Nothing is closed by this file.
alter table closed_sums
  drop constraint if exists closed_sums_name_known,
  add constraint closed_sums_name_known
    check (name in ('customer_coaches', 'coach_ledger_months', 'coach_lesson_months'));
insert into closed_sums (name) values ('coach_ledger_months'), ('coach_lesson_months') on conflict do nothing;

-- commit
-- A coach's ledger entries by the London month in which they were made. Amounts have the sign of the words: refunded,
-- fee (after refunds) and paid out (after returns) are positive.
create table if not exists coach_ledger_months (
  coach_id uuid not null constraint coach_ledger_months_coach_exists references coaches on delete restrict,
  month date not null constraint coach_ledger_months_month_is_first_day check (extract(day from month) = 1),
  charged_cents bigint not null,
  refunded_cents bigint not null,
  fee_cents bigint not null,
  paid_out_cents bigint not null,
  primary key (coach_id, month)
);

-- commit
-- A coach's share of lessons, without payouts, by the London month in which the lessons began, and how many of them
-- somebody booked or attended.
create table if not exists coach_lesson_months (
  coach_id uuid not null constraint coach_lesson_months_coach_exists references coaches on delete restrict,
  month date not null constraint coach_lesson_months_month_is_first_day check (extract(day from month) = 1),
  share_cents bigint not null,
  lessons integer not null constraint coach_lesson_months_lessons_not_negative check (lessons >= 0),
  primary key (coach_id, month)
);

-- commit
-- What the sums are sums of, in the period from `since` to before `upto`.
create or replace function ledger_by_month(since timestamptz, upto timestamptz)
  returns table (coach_id uuid, month date, charged_cents bigint, refunded_cents bigint, fee_cents bigint,
    paid_out_cents bigint)
  language sql stable parallel safe as $$
  select entry.coach_id, date_trunc('month', entry.created_at at time zone 'Europe/London')::date,
    coalesce(sum(entry.amount_cents) filter (where entry.kind = 'charged'), 0),
    coalesce(-sum(entry.amount_cents) filter (where entry.kind = 'refunded'), 0),
    coalesce(sum(entry.amount_cents) filter (where entry.kind in ('fee', 'fee_refunded')), 0),
    coalesce(-sum(entry.amount_cents) filter (
      where entry.kind in ('paid_out', 'paid_back', 'payout_returned', 'deduction_returned')), 0)
  from ledger_entries entry
  where entry.created_at >= since and entry.created_at < upto and entry.amount_cents <> 0
  group by 1, 2
$$;

create or replace function lessons_by_month(since timestamptz, upto timestamptz)
  returns table (coach_id uuid, month date, share_cents bigint, lessons integer)
  language sql stable parallel safe as $$
  select slot.coach_id, date_trunc('month', slot.start_time at time zone 'Europe/London')::date,
    coalesce(sum(booked.share_cents), 0)::bigint, (count(*) filter (where booked.is_held))::integer
  from lesson_slots slot
  cross join lateral (
    select sum(entered.share_cents) as share_cents, bool_or(booking.status in ('booked', 'attended')) as is_held
    from bookings booking
    left join lateral (
      select sum(case when entry.kind in ('fee', 'fee_refunded') then -entry.amount_cents else entry.amount_cents end)
        as share_cents
      from ledger_entries entry
      where entry.booking_id = booking.booking_id and entry.kind in ('charged', 'refunded', 'fee', 'fee_refunded')
    ) entered on true
    where booking.slot_id = slot.slot_id
  ) booked
  where slot.start_time >= since and slot.start_time < upto and booked.is_held is not null
  group by 1, 2
  having sum(booked.share_cents) <> 0 or bool_or(booked.is_held)
$$;

create or replace function close_next_month(of_sums text) returns boolean language plpgsql as $$
declare
  since timestamptz;
  upto timestamptz;
begin
  -- Late changes lock the same row, so each is either in the sums of this month or refreshes them afterwards.
  select until into strict since from closed_sums where name = of_sums for update;
  upto := (date_trunc('month', case
      when since > '-infinity' then since
      when of_sums = 'customer_coaches' then (select min(lower(during)) from bookings)
      when of_sums = 'coach_ledger_months' then (select min(created_at) from ledger_entries)
      else (select min(start_time) from lesson_slots)
    end at time zone 'Europe/London') + interval '1 month') at time zone 'Europe/London';
  if upto is null or upto > now() - interval '2 days' then
    return false;
  end if;
  case of_sums
    when 'customer_coaches' then
      insert into customer_coaches as sums select * from customer_lessons(since, upto)
      on conflict (customer_user_id, coach_id) do update
      set bookings = sums.bookings + excluded.bookings, lessons = sums.lessons + excluded.lessons,
        minutes = sums.minutes + excluded.minutes, latest = excluded.latest;
    when 'coach_ledger_months' then
      insert into coach_ledger_months select * from ledger_by_month(since, upto);
    when 'coach_lesson_months' then
      insert into coach_lesson_months select * from lessons_by_month(since, upto);
  end case;
  update closed_sums set until = upto where name = of_sums;
  return true;
end $$;

-- Something in the London month of `at` was changed: if the month is closed, sums it up again.
create or replace function refresh_coach_month(of_sums text, coach uuid, at timestamptz) returns void
  language plpgsql as $$
declare
  closed timestamptz;
  of_month date := date_trunc('month', at at time zone 'Europe/London');
  since timestamptz := of_month::timestamp at time zone 'Europe/London';
  upto timestamptz := (of_month + interval '1 month') at time zone 'Europe/London';
begin
  select until into strict closed from closed_sums where name = of_sums for update;
  if at >= closed or at is null then
    return;
  end if;
  if of_sums = 'coach_ledger_months' then
    delete from coach_ledger_months sums where sums.coach_id = coach and sums.month = of_month;
    insert into coach_ledger_months select * from ledger_by_month(since, upto) entered where entered.coach_id = coach;
  else
    delete from coach_lesson_months sums where sums.coach_id = coach and sums.month = of_month;
    insert into coach_lesson_months select * from lessons_by_month(since, upto) held where held.coach_id = coach;
  end if;
end $$;

-- A change of a booking also concerns its lesson's month.
create or replace function refresh_sums_of_booking() returns trigger language plpgsql as $$
begin
  perform refresh_customer_coach(new.customer_user_id, new.slot_id, lower(new.during));
  perform refresh_coach_month('coach_lesson_months', coach_id, start_time)
  from lesson_slots where slot_id = new.slot_id;
  if tg_op = 'UPDATE' then
    perform refresh_customer_coach(old.customer_user_id, old.slot_id, lower(old.during));
    if old.slot_id <> new.slot_id then
      perform refresh_coach_month('coach_lesson_months', coach_id, start_time)
      from lesson_slots where slot_id = old.slot_id;
    end if;
  end if;
  return null;
end $$;

create or replace function refresh_sums_of_slot() returns trigger language plpgsql as $$
begin
  perform refresh_coach_month('coach_lesson_months', old.coach_id, old.start_time);
  perform refresh_coach_month('coach_lesson_months', new.coach_id, new.start_time);
  return null;
end $$;

-- Entries of today concern the month of their lesson, and entries that a program dates back also the month of their date.
-- `offset 0` keeps one lookup per entry: the plan is kept for the session, whatever the number of its first entries.
create or replace function refresh_sums_of_entries() returns trigger language plpgsql as $$
begin
  perform refresh_coach_month('coach_ledger_months', late.coach_id, late.month at time zone 'Europe/London')
  from (
    select distinct coach_id, date_trunc('month', created_at at time zone 'Europe/London') as month
    from after_rows where created_at < now() - interval '1 day'
  ) late;
  perform refresh_coach_month('coach_lesson_months', late.coach_id, late.month at time zone 'Europe/London')
  from (
    select distinct slot.coach_id, date_trunc('month', slot.start_time at time zone 'Europe/London') as month
    from after_rows entry
    cross join lateral (
      select coach_id, start_time from bookings join lesson_slots using (slot_id)
      where booking_id = entry.booking_id offset 0
    ) slot
    where entry.kind in ('charged', 'refunded', 'fee', 'fee_refunded')
      and slot.start_time < now() - interval '1 day'
  ) late;
  return null;
end $$;

-- commit
create or replace trigger ledger_entries_refresh_sums after insert on ledger_entries
  referencing new table as after_rows for each statement execute function refresh_sums_of_entries();

-- commit
create or replace trigger lesson_slots_refresh_sums after update of start_time, coach_id on lesson_slots
  for each row when (
    (old.start_time, old.coach_id) is distinct from (new.start_time, new.coach_id)
    and (old.start_time < now() - interval '1 day' or new.start_time < now() - interval '1 day'))
  execute function refresh_sums_of_slot();
