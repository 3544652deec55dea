-- When the person of a session last proved who they are, by the password or the link that began it or by typing
-- the password again. What could lock them out, or rob them, asks for that to have been a short while ago.
alter table sessions add column confirmed_at timestamptz;
update sessions set confirmed_at = created_at;
alter table sessions alter column confirmed_at set default now(), alter column confirmed_at set not null;

-- A change of the email address waits until the links in the emails to both addresses were opened. Whether the
-- new address has an account already is looked at by the job that emails, so the row is the same for any address.
-- Only hashes of the links are kept; they are empty until the emails are written.
create table email_changes (
  user_id uuid primary key references users on delete cascade,
  new_email text not null check (new_email = lower(new_email) and length(new_email) <= 254),
  current_token_hash bytea unique,
  new_token_hash bytea unique,
  current_confirmed_at timestamptz,
  new_confirmed_at timestamptz,
  requested_at timestamptz not null default now(),
  expires_at timestamptz not null default now() + interval '24 hours'
);

-- Codes that stand in for an authenticator app that was lost, each once. Only hashes of their
-- 80 random bits are kept.
create table recovery_codes (
  code_hash bytea primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index recovery_codes_user on recovery_codes (user_id);

-- Deleting an account deletes the sign-in identity and empties the profile, which stays for the books. So the
-- profile belongs to an identity exactly as long as it is not deleted.
alter table profiles drop constraint profiles_user_id_fkey;
alter table profiles add column deleted_at timestamptz;
alter table profiles add column living_user_id uuid
  generated always as (case when deleted_at is null then user_id end) stored
  references users on delete restrict;
create unique index profiles_living on profiles (living_user_id);
alter table profiles add constraint profiles_deleted_is_empty check (
  deleted_at is null
  or (email = '' and roles = '{}' and stripe_customer_id is null and stripe_payment_method_id is null)
);

-- Where somebody signed in from before is looked up at each try to sign in, ended sessions included.
drop index sessions_user;
create index sessions_user on sessions (user_id);
