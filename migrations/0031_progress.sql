-- What a coach notes after a lesson, about one participant. A note for everyone in a lesson is a row for each of them,
-- so that each family can read, keep and erase its own. `business_id` is the business the coach worked for at the time,
-- without a foreign key: a coach who has left it, or whose business has ended, no longer sees the note.
create table if not exists session_notes (
  note_id uuid primary key default gen_random_uuid(),
  booking_id uuid not null constraint session_notes_booking_exists references bookings on delete restrict,
  participant_id uuid not null constraint session_notes_participant_exists references participants on delete restrict,
  coach_id uuid not null constraint session_notes_coach_exists references coaches on delete restrict,
  business_id uuid,
  is_for_all boolean not null default false,
  is_shared boolean not null,
  body text not null constraint session_notes_body_length check (length(trim(body)) between 1 and 4000),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- From then on the note can only be added to.
  locked_at timestamptz not null default now() + interval '7 days',
  constraint session_notes_one_of_each unique (booking_id, is_for_all, is_shared)
);
create index if not exists session_notes_participant on session_notes (participant_id);
create index if not exists session_notes_coach on session_notes (coach_id);

create or replace function refuse_change_of_locked_note() returns trigger language plpgsql as $$
begin
  raise exception 'a note is only added to after 7 days' using errcode = 'restrict_violation';
end $$;
create or replace trigger session_notes_lock before update on session_notes
  for each row when (old.locked_at <= now()) execute function refuse_change_of_locked_note();
create or replace trigger session_notes_stay_where_they_are
  before update of booking_id, participant_id, coach_id, business_id, is_for_all, is_shared, created_at, locked_at
  on session_notes for each row execute function refuse_change();

create table if not exists note_additions (
  addition_id uuid primary key default gen_random_uuid(),
  note_id uuid not null constraint note_additions_note_exists references session_notes on delete cascade,
  body text not null constraint note_additions_body_length check (length(trim(body)) between 1 and 2000),
  added_at timestamptz not null default now()
);
create index if not exists note_additions_note on note_additions (note_id, added_at);
create or replace trigger note_additions_keep before update on note_additions
  for each row execute function refuse_change();

create table if not exists note_files (
  object_id uuid primary key constraint note_files_object_exists references storage_objects on delete cascade,
  note_id uuid not null constraint note_files_note_exists references session_notes on delete cascade,
  added_at timestamptz not null default now()
);
create index if not exists note_files_note on note_files (note_id, added_at);

create or replace function photos_allowed(participant uuid) returns boolean language sql stable as $$
  select coalesce((select choice in ('coaching', 'club') from consents
    where participant_id = participant and kind = 'photos' order by consent_id desc limit 1), false)
$$;
-- At most three pictures of one participant, and only while the family allows photos for coaching. The lock on the note
-- makes two uploads wait for each other.
create or replace function guard_note_file() returns trigger language plpgsql as $$
declare
  note session_notes;
begin
  select * into note from session_notes where note_id = new.note_id for update;
  if note.is_for_all or not photos_allowed(note.participant_id) then
    raise exception 'no consent to a picture' using errcode = 'restrict_violation';
  end if;
  if (select count(*) from note_files where note_id = new.note_id) >= 3 then
    raise exception 'a note has at most three pictures' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create or replace trigger note_files_guard before insert on note_files
  for each row execute function guard_note_file();
-- A picture is nothing without its note.
create or replace function remove_note_picture() returns trigger language plpgsql as $$
begin
  delete from storage_objects where object_id = old.object_id;
  return null;
end $$;
create or replace trigger note_files_remove_picture after delete on note_files
  for each row execute function remove_note_picture();
-- Withdrawing the consent deletes the pictures at once.
create or replace function remove_pictures_without_consent() returns trigger language plpgsql as $$
begin
  delete from note_files using session_notes note
  where note_files.note_id = note.note_id and note.participant_id = new.participant_id;
  return null;
end $$;
create or replace trigger consents_remove_pictures after insert on consents
  for each row when (new.kind = 'photos' and new.choice = 'none')
  execute function remove_pictures_without_consent();

create table if not exists goals (
  goal_id uuid primary key default gen_random_uuid(),
  participant_id uuid not null constraint goals_participant_exists references participants on delete restrict,
  coach_id uuid not null constraint goals_coach_exists references coaches on delete restrict,
  business_id uuid,
  sport text not null,
  title text not null constraint goals_title_length check (length(trim(title)) between 1 and 200),
  due_on date,
  status text not null default 'open' constraint goals_status_known check (status in ('open', 'reached', 'dropped')),
  created_at timestamptz not null default now(),
  decided_at timestamptz,
  constraint goals_decided_unless_open check ((status = 'open') = (decided_at is null))
);
create index if not exists goals_participant on goals (participant_id);
create index if not exists goals_coach on goals (coach_id);

-- The list by which a business, or a coach without one, assesses. In the order of `position`.
create table if not exists skills (
  skill_id uuid primary key default gen_random_uuid(),
  business_id uuid constraint skills_business_exists references coaching_businesses on delete cascade,
  coach_id uuid constraint skills_coach_exists references coaches on delete restrict,
  sport text not null,
  name text not null constraint skills_name_length check (length(trim(name)) between 1 and 60),
  position integer not null,
  constraint skills_have_one_owner check (num_nonnulls(business_id, coach_id) = 1)
);
create unique index if not exists skills_of_business_once on skills (business_id, sport, lower(name));
create unique index if not exists skills_of_coach_once on skills (coach_id, sport, lower(name));

-- Assessments keep the name of the skill, because lists change.
create table if not exists assessments (
  assessment_id uuid primary key default gen_random_uuid(),
  participant_id uuid not null constraint assessments_participant_exists references participants on delete restrict,
  skill_id uuid constraint assessments_skill_exists references skills on delete set null,
  sport text not null,
  skill_name text not null,
  level integer not null constraint assessments_level_range check (level between 1 and 5),
  coach_id uuid not null constraint assessments_coach_exists references coaches on delete restrict,
  business_id uuid,
  booking_id uuid not null constraint assessments_booking_exists references bookings on delete restrict,
  at timestamptz not null default now()
);
create index if not exists assessments_participant on assessments (participant_id, at);
create index if not exists assessments_coach on assessments (coach_id);
create index if not exists assessments_booking on assessments (booking_id);
create index if not exists assessments_skill on assessments (skill_id);
-- Never overwritten. The skill alone may go, with the list that it was in.
create or replace trigger assessments_are_append_only
  before update of assessment_id, participant_id, sport, skill_name, level, coach_id, business_id, booking_id, at
  on assessments for each row execute function refuse_change();
create or replace trigger assessments_keep_their_skill before update of skill_id on assessments
  for each row when (new.skill_id is not null) execute function refuse_change();

-- How a lesson went for the family. Only the coach of the lesson reads it.
create table if not exists lesson_answers (
  booking_id uuid primary key constraint lesson_answers_booking_exists references bookings on delete restrict,
  participant_id uuid not null constraint lesson_answers_participant_exists references participants on delete restrict,
  coach_id uuid not null constraint lesson_answers_coach_exists references coaches on delete restrict,
  business_id uuid,
  answered_by uuid not null constraint lesson_answers_author_exists references profiles (user_id) on delete restrict,
  rating integer not null constraint lesson_answers_rating_range check (rating between 1 and 5),
  body text not null default '' constraint lesson_answers_body_length check (length(body) <= 300),
  answered_at timestamptz not null default now()
);
create index if not exists lesson_answers_participant on lesson_answers (participant_id);
create index if not exists lesson_answers_coach on lesson_answers (coach_id);
create index if not exists lesson_answers_author on lesson_answers (answered_by);

-- A coach's concern about the welfare of a participant. Without `business_id`, the admins look into it.
create table if not exists welfare_concerns (
  concern_id uuid primary key default gen_random_uuid(),
  booking_id uuid not null constraint welfare_concerns_booking_exists references bookings on delete restrict,
  participant_id uuid not null constraint welfare_concerns_participant_exists references participants on delete restrict,
  reported_by uuid not null constraint welfare_concerns_reporter_exists references profiles (user_id) on delete restrict,
  business_id uuid constraint welfare_concerns_business_exists references coaching_businesses on delete set null,
  body text not null constraint welfare_concerns_body_length check (length(trim(body)) between 1 and 4000),
  reported_at timestamptz not null default now(),
  handled_at timestamptz,
  handled_by uuid constraint welfare_concerns_handler_exists references profiles (user_id) on delete restrict,
  constraint welfare_concerns_handled_by_someone check ((handled_at is null) = (handled_by is null))
);
create index if not exists welfare_concerns_business on welfare_concerns (business_id);
create index if not exists welfare_concerns_reporter on welfare_concerns (reported_by);
create index if not exists welfare_concerns_handler on welfare_concerns (handled_by) where (handled_by is not null);
create index if not exists welfare_concerns_participant on welfare_concerns (participant_id);
create index if not exists welfare_concerns_booking on welfare_concerns (booking_id);
create index if not exists welfare_concerns_reported on welfare_concerns (reported_at desc, concern_id desc);
create or replace trigger welfare_concerns_keep
  before update of booking_id, participant_id, reported_by, body, reported_at on welfare_concerns
  for each row execute function refuse_change();

-- commit
-- What a business requires before a lesson of its coaches can be paid out.
alter table coaching_businesses add column if not exists payout_needs text not null default 'none'
  constraint coaching_businesses_payout_needs_known check (payout_needs in ('none', 'attendance', 'note'));

-- commit
-- What the payout of a booking waits for; null for nothing. Seven days after the lesson it waits for nothing. Everything
-- that pays or shows payouts asks this function.
create or replace function payout_waits_for(booking bookings, slot lesson_slots) returns text
  language sql stable parallel safe as $$
  select case
    when slot.end_time <= now() - interval '7 days' or booking.cancelled_at is not null or booking.attended is false
      then null
    else (
      select case
        when business.payout_needs = 'none' then null
        when booking.attended is null then 'attendance'
        when business.payout_needs = 'note'
          and not exists (select from session_notes note where note.booking_id = booking.booking_id) then 'note'
      end
      from coaches coach join coaching_businesses business on business.business_id = coach.business_id
      where coach.coach_id = slot.coach_id)
  end
$$;

-- commit
-- What the coach's business required when the payrun was created, for the audit of the books. Null before this column.
alter table payrun_items add column if not exists payout_needs text
  constraint payrun_items_payout_needs_known check (payout_needs in ('none', 'attendance', 'note'));
create or replace function refuse_waiting_item() returns trigger language plpgsql as $$
begin
  if (select payout_waits_for(booking, slot) from bookings booking join lesson_slots slot using (slot_id)
      where booking.booking_id = new.booking_id) is not null then
    raise exception 'booking % is not payable yet', new.booking_id using errcode = 'restrict_violation';
  end if;
  select case when slot.end_time <= now() - interval '7 days' then 'none' else coalesce(business.payout_needs, 'none') end
  into new.payout_needs
  from bookings booking join lesson_slots slot using (slot_id)
  left join coaches coach on coach.coach_id = slot.coach_id
  left join coaching_businesses business on business.business_id = coach.business_id
  where booking.booking_id = new.booking_id;
  return new;
end $$;
create or replace trigger payrun_items_wait before insert on payrun_items
  for each row when (new.kind = 'lesson') execute function refuse_waiting_item();

-- commit
-- Live updates: families of what is shared, the coach of everything.
create or replace function record_progress_of(participant uuid, coach uuid, is_shared boolean) returns void
  language plpgsql as $$
begin
  if is_shared then
    perform record_change('user', own_user_id::text, 'progress', participant_id) from participants
    where participant_id = participant and own_user_id is not null;
    perform record_change('user', user_id::text, 'progress', participant_id) from guardians
    where participant_id = participant;
  end if;
  perform record_change('coach', coach::text, 'progress', participant);
end $$;
create or replace function record_session_note() returns trigger language plpgsql as $$
declare
  note session_notes := coalesce(new, old);
begin
  perform record_progress_of(note.participant_id, note.coach_id, note.is_shared);
  if tg_op <> 'UPDATE' then
    perform record_change('admin', 'payable'), record_change('coach', note.coach_id::text, 'earnings');
  end if;
  return null;
end $$;
create or replace trigger session_notes_record_change after insert or update or delete on session_notes
  for each row execute function record_session_note();
create or replace function record_note_part() returns trigger language plpgsql as $$
begin
  perform record_progress_of(participant_id, coach_id, is_shared) from session_notes
  where note_id = coalesce(new.note_id, old.note_id);
  return null;
end $$;
create or replace trigger note_additions_record_change after insert on note_additions
  for each row execute function record_note_part();
create or replace trigger note_files_record_change after insert or delete on note_files
  for each row execute function record_note_part();
create or replace function record_progress() returns trigger language plpgsql as $$
begin
  perform record_progress_of(new.participant_id, new.coach_id, true);
  return null;
end $$;
create or replace trigger goals_record_change after insert or update on goals
  for each row execute function record_progress();
create or replace trigger assessments_record_new after insert on assessments
  for each row execute function record_progress();
create or replace trigger lesson_answers_record_change after insert or update on lesson_answers
  for each row execute function record_progress();
create or replace function record_payout_needs() returns trigger language plpgsql as $$
begin
  perform record_change('admin', 'payable');
  perform record_change('coach', coach_id::text, 'earnings') from coaches where business_id = new.business_id;
  return null;
end $$;
create or replace trigger coaching_businesses_record_payout_needs after update on coaching_businesses
  for each row when (old.payout_needs <> new.payout_needs) execute function record_payout_needs();
create or replace function record_payable_mark() returns trigger language plpgsql as $$
begin
  perform record_change('admin', 'payable') from lesson_slots slot join coaches coach using (coach_id)
    join coaching_businesses business on business.business_id = coach.business_id
  where slot.slot_id = new.slot_id and business.payout_needs <> 'none';
  return null;
end $$;
create or replace trigger bookings_record_payable_mark after update of attended on bookings
  for each row when (old.attended is distinct from new.attended) execute function record_payable_mark();
