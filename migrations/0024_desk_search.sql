-- What the bookings desk searches by: the last digits of a card, a lesson's date, a template's lessons by date, and a
-- dependant's name.
create index if not exists payments_card on payments (card_last_four, payment_id) where card_last_four is not null;

-- commit
create index if not exists lesson_slots_start on lesson_slots (start_time, slot_id);

-- commit
create index if not exists lesson_slots_template_start on lesson_slots (template_id, start_time);

-- commit
drop index if exists lesson_slots_template;
alter index lesson_slots_template_start rename to lesson_slots_template;

-- commit
create index if not exists participants_name_search on participants using gin (full_name gin_trgm_ops);
