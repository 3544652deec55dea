-- A published lesson can be moved, edited and cancelled. Cancelling it cancels its bookings in the same moment.
alter table lesson_slots
  -- The coach's own sentence for everybody who had booked: "Rain".
  add column cancellation_reason text check (length(trim(cancellation_reason)) between 1 and 200),
  add constraint lesson_slots_reason_of_cancelled check (cancellation_reason is null or status = 'cancelled'),
  add constraint lesson_slots_cancelled_is_empty check (status <> 'cancelled' or booked_count = 0);

-- When the lesson was as this customer bought it, once the coach has moved it since. Anyone who has this gets all of
-- the money back for cancelling until the lesson starts.
alter table bookings add column moved_from tstzrange check (not isempty(moved_from));
