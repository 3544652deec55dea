-- People. Deleting an account deletes the sign-in identity and empties the profile, which stays for the books.
create table profiles (
  user_id uuid primary key,
  email text not null,
  full_name text not null,
  roles text[] not null default '{customer}'
    constraint profiles_roles_known check (roles <@ '{customer,coach,admin}'::text[]),
  stripe_customer_id text constraint profiles_stripe_customer_unique unique,
  -- The saved card. It can be used until the end of its expiry month.
  stripe_payment_method_id text,
  payment_method_brand text,
  payment_method_last_four text
    constraint profiles_card_last_four_are_digits check (payment_method_last_four ~ '^\d{4}$'),
  payment_method_exp_month smallint
    constraint profiles_card_expiry_month_range check (payment_method_exp_month between 1 and 12),
  payment_method_exp_year smallint,
  card_expiry_warned_at timestamptz,
  created_at timestamptz not null default now(),
  deleted_at timestamptz,
  -- The identity exists exactly as long as the profile is not deleted.
  living_user_id uuid generated always as (case when deleted_at is null then user_id end) stored
    constraint profiles_living_user_exists references users on delete restrict,
  constraint profiles_card_has_brand check ((stripe_payment_method_id is null) = (payment_method_brand is null)),
  constraint profiles_card_has_last_four
    check ((stripe_payment_method_id is null) = (payment_method_last_four is null)),
  constraint profiles_card_expiry_has_month_and_year
    check ((payment_method_exp_month is null) = (payment_method_exp_year is null)),
  constraint profiles_card_expiry_has_card
    check (payment_method_exp_year is null or stripe_payment_method_id is not null),
  constraint profiles_deleted_is_empty check (
    deleted_at is null
    or (email = '' and roles = '{}' and stripe_customer_id is null and stripe_payment_method_id is null)
  )
);
create unique index profiles_living on profiles (living_user_id);
create index profiles_newest on profiles (created_at desc, user_id desc);
-- Few people are admins or coaches. The admin panel lists each role, and a change of an admin role locks all admins.
create index profiles_admins on profiles (created_at desc, user_id desc) where roles @> '{admin}';
create index profiles_coaches on profiles (created_at desc, user_id desc) where roles @> '{coach}';
create index profiles_name_search on profiles using gin (full_name gin_trgm_ops);
create index profiles_email_search on profiles using gin (email gin_trgm_ops);
create index profiles_card_expiry on profiles (payment_method_exp_year, payment_method_exp_month)
  where card_expiry_warned_at is null;

-- The first letter and the first two letters of every word in a text, for searches that are too short for trigrams.
-- Words end at spaces and punctuation.
create function word_starts(words text) returns text[]
language sql immutable strict parallel safe
as $$
  select coalesce(array_agg(distinct left(word, letters)), '{}')
  from regexp_split_to_table(lower(words), '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+') word,
    (values (1), (2)) size (letters)
  where length(word) >= letters
$$;
-- Without the domain of the address: too many people share it.
create index profiles_word_starts on profiles
  using gin (word_starts(full_name || ' ' || split_part(email, '@', 1)));
