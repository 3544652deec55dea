-- What banks take back, or ask about, at the cardholder's word; `status` is the card network's own, as last read.
create table disputes (
  dispute_id text primary key,
  payment_id uuid not null references payments on delete restrict,
  status text not null check (length(status) between 1 and 40),
  amount_cents integer not null check (amount_cents >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index disputes_payment on disputes (payment_id);
