create table coaching_businesses (
  business_id uuid primary key default gen_random_uuid(),
  owner_user_id uuid not null
    constraint coaching_businesses_owner_unique unique
    constraint coaching_businesses_owner_exists references profiles (user_id) on delete restrict,
  -- For the foreign key coaching_businesses_owner_in_team.
  owner_role text not null generated always as ('owner') stored,
  business_name text not null
    constraint coaching_businesses_name_length check (length(trim(business_name)) between 1 and 200),
  business_email text,
  business_phone text,
  business_address text,
  tax_id text,
  created_at timestamptz not null default now()
);

-- coach_id is the person's user_id. `is_active` follows the coach role: revoking the role hides the coach from discover
-- and keeps the history.
create table coaches (
  coach_id uuid primary key constraint coaches_profile_exists references profiles (user_id) on delete restrict,
  business_id uuid constraint coaches_business_exists references coaching_businesses on delete set null,
  business_role text not null default 'employee'
    constraint coaches_business_role_known check (business_role in ('owner', 'employee')),
  hourly_rate_cents integer constraint coaches_hourly_rate_range check (hourly_rate_cents between 0 and 1000000),
  coach_type text constraint coaches_coach_type_length check (length(coach_type) <= 100),
  bio text constraint coaches_bio_length check (length(bio) <= 4000),
  sports text[] not null default '{}',
  towns text[] not null default '{}',
  languages text[] not null default '{}',
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  constraint coaches_membership_unique unique (coach_id, business_id, business_role),
  constraint coaches_owner_has_business check (business_id is not null or business_role = 'employee')
);
create index coaches_business on coaches (business_id);
-- Discover leaves out inactive coaches. There are few.
create index coaches_inactive on coaches (coach_id) where (not is_active);

-- What the public calls a coach: in discover and its search, on lessons, on the coach's page and in what bookings keep.
-- Admins, the team and payouts read full_name. One plain expression, so that the planner inlines it and the search uses
-- profiles_name_search; a rule over more columns needs an index of its own, on (coach_public_name(profiles)).
create function coach_public_name(coach profiles) returns text language sql immutable parallel safe as $$
  select coach.full_name
$$;

-- A business always has an owner: a coach of this very business with that role. Checked at commit, because a business
-- and its first owner are created together.
alter table coaching_businesses add constraint coaching_businesses_owner_in_team
  foreign key (owner_user_id, business_id, owner_role)
  references coaches (coach_id, business_id, business_role) deferrable initially deferred;

-- Invitations to a team go out by email; only the hash of the link is kept. Resending one replaces the hash.
create table business_invitations (
  invitation_id uuid primary key default gen_random_uuid(),
  business_id uuid not null
    constraint business_invitations_business_exists references coaching_businesses on delete cascade,
  email text not null
    constraint business_invitations_email_normalised check (email = lower(email) and length(email) <= 254),
  token_hash bytea not null constraint business_invitations_token_unique unique,
  invited_by uuid not null
    constraint business_invitations_invited_by_exists references profiles (user_id) on delete restrict,
  status text not null default 'pending' constraint business_invitations_status_known
    check (status in ('pending', 'accepted', 'declined', 'withdrawn')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- When the invited person, not yet a coach, asked to become one.
  applied_at timestamptz,
  decided_at timestamptz,
  constraint business_invitations_decided_unless_pending check ((status = 'pending') = (decided_at is null))
);
create unique index business_invitations_pending on business_invitations (business_id, email) where status = 'pending';
create index business_invitations_business on business_invitations (business_id);
create index business_invitations_inviter on business_invitations (invited_by);
create index business_invitations_over on business_invitations (coalesce(decided_at, expires_at));
