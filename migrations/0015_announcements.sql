-- What a coach writes to everyone who has a seat in a lesson. It stays with the lesson, so that people who book later
-- can read it. Who got it is known only from their notifications.
create table announcements (
  announcement_id uuid primary key default gen_random_uuid(),
  slot_id uuid not null constraint announcements_slot_exists references lesson_slots on delete restrict,
  coach_id uuid not null constraint announcements_coach_exists references coaches on delete restrict,
  text text not null constraint announcements_text_length check (length(trim(text)) between 1 and 400),
  recipients integer not null constraint announcements_recipients_positive check (recipients > 0),
  sent_at timestamptz not null default now()
);
create index announcements_slot on announcements (slot_id, sent_at desc, announcement_id);
create index announcements_coach on announcements (coach_id);
create index announcements_sent on announcements using brin (sent_at) with (pages_per_range = 32);

-- Nobody can change what people were sent.
create trigger announcements_keep_text before update on announcements
  for each row execute function refuse_change();

-- Updates the open pages of the coach and of everyone with a seat.
create function record_announcement() returns trigger language plpgsql as $$
begin
  perform record_change('coach', new.coach_id::text, 'slots', new.slot_id);
  perform record_change('user', customer_user_id::text, 'bookings', booking_id)
  from bookings where slot_id = new.slot_id and status in ('booked', 'attended');
  return null;
end $$;
create trigger announcements_record_new after insert on announcements
  for each row execute function record_announcement();
