-- A person has at most three payments at once that cost something and are not decided yet: each takes one of three
-- numbers. The index is on payments because confirming a booking must not touch an index of bookings.
alter table payments add column hold_number smallint check (hold_number between 1 and 3);
create unique index payments_three_undecided on payments (customer_user_id, hold_number)
  where (status in ('processing', 'requires_action'));

-- The failures of one SetupIntent are counted; five cancel it.
create index webhook_events_failed_setups on webhook_events (object_id)
  where (event_type = 'setup_intent.setup_failed');
