-- A free lesson can't be reviewed, because no card tells its customers apart (docs/decisions/0114). What was refunded
-- after the lesson makes no difference.
create or replace function refuse_unverified_review() returns trigger language plpgsql as $$
begin
  if not exists (
    select from bookings booking join lesson_slots slot using (slot_id)
    where booking.booking_id = new.booking_id and booking.customer_user_id = new.customer_user_id
      and slot.coach_id = new.coach_id and booking.status in ('booked', 'attended') and upper(booking.during) < now()
      and booking.charged_cents > 0
  ) then
    raise exception 'a review needs a lesson that its author paid for' using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
