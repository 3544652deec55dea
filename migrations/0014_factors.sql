-- Authenticator apps for signing in in two steps. `encrypted_secret` is encrypted (platform/encryption.ts); the secret
-- of TOTP has to be known to check a code, so a hash would not do. `last_step` is the time step (RFC 6238) of the
-- newest code that was used: no code works twice.
create table factors (
  factor_id uuid primary key default gen_random_uuid(),
  user_id uuid not null references users on delete cascade,
  friendly_name text check (length(friendly_name) <= 100),
  status text not null default 'unverified' check (status in ('unverified', 'verified')),
  encrypted_secret text not null,
  last_step bigint not null default 0,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index factors_verified on factors (user_id) where status = 'verified';
create index factors_user on factors (user_id);

-- A code answers a challenge, which is asked of one session and waits for a few minutes.
create table factor_challenges (
  challenge_id uuid primary key default gen_random_uuid(),
  factor_id uuid not null references factors on delete cascade,
  session_id uuid not null references sessions on delete cascade,
  expires_at timestamptz not null default now() + interval '5 minutes'
);
create index factor_challenges_factor on factor_challenges (factor_id);
create index factor_challenges_session on factor_challenges (session_id);

-- When the session was confirmed with a code; before that, an account with an app is not signed in by it.
alter table sessions add column second_step_at timestamptz;
