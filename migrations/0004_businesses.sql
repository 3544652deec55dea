create table coaching_businesses (
  business_id uuid primary key default gen_random_uuid(),
  owner_user_id uuid not null unique references profiles (user_id) on delete restrict,
  business_name text not null check (length(trim(business_name)) between 1 and 200),
  business_email text,
  business_phone text,
  business_address text,
  tax_id text,
  created_at timestamptz not null default now()
);

-- A coach is a person: coach_id is that person's user_id. `is_active` follows the coach role, so that
-- taking the role away hides the coach from discover and keeps the history.
create table coaches (
  coach_id uuid primary key references profiles (user_id) on delete restrict,
  business_id uuid references coaching_businesses on delete set null,
  business_role text not null default 'employee' check (business_role in ('owner', 'employee')),
  hourly_rate_cents integer check (hourly_rate_cents between 0 and 1000000),
  coach_type text check (length(coach_type) <= 100),
  bio text check (length(bio) <= 4000),
  sports text[] not null default '{}',
  towns text[] not null default '{}',
  languages text[] not null default '{}',
  is_active boolean not null default true,
  created_at timestamptz not null default now()
);
create index coaches_business on coaches (business_id);
