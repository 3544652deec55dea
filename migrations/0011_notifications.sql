-- Notifications, their deliveries by channel, and each person's choices about them.

-- One notification per person, kind, subject and version, however often its job runs.
create table notifications (
  notification_id uuid primary key default gen_random_uuid(),
  user_id uuid not null constraint notifications_person_exists references profiles (user_id) on delete restrict,
  -- A kind of src/domain/notifications/kinds.ts. Rows of kinds that no longer exist stay readable.
  kind text not null constraint notifications_kind_is_name check (kind ~ '^[a-z_]{1,40}$'),
  -- What the notification is about: a booking, a lesson, a payrun, a person.
  subject_id uuid not null,
  -- Distinguishes events of one kind about one subject, such as two moves of a lesson.
  version text not null constraint notifications_version_length check (length(version) between 1 and 100),
  -- The person whom the text names, if any: the notification is deleted with that person's account.
  about_user_id uuid constraint notifications_named_person_exists references profiles (user_id) on delete restrict,
  title text not null constraint notifications_title_length check (length(title) between 1 and 300),
  summary text not null constraint notifications_summary_length check (length(summary) <= 600),
  -- The page that the notification opens: a path of our own site.
  path text not null constraint notifications_path_is_ours check (path ~ '^/([^/\\]|$)' and length(path) <= 400),
  -- What decides, when the notification is sent, whether it is still true.
  params jsonb not null default '{}' constraint notifications_params_is_object check (jsonb_typeof(params) = 'object'),
  -- False if the person had switched the kind off in the app.
  is_listed boolean not null,
  created_at timestamptz not null default now(),
  seen_at timestamptz,
  read_at timestamptz,
  constraint notifications_once unique (user_id, kind, subject_id, version),
  constraint notifications_read_is_seen check (read_at is null or seen_at is not null)
) with (fillfactor = 85);

create index notifications_listed on notifications (user_id, created_at desc, notification_id desc) where is_listed;
create index notifications_unread on notifications (user_id) where is_listed and read_at is null;
create index notifications_about on notifications (about_user_id) where about_user_id is not null;
create index notifications_created on notifications using brin (created_at) with (pages_per_range = 32);

-- Identifies an email address without storing it, so that no readable address outlives its account.
create function hash_address(address text) returns text language sql immutable strict parallel safe as
$$ select left(encode(sha256(convert_to(lower(address), 'UTF8')), 'hex'), 32) $$;

-- Addresses that refuse email for good, or whose owners reported it as spam.
create table suppressions (
  -- The result of hash_address.
  address_hash text primary key constraint suppressions_address_hash_is_hex check (address_hash ~ '^[0-9a-f]{32}$'),
  reason text not null constraint suppressions_reason_known check (reason in ('bounced', 'complained')),
  created_at timestamptz not null default now()
);

-- A delivery through one channel; the app's own list needs none.
create table deliveries (
  notification_id uuid not null constraint deliveries_notification_exists references notifications on delete cascade,
  channel text not null constraint deliveries_channel_known check (channel in ('email', 'push')),
  status text not null default 'queued'
    constraint deliveries_status_known check (status in ('queued', 'sent', 'skipped', 'failed', 'bounced')),
  -- Why it was skipped or failed.
  reason text constraint deliveries_reason_known check (
    reason in ('switched_off', 'no_address', 'suppressed', 'no_longer_true', 'refused', 'gave_up', 'complained')),
  -- The address that it was sent to, as in `suppressions`.
  address_hash text constraint deliveries_address_hash_is_hex check (address_hash ~ '^[0-9a-f]{32}$'),
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  primary key (notification_id, channel),
  constraint deliveries_end_has_time check ((status = 'queued') = (ended_at is null)),
  constraint deliveries_reason_of_failure check (reason is null or status in ('skipped', 'failed', 'bounced'))
) with (fillfactor = 85);

-- What a person switched on or off. Everything else follows the default of its kind.
create table notification_preferences (
  user_id uuid not null
    constraint notification_preferences_person_exists references profiles (user_id) on delete restrict,
  kind text not null constraint notification_preferences_kind_is_name check (kind ~ '^[a-z_]{1,40}$'),
  channel text not null
    constraint notification_preferences_channel_known check (channel in ('inApp', 'email', 'push')),
  is_on boolean not null,
  primary key (user_id, kind, channel)
);

-- Whether a channel of a kind is on: `rule` is the kind's rule for it in src/domain/notifications/kinds.ts.
create function is_channel_on(of_user uuid, of_kind text, of_channel text, rule text) returns boolean
language sql stable parallel safe as
$$ select case rule when 'always' then true when 'never' then false else coalesce((
  select is_on from notification_preferences
  where user_id = of_user and kind = of_kind and channel = of_channel), rule = 'on') end $$;

-- Quiet hours in London time, if they differ from the default (21:00 to 07:30); none if `starts_at` is null.
create table quiet_hours (
  user_id uuid primary key constraint quiet_hours_person_exists references profiles (user_id) on delete restrict,
  starts_at time(0),
  ends_at time(0),
  constraint quiet_hours_have_start_and_end check ((starts_at is null) = (ends_at is null)),
  constraint quiet_hours_not_empty check (starts_at <> ends_at)
);

-- The time up to which reminders and digests have been picked, so that none is picked twice or left out.
create table reminder_progress (
  kind text primary key
    constraint reminder_progress_kind_known check (kind in ('reminder_day', 'reminder_hours', 'tomorrow')),
  picked_until timestamptz not null default now()
);
insert into reminder_progress (kind) values ('reminder_day'), ('reminder_hours'), ('tomorrow');

-- Updates the bell in every browser of the person.
create function record_notifications() returns trigger language plpgsql as $$
begin
  perform record_change('user', user_id::text, 'notifications')
  from (select distinct user_id from after_rows where is_listed) person;
  return null;
end $$;
create trigger notifications_record_new after insert on notifications
  referencing new table as after_rows for each statement execute function record_notifications();
create trigger notifications_record_changed after update on notifications
  referencing new table as after_rows for each statement execute function record_notifications();
