-- Who has no business has no say in one.
alter table coaches add constraint coaches_owner_has_business
  check (business_id is not null or business_role = 'employee');

-- A business always has an owner: owner_user_id is a coach of this very business whose role is owner. Checked at
-- commit, since a business and its first owner come into being together.
alter table coaching_businesses add column owner_role text not null generated always as ('owner') stored;
alter table coaches add constraint coaches_membership unique (coach_id, business_id, business_role);
alter table coaching_businesses add constraint coaching_businesses_owner
  foreign key (owner_user_id, business_id, owner_role)
  references coaches (coach_id, business_id, business_role) deferrable initially deferred;

-- Invitations into a team go out by email; only the hash of the link is kept. Sending one again replaces the hash.
create table business_invitations (
  invitation_id uuid primary key default gen_random_uuid(),
  business_id uuid not null references coaching_businesses on delete cascade,
  email text not null check (email = lower(email) and length(email) <= 254),
  token_hash bytea not null unique,
  invited_by uuid not null references profiles (user_id) on delete restrict,
  status text not null default 'pending' check (status in ('pending', 'accepted', 'declined', 'withdrawn')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  decided_at timestamptz,
  check ((status = 'pending') = (decided_at is null))
);
create unique index business_invitations_pending on business_invitations (business_id, email) where status = 'pending';
create index business_invitations_business on business_invitations (business_id);
create index business_invitations_inviter on business_invitations (invited_by);
