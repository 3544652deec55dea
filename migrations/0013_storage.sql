-- Pictures and documents. The rows are here; the bytes are files named after content_id, on disk or in S3.
create table storage_objects (
  object_id uuid primary key default gen_random_uuid(),
  bucket text not null constraint storage_objects_bucket_known
    check (bucket in ('avatars', 'gallery', 'documents', 'attachments')),
  owner_user_id uuid not null constraint storage_objects_owner_exists references users on delete cascade,
  -- The name by which clients address the object. No file on disk is named after it.
  path text not null,
  -- The folder of the current bytes. Replacing an object changes it, so addresses with the previous one expire.
  content_id uuid not null constraint storage_objects_content_unique unique,
  content_type text not null constraint storage_objects_content_type_offered
    check (content_type in ('image/webp', 'application/pdf')),
  -- All sizes of a picture together.
  bytes integer not null constraint storage_objects_bytes_positive check (bytes > 0),
  -- Of the largest size of a picture; null for a document.
  width integer,
  height integer,
  cache_seconds integer not null default 3600
    constraint storage_objects_cache_range check (cache_seconds between 0 and 3600),
  alt text not null default '' constraint storage_objects_alt_length check (length(alt) <= 300),
  consent_confirmed_at timestamptz,
  -- Hidden after several reports, until an admin decides.
  state text not null default 'live' constraint storage_objects_state_known check (state in ('live', 'hidden')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint storage_objects_path_unique unique (bucket, path),
  constraint storage_objects_path_below_owner check (starts_with(path, owner_user_id::text || '/')),
  constraint storage_objects_pictures_have_size check (
    (content_type = 'image/webp') = (width is not null and height is not null)
    and (width is null) = (height is null)
  ),
  constraint storage_objects_gallery_has_consent check (bucket <> 'gallery' or consent_confirmed_at is not null)
);
create index storage_objects_owner on storage_objects (owner_user_id, bucket);

-- Bytes that no object refers to any more. A job deletes them and then the row.
create table storage_removals (
  content_id uuid primary key,
  bucket text not null,
  removed_at timestamptz not null default now()
);
create index storage_removals_oldest on storage_removals (removed_at);

-- Queues the bytes of every deleted or replaced object for deletion.
create function remove_stored_bytes() returns trigger language plpgsql as $$
begin
  insert into storage_removals (content_id, bucket) values (old.content_id, old.bucket) on conflict do nothing;
  return null;
end $$;
create trigger storage_objects_remove_bytes after delete on storage_objects
  for each row execute function remove_stored_bytes();
create trigger storage_objects_remove_replaced_bytes after update of content_id on storage_objects
  for each row when (old.content_id <> new.content_id) execute function remove_stored_bytes();

-- The public URL of a person's picture; null without one. Lists read it with the name. It works for visitors only
-- while the person is an active coach.
alter table profiles add column avatar_url text;
alter table profiles add constraint profiles_deleted_has_no_avatar
  check (deleted_at is null or avatar_url is null);

create function copy_avatar_url() returns trigger language plpgsql as $$
declare
  person uuid := coalesce(new.owner_user_id, old.owner_user_id);
begin
  update profiles set avatar_url = (
    select '/storage/v1/object/public/avatars/' || path || '?v=' || left(content_id::text, 8)
    from storage_objects
    where owner_user_id = person and bucket = 'avatars' and state = 'live'
    order by updated_at desc limit 1)
  where user_id = person;
  return null;
end $$;
create trigger storage_objects_insert_avatar after insert on storage_objects
  for each row when (new.bucket = 'avatars') execute function copy_avatar_url();
create trigger storage_objects_change_avatar after update on storage_objects
  for each row when (new.bucket = 'avatars') execute function copy_avatar_url();
create trigger storage_objects_delete_avatar after delete on storage_objects
  for each row when (old.bucket = 'avatars') execute function copy_avatar_url();

-- Visitors' reports of pictures, one per visitor and picture.
create table storage_reports (
  report_id uuid primary key default gen_random_uuid(),
  object_id uuid not null constraint storage_reports_object_exists references storage_objects on delete cascade,
  -- Null for a visitor who is not signed in.
  reporter_user_id uuid constraint storage_reports_reporter_exists references users on delete cascade,
  -- A hash of the user id or of the IP address.
  reporter_hash text not null,
  reason text not null constraint storage_reports_reason_length check (length(trim(reason)) between 1 and 500),
  created_at timestamptz not null default now(),
  -- When an admin kept the picture. Removing the picture deletes its reports.
  decided_at timestamptz,
  constraint storage_reports_once_each unique (object_id, reporter_hash)
);
create index storage_reports_reporter on storage_reports (reporter_user_id);
create index storage_reports_open on storage_reports (created_at) where decided_at is null;
create index storage_reports_decided on storage_reports (decided_at);

-- Updates the open pages of admins.
create function record_report() returns trigger language plpgsql as $$
begin
  perform record_change('admin', 'pictures');
  return null;
end $$;
create trigger storage_reports_record_change after insert or update or delete on storage_reports
  for each row execute function record_report();
