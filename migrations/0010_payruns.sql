-- Paying coaches. A payrun is one transfer order for the bank: a recipient per coach, an item per booking.
create table payruns (
  payrun_id uuid primary key default gen_random_uuid(),
  status text not null default 'pending' check (status in ('pending', 'paid')),
  total_amount_cents bigint not null check (total_amount_cents > 0),
  currency text not null default 'GBP' check (currency = 'GBP'),
  payment_reference text not null check (length(payment_reference) between 1 and 18),
  created_at timestamptz not null default now(),
  created_by uuid not null references profiles (user_id) on delete restrict,
  paid_at timestamptz,
  check ((status = 'paid') = (paid_at is not null))
);
create index payruns_newest on payruns (created_at desc, payrun_id desc);
create index payruns_creator on payruns (created_by);

-- What goes to one coach, with the bank details of the moment the payrun was created; the numbers stay encrypted as
-- they are in coach_bank_details. `bank_details_at` tells whether the coach has changed them since.
create table payrun_recipients (
  payrun_id uuid not null references payruns on delete restrict,
  coach_id uuid not null references coaches on delete restrict,
  amount_cents bigint not null check (amount_cents > 0),
  account_name text not null,
  account_number_encrypted text not null,
  sort_code_encrypted text not null,
  recipient_type text not null check (recipient_type in ('Individual', 'Business')),
  bank_country text not null check (bank_country = 'GB'),
  bank_details_at timestamptz not null,
  primary key (payrun_id, coach_id)
);
create index payrun_recipients_coach on payrun_recipients (coach_id);

-- `lesson`: the coach's share of a booking. `carried_forward`: what was refunded of one after it had gone into a
-- payrun, taken off a later one. Each at most once per booking, ever.
create table payrun_items (
  payrun_id uuid not null,
  coach_id uuid not null,
  booking_id uuid not null references bookings on delete restrict,
  kind text not null check (kind in ('lesson', 'carried_forward')),
  amount_cents integer not null check ((kind = 'lesson') = (amount_cents > 0) and amount_cents <> 0),
  primary key (booking_id, kind),
  foreign key (payrun_id, coach_id) references payrun_recipients on delete restrict
);
create index payrun_items_payrun on payrun_items (payrun_id, coach_id);
create index payrun_items_coach on payrun_items (coach_id);

create trigger payrun_recipients_are_append_only before update or delete on payrun_recipients
  for each row execute function refuse_change();
create trigger payrun_items_are_append_only before update or delete on payrun_items
  for each row execute function refuse_change();

-- Setting this is the claim of a booking for a payrun. It keeps what was dealt with out of the list of payables.
alter table bookings add column is_in_payrun boolean not null default false;
create index bookings_payable on bookings (upper(during), booking_id) where (not is_in_payrun and amount_cents > 0);

-- `paid_out` goes to the coach; `paid_back` is what of it was kept from a later payrun after a refund.
alter table ledger_entries
  drop constraint ledger_entries_kind_check,
  drop constraint ledger_entries_check,
  add constraint ledger_entries_kind_check
    check (kind in ('charged', 'fee', 'refunded', 'fee_refunded', 'paid_out', 'paid_back')),
  add constraint ledger_entries_amount_check check (
    (kind in ('charged', 'fee', 'paid_back') and amount_cents >= 0)
    or (kind in ('refunded', 'fee_refunded', 'paid_out') and amount_cents <= 0)
  );
