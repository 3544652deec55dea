-- Any change to a location is live, so a new column needs no trigger of its own (migrations/0010_changes.sql).
create or replace trigger locations_record_change after update on locations for each row
  when (old.* is distinct from new.*)
  execute function record_location();
