-- Sign-in identities. What the rest of the product knows of a person is the profile.
create table users (
  user_id uuid primary key default gen_random_uuid(),
  email text not null check (email = lower(email) and length(email) <= 254),
  password_hash text not null,
  full_name text check (length(full_name) <= 200),
  email_confirmed_at timestamptz,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (email)
);

-- One signed-in browser: the family of refresh tokens that came of one sign-in.
create table sessions (
  session_id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  refreshed_at timestamptz not null default now(),
  ended_at timestamptz,
  user_agent text,
  ip_address text
);
create index sessions_user on sessions (user_id) where ended_at is null;

-- Refresh tokens are single-use; only their SHA-256 is kept. `used_at` marks a token that was exchanged,
-- so that a second use of it can be told from an unknown token.
create table refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null references sessions on delete cascade,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index refresh_tokens_session on refresh_tokens (session_id);

-- Links in emails: verify an address, reset a password. Single-use, expiring, only hashes are kept.
-- The password and name of a sign-up travel with its own link: anyone who opens the email confirms what was asked
-- for in that mail, never a password that a stranger set for the same address before or after.
create table one_time_tokens (
  token_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  purpose text not null check (purpose in ('signup', 'recovery', 'email_change')),
  password_hash text,
  full_name text check (length(full_name) <= 200),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index one_time_tokens_user on one_time_tokens (user_id, purpose);

create table profiles (
  user_id uuid primary key references users on delete restrict,
  email text not null,
  full_name text not null,
  roles text[] not null default '{customer}' check (roles <@ '{customer,coach,admin}'::text[]),
  created_at timestamptz not null default now(),
  stripe_customer_id text unique,
  stripe_payment_method_id text,
  payment_method_last_four text check (payment_method_last_four ~ '^\d{4}$'),
  payment_method_brand text,
  check ((stripe_payment_method_id is null) = (payment_method_last_four is null)),
  check ((stripe_payment_method_id is null) = (payment_method_brand is null))
);
create index profiles_newest on profiles (created_at desc, user_id desc);
create index profiles_name_search on profiles using gin (full_name gin_trgm_ops);
create index profiles_email_search on profiles using gin (email gin_trgm_ops);
