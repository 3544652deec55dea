-- Lists that stay quick when they are long: each page is found by an index, wherever it lies.

-- The beginnings, of one letter and of two, of the words in a text: what a search too short for trigrams is looked
-- up in. Words end at spaces and punctuation.
create function word_starts(words text) returns text[]
language sql immutable strict parallel safe
as $$
  select coalesce(array_agg(distinct left(word, letters)), '{}')
  from regexp_split_to_table(lower(words), '[\x01-\x2f\x3a-\x40\x5b-\x60\x7b-\x7f]+') word, (values (1), (2)) size (letters)
  where length(word) >= letters
$$;
-- The part of the address after the @ is shared by too many to tell anybody from the others.
create index profiles_word_starts on profiles
  using gin (word_starts(full_name || ' ' || split_part(email, '@', 1)));

-- The audit log by kind of subject, and by who did it and kind.
create index audit_log_subject_type on audit_log (subject_type, audit_id);
create index audit_log_actor_type on audit_log (actor_user_id, subject_type, audit_id);

-- The ledger names the coach, so that a coach's page of it is one stretch of an index and its balance a sum over it.
-- It is filled in by the database; a check instead of `not null`, so that nobody who writes an entry has to name it.
alter table ledger_entries add column coach_id uuid references coaches on delete restrict;
alter table ledger_entries disable trigger ledger_entries_are_append_only;
update ledger_entries entry set coach_id = slot.coach_id
from bookings booking join lesson_slots slot using (slot_id)
where booking.booking_id = entry.booking_id;
alter table ledger_entries enable trigger ledger_entries_are_append_only;
alter table ledger_entries add constraint ledger_entries_coach_named check (coach_id is not null);
create function name_coach_of_entry() returns trigger language plpgsql as $$
begin
  select slot.coach_id into new.coach_id
  from bookings booking join lesson_slots slot using (slot_id)
  where booking.booking_id = new.booking_id;
  return new;
end $$;
create trigger ledger_entries_name_their_coach before insert on ledger_entries
  for each row execute function name_coach_of_entry();
create index ledger_entries_coach on ledger_entries (coach_id, created_at, booking_id, kind) include (amount_cents)
  where amount_cents <> 0;

-- Whether the coach has a share of a booking: not once all of it was refunded. Together with `is_in_payrun` this keeps
-- what no payrun can pay out of the list of payables. Released holds are neither active nor cancelled; saying it this
-- way leaves the confirmation of a booking a heap-only update.
alter table bookings add column is_owed boolean not null default true;
update bookings booking set is_owed = false
from ledger_entries entry
where entry.booking_id = booking.booking_id and entry.kind = 'refunded' and -entry.amount_cents >= booking.amount_cents;
create function note_whole_refund() returns trigger language plpgsql as $$
begin
  update bookings set is_owed = false
  where booking_id = new.booking_id and is_owed and amount_cents <= -new.amount_cents;
  return null;
end $$;
create trigger ledger_entries_note_whole_refunds after insert on ledger_entries
  for each row when (new.kind = 'refunded') execute function note_whole_refund();
drop index bookings_payable;
create index bookings_payable on bookings (upper(during), booking_id)
  where ((is_active or cancelled_at is not null) and is_owed and not is_in_payrun and fee_cents < amount_cents);
