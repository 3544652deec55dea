-- Applications for the coach role (docs/decisions/0098). A person has one open application at a time: a draft until it is
-- handed in, then with the admins, who approve it, decline it or ask for changes.
create table if not exists coach_applications (
  application_id uuid primary key default gen_random_uuid(),
  user_id uuid not null,
  status text not null default 'draft' constraint coach_applications_status_known
    check (status in ('draft', 'submitted', 'changes', 'approved', 'declined', 'withdrawn')),
  headline text constraint coach_applications_headline_length check (length(headline) between 1 and 100),
  bio text constraint coach_applications_bio_length check (length(bio) between 1 and 4000),
  sports text[] not null default '{}',
  nations text[] not null default '{}' constraint coach_applications_nations_known
    check (nations <@ '{england,scotland,wales,northern_ireland}'),
  experience text constraint coach_applications_experience_length check (length(experience) between 1 and 4000),
  coaches_juniors boolean,
  terms_accepted_at timestamptz,
  -- What the admin wrote to the person with the latest decision.
  decision_message text
    constraint coach_applications_decision_message_length check (length(decision_message) between 1 and 1000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  submitted_at timestamptz,
  decided_at timestamptz,
  -- Null if the role is given at once, without an admin.
  decided_by uuid,
  constraint coach_applications_handed_in_complete check (
    status not in ('submitted', 'approved') or (
      headline is not null and bio is not null and cardinality(sports) > 0 and cardinality(nations) > 0
      and experience is not null and coaches_juniors is not null and terms_accepted_at is not null
      and submitted_at is not null)),
  constraint coach_applications_decided_has_time check (
    (status in ('approved', 'declined', 'withdrawn')) <= (decided_at is not null)),
  constraint coach_applications_refusal_has_message check (
    status not in ('changes', 'declined') or decision_message is not null)
);
create unique index if not exists coach_applications_one_open_each on coach_applications (user_id)
  where status in ('draft', 'submitted', 'changes');
create index if not exists coach_applications_person on coach_applications (user_id, created_at desc);
create index if not exists coach_applications_waiting on coach_applications (submitted_at, application_id)
  where status = 'submitted';
create index if not exists coach_applications_decided on coach_applications (decided_at desc, application_id desc)
  where status in ('approved', 'declined');
create index if not exists coach_applications_decided_by on coach_applications (decided_by)
  where decided_by is not null;

-- commit
alter table coach_applications
  drop constraint if exists coach_applications_person_exists,
  add constraint coach_applications_person_exists
    foreign key (user_id) references profiles (user_id) on delete restrict,
  drop constraint if exists coach_applications_decided_by_exists,
  add constraint coach_applications_decided_by_exists
    foreign key (decided_by) references profiles (user_id) on delete restrict;

-- commit
-- An application that is approved, declined or withdrawn stays as it was; a new one is another row.
create or replace function refuse_change_of_application() returns trigger language plpgsql as $$
begin
  if old.status in ('approved', 'declined', 'withdrawn') and new.status is distinct from old.status then
    raise exception 'an application is decided once' using errcode = 'restrict_violation';
  end if;
  if new.status in ('approved', 'declined') and old.status not in ('submitted', 'changes', new.status) then
    raise exception 'only an application that was handed in is decided' using errcode = 'restrict_violation';
  end if;
  if new.user_id <> old.user_id then
    raise exception 'an application keeps its person' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create or replace trigger coach_applications_are_decided_once before update of status, user_id on coach_applications
  for each row execute function refuse_change_of_application();

-- Live updates of the person and of the admins, who don't see drafts.
create or replace function record_coach_application() returns trigger language plpgsql as $$
declare
  application coach_applications := coalesce(new, old);
begin
  if tg_op <> 'UPDATE' or new.status <> old.status then
    perform record_change('user', application.user_id::text, 'application', application.application_id);
    perform record_change('admin', 'applications');
  end if;
  return null;
end $$;
create or replace trigger coach_applications_record_change after insert or update or delete on coach_applications
  for each row execute function record_coach_application();
