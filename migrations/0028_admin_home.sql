-- The audit log is read by days: the entries around a midnight are looked up, whatever number they have.
create index audit_log_by_time on audit_log (at);

-- What waits for an admin.
create index payruns_pending on payruns (created_at) where status = 'pending';
create index disputes_against_us on disputes (payment_id) where status not in ('won', 'warning_closed');
