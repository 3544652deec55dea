-- Sign-in identities. Everything else about a person is in profiles.
create table users (
  user_id uuid primary key default gen_random_uuid(),
  email text not null
    constraint users_email_unique unique
    constraint users_email_normalised check (email = lower(email) and length(email) <= 254),
  password_hash text not null,
  full_name text constraint users_full_name_length check (length(full_name) <= 200),
  email_confirmed_at timestamptz,
  last_sign_in_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index users_unconfirmed on users (created_at) where email_confirmed_at is null;

-- A signed-in browser: all refresh tokens that follow from one sign-in.
create table sessions (
  session_id uuid primary key default gen_random_uuid(),
  user_id uuid not null constraint sessions_user_exists references users on delete cascade,
  -- How the person signed in: with the password (or the link of the sign-up that set it), or with the link of a
  -- recovery email, which lets them choose a new password without the old one.
  method text not null default 'password' constraint sessions_method_known check (method in ('password', 'recovery')),
  user_agent text,
  ip_address text,
  created_at timestamptz not null default now(),
  refreshed_at timestamptz not null default now(),
  -- When the person last proved who they are, at sign-in or by typing the password again. Changes that could lock them
  -- out or rob them need a recent one.
  confirmed_at timestamptz not null default now(),
  -- When a code of the authenticator app confirmed the session. Until then it is no sign-in for an account with an app.
  second_step_at timestamptz,
  ended_at timestamptz
);
-- Ended sessions too: each sign-in is compared with where the person signed in before.
create index sessions_user on sessions (user_id);
create index sessions_ended on sessions (ended_at) where ended_at is not null;
create index sessions_open_by_use on sessions (refreshed_at) where ended_at is null;
create index sessions_open_by_start on sessions (created_at) where ended_at is null;

-- Refresh tokens are single-use; only their SHA-256 is kept. `used_at` tells a token that was exchanged from an unknown
-- one, so that a second use is noticed.
create table refresh_tokens (
  token_hash bytea primary key,
  session_id uuid not null constraint refresh_tokens_session_exists references sessions on delete cascade,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index refresh_tokens_session on refresh_tokens (session_id);
create index refresh_tokens_used on refresh_tokens (used_at) where used_at is not null;

-- Links in emails: single-use, expiring, kept as hashes. The password and name of a sign-up belong to its own link.
-- Anyone who opens the email confirms what was asked for in that email, never a password that a stranger chose for the
-- same address before or after.
create table one_time_tokens (
  token_hash bytea primary key,
  user_id uuid not null constraint one_time_tokens_user_exists references users on delete cascade,
  purpose text not null
    constraint one_time_tokens_purpose_known check (purpose in ('signup', 'recovery', 'email_change')),
  password_hash text,
  full_name text constraint one_time_tokens_full_name_length check (length(full_name) <= 200),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
create index one_time_tokens_user on one_time_tokens (user_id, purpose);
create index one_time_tokens_expiring on one_time_tokens (expires_at);

-- A new email address that waits until the links in the emails to both addresses were opened. The job that sends these
-- emails checks whether the new address already has an account, so the row looks the same for every address. Only
-- hashes of the links are kept; they are null until the emails are written.
create table email_changes (
  user_id uuid primary key constraint email_changes_user_exists references users on delete cascade,
  new_email text not null
    constraint email_changes_new_email_normalised check (new_email = lower(new_email) and length(new_email) <= 254),
  current_token_hash bytea constraint email_changes_current_token_unique unique,
  new_token_hash bytea constraint email_changes_new_token_unique unique,
  current_confirmed_at timestamptz,
  new_confirmed_at timestamptz,
  requested_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '24 hours'
);
create index email_changes_expiring on email_changes (expires_at);

-- Authenticator apps. The secret of TOTP is needed to check a code, so it is encrypted (platform/encryption.ts) instead
-- of hashed. `last_step` is the time step (RFC 6238) of the newest code that was used: no code works twice.
create table factors (
  factor_id uuid primary key default gen_random_uuid(),
  user_id uuid not null constraint factors_user_exists references users on delete cascade,
  friendly_name text constraint factors_friendly_name_length check (length(friendly_name) <= 100),
  status text not null default 'unverified'
    constraint factors_status_known check (status in ('unverified', 'verified')),
  encrypted_secret text not null,
  last_step bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index factors_user on factors (user_id);
create unique index factors_verified on factors (user_id) where status = 'verified';

-- A code answers the challenge of one session.
create table factor_challenges (
  challenge_id uuid primary key default gen_random_uuid(),
  factor_id uuid not null constraint factor_challenges_factor_exists references factors on delete cascade,
  session_id uuid not null constraint factor_challenges_session_exists references sessions on delete cascade,
  expires_at timestamptz not null default now() + interval '5 minutes'
);
create index factor_challenges_factor on factor_challenges (factor_id);
create index factor_challenges_session on factor_challenges (session_id);
create index factor_challenges_expiring on factor_challenges (expires_at);

-- Codes that replace a lost authenticator app, each once. Only hashes of their 120 random bits are kept.
create table recovery_codes (
  code_hash bytea primary key,
  user_id uuid not null constraint recovery_codes_user_exists references users on delete cascade,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index recovery_codes_user on recovery_codes (user_id);
