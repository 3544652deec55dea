-- Few people are admins or coaches. Each role is a list of its own in the admin panel, and all admins are locked
-- whenever somebody's admin role changes.
create index profiles_admins on profiles (created_at desc, user_id desc) where roles @> '{admin}';
create index profiles_coaches on profiles (created_at desc, user_id desc) where roles @> '{coach}';

-- What happened to one person or record, of whatever kind it is.
create index audit_log_subject_id on audit_log (subject_id, audit_id);

-- The overview reads the last weeks. The books only grow at their end, so the smallest index there is finds them.
create index ledger_entries_created on ledger_entries using brin (created_at) with (pages_per_range = 32);
create index lesson_slots_completed on lesson_slots (start_time) where status = 'completed';
