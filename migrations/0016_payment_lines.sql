-- Money in lines: a payment pays for one or more bookings, a booking is paid for by one or more payments, and a refund
-- gives back parts of bookings. This file adds what is missing; the former version goes on working, because triggers
-- write what it does not. 0017 completes earlier rows (docs/decisions/0082).
create table if not exists payment_lines (
  payment_id uuid not null,
  line_no smallint not null constraint payment_lines_line_no_positive check (line_no > 0),
  booking_id uuid not null,
  amount_cents integer not null constraint payment_lines_amount_not_negative check (amount_cents >= 0),
  primary key (payment_id, line_no),
  constraint payment_lines_booking_once unique (booking_id, payment_id)
);

-- What a refund gives back of each booking, and who bears it: `fee_cents` the platform, `coach_cents` the coach.
create table if not exists refund_lines (
  refund_id uuid not null,
  booking_id uuid not null,
  amount_cents integer not null constraint refund_lines_amount_positive check (amount_cents > 0),
  coach_cents integer not null constraint refund_lines_coach_not_negative check (coach_cents >= 0),
  fee_cents integer not null constraint refund_lines_fee_not_negative check (fee_cents >= 0),
  primary key (refund_id, booking_id),
  constraint refund_lines_parts_add_up check (coach_cents + fee_cents = amount_cents)
);
create index if not exists refund_lines_booking on refund_lines (booking_id);

-- commit
-- What the booking's successful payments charged for it: 0 until the first one succeeds.
alter table bookings add column if not exists charged_cents integer not null default 0;

-- commit
create index if not exists bookings_payment on bookings (payment_id);

-- commit
-- `payment_id` stays the booking's first payment.
alter table bookings drop constraint if exists bookings_payment_unique;

-- commit
alter table refunds
  -- Who bears the refund of a lesson: its coach, with the fee's share, or the platform alone.
  add column if not exists borne_by text not null default 'coach'
    constraint refunds_borne_by_known check (borne_by in ('coach', 'platform')),
  drop constraint if exists refunds_reason_known,
  add constraint refunds_reason_known check (reason in ('customer_cancelled', 'coach_cancelled', 'seat_lost',
    'paid_after_release', 'admin', 'made_at_stripe')) not valid;

-- commit
alter table refunds validate constraint refunds_reason_known;

-- commit
-- A refund that was deducted from a later payout. Null for a lesson, and for deductions made before refunds had lines.
alter table payrun_items
  add column if not exists refund_id uuid,
  drop constraint if exists payrun_items_pkey,
  drop constraint if exists payrun_items_only_deductions_have_refunds,
  add constraint payrun_items_only_deductions_have_refunds check (refund_id is null or kind = 'carried_forward');
create unique index if not exists payrun_items_once on payrun_items (payrun_id, booking_id, kind, refund_id)
  nulls not distinct;
create unique index if not exists payrun_items_one_live_deduction on payrun_items (refund_id, booking_id)
  where (kind = 'carried_forward' and not is_cancelled);

-- commit
-- Former version: the line of a booking that was inserted without one.
create or replace function fill_payment_lines() returns trigger language plpgsql as $$
begin
  insert into payment_lines (payment_id, line_no, booking_id, amount_cents)
  select booking.payment_id, 1, booking.booking_id, booking.amount_cents from after_rows booking
  where not exists (select from payment_lines line where line.booking_id = booking.booking_id)
  on conflict do nothing;
  return null;
end $$;
create or replace trigger bookings_fill_payment_lines after insert on bookings
  referencing new table as after_rows for each statement execute function fill_payment_lines();

-- Former version: it confirms bookings without noting what was charged.
create or replace function fill_charge() returns trigger language plpgsql as $$
begin
  new.charged_cents := new.amount_cents;
  return new;
end $$;
create or replace trigger bookings_fill_charge before update of status on bookings for each row
  when (old.status in ('pending', 'released') and new.status = 'booked' and new.charged_cents = 0
    and new.amount_cents > 0)
  execute function fill_charge();

-- commit
-- A payment is settled with all of its bookings or not at all.
create or replace function refuse_half_settled_payment() returns trigger language plpgsql as $$
begin
  if exists (
    select from payment_lines line join bookings booking using (booking_id)
    where line.payment_id = new.payment_id and booking.status = 'pending'
  ) then
    raise exception 'a booking of payment % is still pending', new.payment_id
      using errcode = 'restrict_violation', constraint = 'payments_settle_whole';
  end if;
  return null;
end $$;
create or replace trigger payments_settle_whole after update of status on payments for each row
  when (old.status <> new.status and new.status in ('succeeded', 'failed'))
  execute function refuse_half_settled_payment();

-- commit
-- Former version: the charge and fee of a booking without their source, which is the payment.
create or replace function name_coach_of_entry() returns trigger language plpgsql as $$
begin
  select slot.coach_id,
    coalesce(new.source_id, case when new.kind in ('charged', 'fee') then booking.payment_id end)
  into new.coach_id, new.source_id
  from bookings booking join lesson_slots slot using (slot_id)
  where booking.booking_id = new.booking_id;
  return new;
end $$;

-- What the ledger says about a booking: the statement that refunds has usually raised refunded_cents already.
create or replace function add_refund_to_booking() returns trigger language plpgsql as $$
begin
  update bookings booking
  set charged_cents = entered.charged_cents, refunded_cents = entered.refunded_cents, is_owed = entered.is_owed
  from (
    select coalesce(sum(amount_cents) filter (where kind = 'charged'), 0)::integer as charged_cents,
      coalesce(-sum(amount_cents) filter (where kind = 'refunded'), 0)::integer as refunded_cents,
      coalesce(sum(amount_cents) filter (where kind in ('charged', 'refunded')), 0)
        > coalesce(sum(amount_cents) filter (where kind in ('fee', 'fee_refunded')), 0) as is_owed
    from ledger_entries where booking_id = new.booking_id
  ) entered
  where booking.booking_id = new.booking_id
    and (booking.charged_cents, booking.refunded_cents, booking.is_owed)
      <> (entered.charged_cents, entered.refunded_cents, entered.is_owed);
  return null;
end $$;
create or replace trigger ledger_entries_add_refunds after insert on ledger_entries
  for each row when (new.kind in ('refunded', 'fee_refunded')) execute function add_refund_to_booking();

-- Former version: the line of a refund that was entered without one.
create or replace function fill_refund_line() returns trigger language plpgsql as $$
begin
  insert into refund_lines (refund_id, booking_id, amount_cents, coach_cents, fee_cents)
  select refund_id, new.booking_id, -new.amount_cents, -new.amount_cents - fee.cents, fee.cents
  from refunds
  cross join lateral (
    select coalesce(-sum(amount_cents), 0)::integer as cents from ledger_entries
    where booking_id = new.booking_id and kind = 'fee_refunded' and source_id = new.source_id
  ) fee
  where refund_id = new.source_id
  on conflict do nothing;
  return null;
end $$;
create or replace trigger ledger_entries_fill_refund_line after insert on ledger_entries
  for each row when (new.kind = 'refunded' and new.amount_cents < 0) execute function fill_refund_line();

-- Until 0017 has named the source of every entry, an entry without one may get it.
create or replace trigger ledger_entries_are_append_only before update on ledger_entries for each row
  when (old.source_id is not null or new.source_id is null
    or (old.entry_id, old.booking_id, old.coach_id, old.kind, old.amount_cents, old.created_at)
      is distinct from (new.entry_id, new.booking_id, new.coach_id, new.kind, new.amount_cents, new.created_at))
  execute function refuse_change();
create or replace trigger ledger_entries_are_never_deleted before delete on ledger_entries for each row
  execute function refuse_change();

-- commit
create or replace function record_refund() returns trigger language plpgsql as $$
begin
  perform record_change('user', booking.customer_user_id::text, 'bookings', booking.booking_id)
  from refund_lines line join bookings booking using (booking_id) where line.refund_id = new.refund_id;
  if new.given_up_at is not null then
    perform record_change('admin', 'refunds');
  end if;
  return null;
end $$;
