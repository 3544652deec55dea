-- What the cleanup job deletes is found by an index, also where there is nothing to find.
create index one_time_tokens_expiring on one_time_tokens (expires_at);
create index factor_challenges_expiring on factor_challenges (expires_at);
create index email_changes_expiring on email_changes (expires_at);
create index refresh_tokens_used on refresh_tokens (used_at) where used_at is not null;
create index sessions_ended on sessions (ended_at) where ended_at is not null;
create index sessions_open_by_use on sessions (refreshed_at) where ended_at is null;
create index sessions_open_by_start on sessions (created_at) where ended_at is null;
create index users_unconfirmed on users (created_at) where email_confirmed_at is null;
create index webhook_events_handled on webhook_events (received_at) where handled_at is not null;
create index business_invitations_over on business_invitations (coalesce(decided_at, expires_at));
create index audit_log_at on audit_log using brin (at) with (pages_per_range = 32);

-- The audit log stays append-only for as long as it is kept: nothing younger can be deleted, nothing at all changed.
create function refuse_change_before_expiry() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < now() - interval '6 years' then
    return old;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;

drop trigger audit_log_is_append_only on audit_log;

-- Entries about personal data name the fields that changed, not their values.
update audit_log set
  before = null,
  after = jsonb_build_object('changed', coalesce(
    (select jsonb_agg(name order by name) from jsonb_object_keys(coalesce(after, before)) name), '[]'))
where action in ('coach_profile.changed', 'business.changed', 'business.founded', 'bank_details.changed',
    'bank_details.added', 'location.created', 'location.changed', 'location.deleted', 'template.created',
    'template.changed', 'template.deleted')
  and jsonb_typeof(coalesce(after, before)) = 'object';
update audit_log set before = before - 'businessName' where action = 'business.ended';
update audit_log set before = before - 'email', after = after - 'email' where action like 'invitation.%';
update audit_log set after = after - 'reason' where action = 'slot.cancelled';

create trigger audit_log_is_append_only before delete or update on audit_log
  for each row execute function refuse_change_before_expiry();
