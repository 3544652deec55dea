-- Who takes part in a lesson: the person who books, or a dependant. A person's own participant has the person's id, so
-- that booking for oneself needs no look-up; its name is the profile's.
create table if not exists participants (
  participant_id uuid primary key default gen_random_uuid(),
  kind text not null constraint participants_kind_known check (kind in ('self', 'dependant')),
  own_user_id uuid generated always as (case when kind = 'self' then participant_id end) stored
    constraint participants_account_exists references profiles (user_id) on delete cascade,
  full_name text constraint participants_full_name_length check (length(trim(full_name)) between 1 and 200),
  known_as text constraint participants_known_as_length check (length(trim(known_as)) between 1 and 50),
  date_of_birth date constraint participants_date_of_birth_range check (date_of_birth >= '1900-01-01'),
  created_at timestamptz not null default now(),
  -- The row of a deleted participant stays, because bookings refer to it.
  deleted_at timestamptz,
  constraint participants_name_of_dependants check (
    case when kind = 'self' or deleted_at is not null then full_name is null else full_name is not null end
  ),
  constraint participants_birth_of_dependants
    check (kind = 'self' or deleted_at is not null or date_of_birth is not null),
  constraint participants_deleted_is_empty
    check (deleted_at is null or (full_name is null and known_as is null and date_of_birth is null))
);
create unique index if not exists participants_account on participants (own_user_id);

-- commit
-- The version before this migration creates profiles without a participant.
create or replace function add_own_participant() returns trigger language plpgsql as $$
begin
  insert into participants (participant_id, kind) values (new.user_id, 'self') on conflict do nothing;
  return null;
end $$;
create or replace trigger profiles_add_own_participant after insert on profiles
  for each row execute function add_own_participant();

-- commit
-- Profiles made before the trigger, in batches.
do $$
declare
  last uuid := '00000000-0000-0000-0000-000000000000';
  batch uuid[];
begin
  loop
    batch := array(select user_id from profiles where user_id > last order by user_id limit 1000);
    exit when cardinality(batch) = 0;
    last := batch[cardinality(batch)];
    insert into participants (participant_id, kind, deleted_at)
    select user_id, 'self', deleted_at from profiles where user_id = any(batch)
    on conflict do nothing;
    commit;
  end loop;
end $$;

-- commit
-- The name that coaches and messages show.
create or replace function name_of_participant(participant participants) returns text
  language sql stable parallel safe as $$
  select coalesce(participant.full_name,
    (select full_name from profiles where user_id = participant.own_user_id), 'Deleted participant')
$$;

-- Who books for a dependant. Nobody needs to be a guardian of their own participant.
create table if not exists guardians (
  participant_id uuid not null constraint guardians_participant_exists references participants on delete restrict,
  user_id uuid not null constraint guardians_person_exists references profiles (user_id) on delete restrict,
  relation text not null constraint guardians_relation_known
    check (relation in ('parent', 'grandparent', 'relative', 'carer', 'other')),
  -- When the person confirmed that they are 18 or over.
  declared_adult_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  primary key (participant_id, user_id)
);
create index if not exists guardians_person on guardians (user_id);

-- Like business_invitations: only the hash of the link is kept.
create table if not exists guardian_invitations (
  guardian_invitation_id uuid primary key default gen_random_uuid(),
  participant_id uuid not null
    constraint guardian_invitations_participant_exists references participants on delete cascade,
  email text not null
    constraint guardian_invitations_email_normalised check (email = lower(email) and length(email) <= 254),
  token_hash bytea not null constraint guardian_invitations_token_unique unique,
  invited_by uuid not null
    constraint guardian_invitations_invited_by_exists references profiles (user_id) on delete restrict,
  status text not null default 'pending' constraint guardian_invitations_status_known
    check (status in ('pending', 'accepted', 'declined', 'withdrawn')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  decided_at timestamptz,
  constraint guardian_invitations_decided_unless_pending check ((status = 'pending') = (decided_at is null))
);
create unique index if not exists guardian_invitations_pending on guardian_invitations (participant_id, email)
  where status = 'pending';
create index if not exists guardian_invitations_inviter on guardian_invitations (invited_by);
create index if not exists guardian_invitations_over on guardian_invitations (coalesce(decided_at, expires_at));

-- Notes about health and needs, emergency contacts and collection, encrypted with DATA_KEY as one text
-- (domain/accounts/care.ts) and bound to the participant.
create table if not exists participant_care (
  participant_id uuid primary key
    constraint participant_care_participant_exists references participants on delete restrict,
  care_encrypted text not null constraint participant_care_is_encrypted check (care_encrypted ~ '^v1\.'),
  -- When a guardian last saved or confirmed it.
  confirmed_at timestamptz not null default now()
);
create index if not exists participant_care_confirmed on participant_care (confirmed_at);

-- commit
-- The version before this migration deletes accounts without erasing their participants: one's own is emptied here; a
-- guardian's account stays until the newer version deletes it.
create or replace function end_own_participant() returns trigger language plpgsql as $$
begin
  if exists (select from guardians where user_id = new.user_id) then
    raise exception 'account % still has dependants', new.user_id using errcode = 'restrict_violation';
  end if;
  update participants set known_as = null, date_of_birth = null, deleted_at = new.deleted_at
  where participant_id = new.user_id and deleted_at is null;
  delete from participant_care where participant_id = new.user_id;
  return null;
end $$;
create or replace trigger profiles_end_own_participant after update of deleted_at on profiles
  for each row when (old.deleted_at is null and new.deleted_at is not null)
  execute function end_own_participant();

-- commit

-- Who else opened a participant's care details. Families see it.
create table if not exists care_reads (
  care_read_id uuid primary key default gen_random_uuid(),
  participant_id uuid not null constraint care_reads_participant_exists references participants on delete restrict,
  read_by uuid not null constraint care_reads_reader_exists references profiles (user_id) on delete restrict,
  reader_role text not null constraint care_reads_reader_role_known
    check (reader_role in ('coach', 'owner', 'welfare_officer', 'admin')),
  slot_id uuid,
  reason text constraint care_reads_reason_length check (length(trim(reason)) between 1 and 500),
  read_at timestamptz not null default now(),
  constraint care_reads_of_admins_have_no_lesson check ((reader_role = 'admin') = (slot_id is null))
);
create index if not exists care_reads_participant on care_reads (participant_id, read_at desc, care_read_id desc);
create index if not exists care_reads_reader on care_reads (read_by);
create index if not exists care_reads_slot on care_reads (slot_id) where (slot_id is not null);
create index if not exists care_reads_read_at on care_reads using brin (read_at) with (pages_per_range = 32);
-- Only an admin's reason can be removed, with the participant.
create or replace trigger care_reads_keep
  before update of participant_id, read_by, reader_role, slot_id, read_at on care_reads
  for each row execute function refuse_change();

-- commit
alter table care_reads
  drop constraint if exists care_reads_slot_exists,
  add constraint care_reads_slot_exists foreign key (slot_id) references lesson_slots on delete restrict;

-- commit
-- Consents are never changed: the newest of a kind counts. A withdrawal is a row as well.
create table if not exists consents (
  consent_id bigint generated always as identity primary key,
  participant_id uuid not null constraint consents_participant_exists references participants on delete restrict,
  kind text not null constraint consents_kind_known check (kind in ('photos', 'first_aid', 'medical')),
  choice text not null constraint consents_choice_known check (choice in ('none', 'coaching', 'club', 'yes', 'no')),
  -- The version of the text in domain/accounts/consents.ts.
  text_version text not null constraint consents_text_version_length check (length(text_version) between 1 and 40),
  given_by uuid not null constraint consents_given_by_exists references profiles (user_id) on delete restrict,
  at timestamptz not null default now(),
  constraint consents_choice_of_kind check ((kind = 'photos') = (choice in ('none', 'coaching', 'club')))
);
create index if not exists consents_participant on consents (participant_id, kind, consent_id desc);
create index if not exists consents_given_by on consents (given_by);
create index if not exists consents_at on consents using brin (at) with (pages_per_range = 32);
create or replace trigger consents_are_append_only before update or delete on consents
  for each row execute function refuse_change_before_expiry();

-- commit
-- Reads the registers of the whole team, as owners do. Ends when the coach leaves the team.
alter table coaches add column if not exists is_welfare_officer boolean not null default false
  constraint coaches_welfare_officer_has_business check (not is_welfare_officer or business_id is not null);
create or replace function end_welfare_office() returns trigger language plpgsql as $$
begin
  new.is_welfare_officer := false;
  return new;
end $$;
create or replace trigger coaches_end_welfare_office before update of business_id on coaches
  for each row when (old.is_welfare_officer and old.business_id is distinct from new.business_id)
  execute function end_welfare_office();

-- commit
-- Who takes part. The version before this migration doesn't name the participant: it books for its customer.
alter table bookings add column if not exists participant_id uuid;

-- commit
create or replace function name_participant_of_booking() returns trigger language plpgsql as $$
begin
  new.participant_id := new.customer_user_id;
  return new;
end $$;
create or replace trigger bookings_name_their_participant before insert on bookings
  for each row when (new.participant_id is null) execute function name_participant_of_booking();

-- commit
-- A consent changes what the coaches of upcoming lessons see.
create or replace function record_consent() returns trigger language plpgsql as $$
begin
  perform record_change('coach', slot.coach_id::text, 'slots', slot.slot_id)
  from bookings booking join lesson_slots slot using (slot_id)
  where booking.participant_id = new.participant_id and booking.is_active and upper(booking.during) > now();
  return null;
end $$;
create or replace trigger consents_record_change after insert on consents
  for each row execute function record_consent();
