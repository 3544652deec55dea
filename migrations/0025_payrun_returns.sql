-- A payment of a payrun that came back: the bank refused it or returned it. Its items are cancelled, so that its
-- bookings can be paid again.

-- commit
create table if not exists payrun_returns (
  payrun_id uuid not null,
  coach_id uuid not null,
  reason text not null constraint payrun_returns_reason_length check (length(trim(reason)) between 1 and 300),
  entered_at timestamptz not null default now(),
  entered_by uuid not null constraint payrun_returns_entered_by_exists references profiles (user_id) on delete restrict,
  primary key (payrun_id, coach_id),
  constraint payrun_returns_recipient_exists
    foreign key (payrun_id, coach_id) references payrun_recipients on delete restrict
);
create index if not exists payrun_returns_coach on payrun_returns (coach_id);
create index if not exists payrun_returns_entered_by on payrun_returns (entered_by);

create or replace trigger payrun_returns_are_append_only before update or delete on payrun_returns
  for each row execute function refuse_change();

create or replace function guard_payrun_return() returns trigger language plpgsql as $$
begin
  if not exists (select from payruns where payrun_id = new.payrun_id and status = 'paid') then
    raise exception 'payrun % is not paid', new.payrun_id
      using errcode = 'restrict_violation', constraint = 'payrun_returns_of_paid_payruns';
  end if;
  return new;
end $$;
create or replace trigger payrun_returns_of_paid_payruns before insert on payrun_returns
  for each row execute function guard_payrun_return();

create or replace function cancel_returned_items() returns trigger language plpgsql as $$
begin
  update payrun_items set is_cancelled = true where payrun_id = new.payrun_id and coach_id = new.coach_id;
  perform record_change('admin', 'payruns'), record_change('admin', 'payable');
  perform record_change('coach', new.coach_id::text, 'earnings');
  return null;
end $$;
create or replace trigger payrun_returns_cancel_their_items after insert on payrun_returns
  for each row execute function cancel_returned_items();

-- Items never change, except that they are cancelled with their payrun or with a payment of it that came back.
create or replace function guard_payrun_item() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.is_cancelled and not old.is_cancelled
    and (to_jsonb(new) - 'is_cancelled') = (to_jsonb(old) - 'is_cancelled')
    and (exists (select from payruns where payrun_id = new.payrun_id and status = 'cancelled')
      or exists (select from payrun_returns where payrun_id = new.payrun_id and coach_id = new.coach_id))
  then
    return new;
  end if;
  raise exception 'payrun_items is append-only' using errcode = 'restrict_violation';
end $$;

-- commit
-- `payout_returned` reverses a `paid_out`, `deduction_returned` a `paid_back`.
alter table ledger_entries
  drop constraint if exists ledger_entries_kind_known,
  add constraint ledger_entries_kind_known check (kind in ('charged', 'fee', 'refunded', 'fee_refunded', 'paid_out',
    'paid_back', 'payout_returned', 'deduction_returned')) not valid,
  drop constraint if exists ledger_entries_amount_has_sign_of_kind,
  add constraint ledger_entries_amount_has_sign_of_kind check (
    (kind in ('charged', 'fee', 'paid_back', 'payout_returned') and amount_cents >= 0)
    or (kind in ('refunded', 'fee_refunded', 'paid_out', 'deduction_returned') and amount_cents <= 0)) not valid;

-- commit
alter table ledger_entries validate constraint ledger_entries_kind_known;

-- commit
alter table ledger_entries validate constraint ledger_entries_amount_has_sign_of_kind;

-- commit
-- A booking is paid out again after its payout came back, by another payrun. Until then its item and the entry's source
-- allow one payout only.
drop index if exists ledger_entries_paid_out_once;

-- commit
-- What the ledger says about a booking. It is owed while the coach's share, less what payruns have paid and not
-- deducted, is above zero: a deduction stays even if the payout that it corrects has come back.
create or replace function add_refund_to_booking() returns trigger language plpgsql as $$
begin
  update bookings booking
  set charged_cents = entered.charged_cents, refunded_cents = entered.refunded_cents, is_owed = entered.is_owed
  from (
    select coalesce(sum(amount_cents) filter (where kind = 'charged'), 0)::integer as charged_cents,
      coalesce(-sum(amount_cents) filter (where kind = 'refunded'), 0)::integer as refunded_cents,
      coalesce(sum(amount_cents) filter (where kind in ('charged', 'refunded')), 0)
        - coalesce(sum(amount_cents) filter (where kind in ('fee', 'fee_refunded')), 0)
        > (select coalesce(sum(item.amount_cents), 0) from payrun_items item
          where item.booking_id = new.booking_id and item.kind = 'carried_forward' and not item.is_cancelled) as is_owed
    from ledger_entries where booking_id = new.booking_id
  ) entered
  where booking.booking_id = new.booking_id
    and (booking.charged_cents, booking.refunded_cents, booking.is_owed)
      <> (entered.charged_cents, entered.refunded_cents, entered.is_owed);
  return null;
end $$;
