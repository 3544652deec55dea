-- Reviews of coaches by the people who paid for their lessons (docs/decisions/0103). `period` is the 12 months in which
-- a customer has one review of a coach, and can edit it.
create table if not exists reviews (
  review_id uuid primary key default gen_random_uuid(),
  booking_id uuid not null constraint reviews_booking_exists references bookings on delete restrict,
  coach_id uuid not null,
  customer_user_id uuid not null,
  -- Who took part: the customer, a dependant under 18 or another dependant. The public reads no other detail.
  written_for text not null constraint reviews_written_for_known check (written_for in ('self', 'junior', 'dependant')),
  period daterange not null,
  -- A hash of Stripe's fingerprint of the card that paid; null for a free lesson.
  card_hash text,
  rating smallint not null constraint reviews_rating_range check (rating between 1 and 5),
  body text not null constraint reviews_body_length check (length(body) between 20 and 1000),
  -- What the automatic checks found, and the text without it, which is published if no admin decides in time.
  findings text[] not null default '{}',
  masked_body text,
  is_masked boolean not null default false,
  status text not null constraint reviews_status_known check (status in ('pending', 'held', 'published', 'removed')),
  created_at timestamptz not null default now(),
  submitted_at timestamptz not null default now(),
  published_at timestamptz,
  edited_at timestamptz,
  constraint reviews_booking_unique unique (booking_id),
  constraint reviews_not_of_oneself check (coach_id <> customer_user_id),
  constraint reviews_published_has_time check (status <> 'published' or published_at is not null),
  constraint reviews_held_has_findings check (status <> 'held' or cardinality(findings) > 0),
  constraint reviews_findings_have_masked_body check ((cardinality(findings) > 0) = (masked_body is not null)),
  constraint reviews_masked_has_text check (not is_masked or masked_body is not null),
  constraint reviews_one_in_12_months exclude using gist (
    coach_id with =, customer_user_id with =, period with &&
  ),
  constraint reviews_one_per_card exclude using gist (
    coach_id with =, card_hash with =, period with &&
  ) where (card_hash is not null)
);
create index if not exists reviews_customer on reviews (customer_user_id, submitted_at desc);
create index if not exists reviews_of_coach on reviews (coach_id, published_at desc, review_id desc)
  where status = 'published';
create index if not exists reviews_undecided on reviews (submitted_at) where status in ('pending', 'held');

-- commit
alter table reviews
  drop constraint if exists reviews_coach_exists,
  add constraint reviews_coach_exists foreign key (coach_id) references coaches on delete restrict;

-- commit
alter table reviews
  drop constraint if exists reviews_customer_exists,
  add constraint reviews_customer_exists foreign key (customer_user_id) references profiles (user_id) on delete restrict;

-- commit
-- A review is by the person who paid, of the coach who taught, after the lesson.
create or replace function refuse_unverified_review() returns trigger language plpgsql as $$
begin
  if not exists (
    select from bookings booking join lesson_slots slot using (slot_id)
    where booking.booking_id = new.booking_id and booking.customer_user_id = new.customer_user_id
      and slot.coach_id = new.coach_id and booking.status in ('booked', 'attended') and upper(booking.during) < now()
  ) then
    raise exception 'a review needs a lesson that its author paid for' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create or replace trigger reviews_need_a_lesson before insert on reviews
  for each row execute function refuse_unverified_review();
create or replace function refuse_change_of_review() returns trigger language plpgsql as $$
begin
  raise exception 'a review keeps its lesson, coach and author' using errcode = 'restrict_violation';
end $$;
create or replace trigger reviews_keep_their_lesson
  before update of booking_id, coach_id, customer_user_id, written_for, period, card_hash on reviews
  for each row execute function refuse_change_of_review();

-- The coach's one answer to a review.
create table if not exists review_replies (
  review_id uuid primary key constraint review_replies_review_exists references reviews on delete cascade,
  coach_id uuid not null,
  body text not null constraint review_replies_body_length check (length(body) between 1 and 1000),
  status text not null default 'published'
    constraint review_replies_status_known check (status in ('published', 'removed')),
  created_at timestamptz not null default now()
);
create index if not exists review_replies_coach on review_replies (coach_id);
create or replace function refuse_change_of_reply() returns trigger language plpgsql as $$
begin
  raise exception 'a coach replies once' using errcode = 'restrict_violation';
end $$;
create or replace trigger review_replies_keep_text before update of coach_id, body, created_at on review_replies
  for each row execute function refuse_change_of_reply();

-- What an admin has to decide: a text that the checks held, a report, an appeal, or whether somebody was there.
create table if not exists review_cases (
  case_id uuid primary key default gen_random_uuid(),
  kind text not null constraint review_cases_kind_known check (kind in ('check', 'report', 'appeal', 'attendance')),
  about text not null constraint review_cases_about_known check (about in ('review', 'reply', 'attendance')),
  review_id uuid constraint review_cases_review_exists references reviews on delete cascade,
  -- Of a contested absence.
  booking_id uuid,
  -- Null for the automatic checks, and for visitors without an account.
  opened_by uuid,
  -- A hash of the account or IP address, so that everyone reports once.
  opened_hash text,
  reason text constraint review_cases_reason_known
    check (reason in ('not_a_customer', 'unlawful', 'private_data', 'abusive', 'off_topic')),
  statement text constraint review_cases_statement_length check (length(statement) between 1 and 1000),
  opened_at timestamptz not null default now(),
  due_at timestamptz not null,
  outcome text constraint review_cases_outcome_known
    check (outcome in ('shown', 'removed', 'accepted', 'declined', 'closed')),
  decided_reason text constraint review_cases_decided_reason_known
    check (decided_reason in ('not_a_customer', 'unlawful', 'private_data', 'abusive', 'off_topic')),
  decided_by uuid,
  decided_at timestamptz,
  constraint review_cases_decided check ((outcome is null) = (decided_at is null)),
  constraint review_cases_removed_for_a_reason check ((outcome is not distinct from 'removed') = (decided_reason is not null)),
  constraint review_cases_subject check (
    case kind when 'attendance' then about = 'attendance' and booking_id is not null and review_id is null
      else about <> 'attendance' and review_id is not null and booking_id is null end),
  constraint review_cases_report_has_reason check ((kind = 'report') = (reason is not null)),
  constraint review_cases_outcome_of_kind check (
    outcome is null or (kind = 'attendance') = (outcome in ('accepted', 'declined')))
);
create unique index if not exists review_cases_one_report_each on review_cases (review_id, about, opened_hash)
  where kind = 'report';
create unique index if not exists review_cases_one_appeal_each on review_cases (review_id, about, opened_by)
  where kind = 'appeal';
create unique index if not exists review_cases_one_check on review_cases (review_id)
  where kind = 'check' and outcome is null;
create unique index if not exists review_cases_one_claim on review_cases (booking_id) where kind = 'attendance';
create index if not exists review_cases_open on review_cases (opened_at, case_id) where outcome is null;
create index if not exists review_cases_decided_at on review_cases (decided_at desc, case_id desc)
  where outcome is not null;
create index if not exists review_cases_review on review_cases (review_id) where review_id is not null;
create index if not exists review_cases_opened_by on review_cases (opened_by) where opened_by is not null;
create index if not exists review_cases_decided_by on review_cases (decided_by) where decided_by is not null;

-- commit
alter table review_cases
  drop constraint if exists review_cases_booking_exists,
  add constraint review_cases_booking_exists foreign key (booking_id) references bookings on delete restrict;

-- commit
alter table review_replies
  drop constraint if exists review_replies_coach_exists,
  add constraint review_replies_coach_exists foreign key (coach_id) references coaches on delete restrict;

-- commit
alter table review_cases
  drop constraint if exists review_cases_opened_by_exists,
  add constraint review_cases_opened_by_exists
    foreign key (opened_by) references profiles (user_id) on delete restrict,
  drop constraint if exists review_cases_decided_by_exists,
  add constraint review_cases_decided_by_exists
    foreign key (decided_by) references profiles (user_id) on delete restrict;

-- commit
-- What was done to reviews, without texts and people, so that it outlives both. The policy page counts it.
create table if not exists moderation_log (
  log_id bigint generated always as identity primary key,
  review_id uuid not null,
  about text not null constraint moderation_log_about_known check (about in ('review', 'reply')),
  action text not null constraint moderation_log_action_known check (action in
    ('submitted', 'held', 'published', 'masked', 'withdrawn', 'reported', 'kept', 'removed', 'appealed', 'restored')),
  reason text constraint moderation_log_reason_known
    check (reason in ('not_a_customer', 'unlawful', 'private_data', 'abusive', 'off_topic')),
  at timestamptz not null default now(),
  constraint moderation_log_removed_for_a_reason check (action <> 'removed' or reason is not null)
);
create index if not exists moderation_log_review on moderation_log (review_id, log_id);
create index if not exists moderation_log_action on moderation_log (action, at);
create or replace function refuse_change_of_moderation() returns trigger language plpgsql as $$
begin
  raise exception 'moderation_log is append-only' using errcode = 'restrict_violation';
end $$;
create or replace trigger moderation_log_is_append_only before update or delete on moderation_log
  for each row execute function refuse_change_of_moderation();

-- commit
-- Everyone who may review a coach is invited once in 12 months.
create table if not exists review_invitations (
  booking_id uuid primary key constraint review_invitations_booking_exists references bookings on delete restrict,
  coach_id uuid not null,
  customer_user_id uuid not null,
  period daterange not null,
  invited_at timestamptz not null default now(),
  constraint review_invitations_one_in_12_months exclude using gist (
    coach_id with =, customer_user_id with =, period with &&
  )
);
create index if not exists review_invitations_customer on review_invitations (customer_user_id);
create index if not exists review_invitations_coach on review_invitations (coach_id);

-- commit
alter table review_invitations
  drop constraint if exists review_invitations_coach_exists,
  add constraint review_invitations_coach_exists foreign key (coach_id) references coaches on delete restrict;

-- commit
alter table review_invitations
  drop constraint if exists review_invitations_customer_exists,
  add constraint review_invitations_customer_exists
    foreign key (customer_user_id) references profiles (user_id) on delete restrict;

-- commit
-- Whose card is whose, without its number: a card counts once per coach, and a coach's own card doesn't count.
create table if not exists card_fingerprints (
  stripe_payment_method_id text primary key,
  user_id uuid not null constraint card_fingerprints_person_exists references profiles (user_id) on delete restrict,
  card_hash text not null constraint card_fingerprints_hash_length check (length(card_hash) = 43),
  saved_at timestamptz not null default now()
);
create index if not exists card_fingerprints_person on card_fingerprints (user_id);

-- commit
-- The figures that the public sees: from the reviews themselves, without counters.
create or replace view coach_ratings as
  select coach_id, count(*)::integer as reviews, sum(rating)::integer as stars,
    array[count(*) filter (where rating = 1), count(*) filter (where rating = 2), count(*) filter (where rating = 3),
      count(*) filter (where rating = 4), count(*) filter (where rating = 5)]::integer[] as distribution
  from reviews
  where status = 'published' and published_at > now() - interval '24 months'
  group by coach_id;

-- Live updates of the author, the coach and the admins.
create or replace function record_review() returns trigger language plpgsql as $$
declare
  review reviews := coalesce(new, old);
begin
  perform record_change('user', review.customer_user_id::text, 'reviews', review.review_id),
    record_change('coach', review.coach_id::text, 'reviews', review.review_id);
  return null;
end $$;
create or replace trigger reviews_record_change after insert or update or delete on reviews
  for each row execute function record_review();
create or replace function record_review_reply() returns trigger language plpgsql as $$
begin
  perform record_change('user', customer_user_id::text, 'reviews', review_id),
    record_change('coach', coach_id::text, 'reviews', review_id)
  from reviews where review_id = new.review_id;
  return null;
end $$;
create or replace trigger review_replies_record_change after insert or update on review_replies
  for each row execute function record_review_reply();
create or replace function record_review_case() returns trigger language plpgsql as $$
begin
  perform record_change('admin', 'reviews');
  if tg_op <> 'DELETE' and new.opened_by is not null then
    perform record_change('user', new.opened_by::text, 'reviews', new.review_id);
  end if;
  return null;
end $$;
create or replace trigger review_cases_record_change after insert or update or delete on review_cases
  for each row execute function record_review_case();
