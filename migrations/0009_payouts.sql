-- Where a coach is paid. Account number and sort code are encrypted (platform/encryption.ts) and bound to the coach, so
-- that a row copied to another coach cannot be decrypted.
create table coach_bank_details (
  coach_id uuid primary key constraint coach_bank_details_coach_exists references coaches on delete restrict,
  account_name text not null
    constraint coach_bank_details_account_name_length check (length(account_name) between 1 and 70),
  account_number_encrypted text not null,
  sort_code_encrypted text not null,
  recipient_type text not null default 'Individual'
    constraint coach_bank_details_recipient_type_known check (recipient_type in ('Individual', 'Business')),
  bank_country text not null default 'GB' constraint coach_bank_details_bank_country_known check (bank_country = 'GB'),
  currency text not null default 'GBP' constraint coach_bank_details_currency_known check (currency = 'GBP'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- A transfer order for the bank, with one recipient per coach and one item per booking. A pending payrun can be
-- cancelled: its bookings are payable again. A paid or cancelled payrun never changes its status.
create table payruns (
  payrun_id uuid primary key default gen_random_uuid(),
  status text not null default 'pending'
    constraint payruns_status_known check (status in ('pending', 'paid', 'cancelled')),
  total_amount_cents bigint not null constraint payruns_total_amount_positive check (total_amount_cents > 0),
  currency text not null default 'GBP' constraint payruns_currency_known check (currency = 'GBP'),
  payment_reference text not null
    constraint payruns_payment_reference_length check (length(payment_reference) between 1 and 18),
  -- Whether another admin than the one who created the payrun has to mark it as paid. Copied from the settings when the
  -- payrun is created: switching the setting off has no effect on payruns that wait for a second admin.
  needs_second_admin boolean not null default false,
  created_at timestamptz not null default now(),
  created_by uuid not null constraint payruns_created_by_exists references profiles (user_id) on delete restrict,
  -- When its file was first downloaded: from then on a bank may have it.
  exported_at timestamptz,
  paid_at timestamptz,
  paid_by uuid constraint payruns_paid_by_exists references profiles (user_id) on delete restrict,
  cancelled_at timestamptz,
  cancelled_by uuid constraint payruns_cancelled_by_exists references profiles (user_id) on delete restrict,
  cancellation_reason text
    constraint payruns_cancellation_reason_length check (length(trim(cancellation_reason)) between 1 and 300),
  constraint payruns_paid_has_time check ((status = 'paid') = (paid_at is not null)),
  constraint payruns_paid_by_second_admin
    check (not needs_second_admin or status <> 'paid' or (paid_by is not null and paid_by <> created_by)),
  constraint payruns_cancelled_is_explained check (
    (status = 'cancelled')
    = (cancelled_at is not null and cancelled_by is not null and cancellation_reason is not null)
  )
);
create index payruns_newest on payruns (created_at desc, payrun_id desc);
create index payruns_pending on payruns (created_at) where status = 'pending';
create index payruns_creator on payruns (created_by);
create index payruns_payer on payruns (paid_by);
create index payruns_cancelled_by on payruns (cancelled_by) where (cancelled_by is not null);

-- One coach's transfer, with the bank details of the moment the payrun was created. `bank_details_at` shows whether the
-- coach has changed them since.
create table payrun_recipients (
  payrun_id uuid not null constraint payrun_recipients_payrun_exists references payruns on delete restrict,
  coach_id uuid not null constraint payrun_recipients_coach_exists references coaches on delete restrict,
  amount_cents bigint not null constraint payrun_recipients_amount_positive check (amount_cents > 0),
  account_name text not null,
  account_number_encrypted text not null,
  sort_code_encrypted text not null,
  recipient_type text not null
    constraint payrun_recipients_recipient_type_known check (recipient_type in ('Individual', 'Business')),
  bank_country text not null constraint payrun_recipients_bank_country_known check (bank_country = 'GB'),
  bank_details_at timestamptz not null,
  primary key (payrun_id, coach_id)
);
create index payrun_recipients_coach on payrun_recipients (coach_id);

-- `lesson`: the coach's share of a booking. `carried_forward`: what was refunded of one after its payrun, taken off a
-- later one. A booking is a lesson in at most one payrun that is not cancelled.
create table payrun_items (
  payrun_id uuid not null,
  coach_id uuid not null,
  booking_id uuid not null constraint payrun_items_booking_exists references bookings on delete restrict,
  kind text not null constraint payrun_items_kind_known check (kind in ('lesson', 'carried_forward')),
  amount_cents integer not null,
  is_cancelled boolean not null default false,
  primary key (payrun_id, booking_id, kind),
  constraint payrun_items_recipient_exists
    foreign key (payrun_id, coach_id) references payrun_recipients on delete restrict,
  constraint payrun_items_amount_has_sign_of_kind
    check ((kind = 'lesson') = (amount_cents > 0) and amount_cents <> 0)
);
create unique index payrun_items_one_live_lesson on payrun_items (booking_id)
  where (kind = 'lesson' and not is_cancelled);
create index payrun_items_payrun on payrun_items (payrun_id, coach_id);
create index payrun_items_booking on payrun_items (booking_id);
create index payrun_items_coach on payrun_items (coach_id);

create function guard_payrun_status() returns trigger language plpgsql as $$
begin
  if old.status <> 'pending' then
    raise exception 'a % payrun cannot change its status', old.status using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payruns_end_once before update of status on payruns
  for each row when (old.status <> new.status) execute function guard_payrun_status();

create function cancel_payrun_items() returns trigger language plpgsql as $$
begin
  update payrun_items set is_cancelled = true where payrun_id = new.payrun_id;
  return null;
end $$;
create trigger payruns_cancel_their_items after update of status on payruns
  for each row when (new.status = 'cancelled' and old.status <> 'cancelled') execute function cancel_payrun_items();

-- Recipients never change, except that key rotation encrypts their bank details again.
create function refuse_change_except_key_rotation() returns trigger language plpgsql as $$
declare
  encrypted constant text[] := array['account_number_encrypted', 'sort_code_encrypted'];
begin
  -- "v1.keyId.nonce.text": a new text under the same key would be another account.
  if tg_op = 'UPDATE' and to_jsonb(new) - encrypted = to_jsonb(old) - encrypted
    and split_part(new.account_number_encrypted, '.', 2) <> split_part(old.account_number_encrypted, '.', 2)
    and split_part(new.sort_code_encrypted, '.', 2) <> split_part(old.sort_code_encrypted, '.', 2)
  then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger payrun_recipients_are_append_only before update or delete on payrun_recipients
  for each row execute function refuse_change_except_key_rotation();

-- Items never change, except that they are cancelled with their payrun.
create function guard_payrun_item() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.is_cancelled and not old.is_cancelled
    and (to_jsonb(new) - 'is_cancelled') = (to_jsonb(old) - 'is_cancelled')
    and exists (select from payruns where payrun_id = new.payrun_id and status = 'cancelled')
  then
    return new;
  end if;
  raise exception 'payrun_items is append-only' using errcode = 'restrict_violation';
end $$;
create trigger payrun_items_are_append_only before update or delete on payrun_items
  for each row execute function guard_payrun_item();
