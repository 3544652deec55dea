-- Where a coach is paid. Account number and sort code are kept encrypted only (server/platform/encryption.ts),
-- bound to the coach, so that a row copied to somebody else cannot be read.
create table coach_bank_details (
  coach_id uuid primary key references coaches on delete restrict,
  account_name text not null check (length(account_name) between 1 and 70),
  account_number_encrypted text not null,
  sort_code_encrypted text not null,
  recipient_type text not null default 'Individual' check (recipient_type in ('Individual', 'Business')),
  bank_country text not null default 'GB' check (bank_country = 'GB'),
  currency text not null default 'GBP' check (currency = 'GBP'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
