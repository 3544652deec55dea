-- A booking keeps the lesson as it was sold: what it was called, what was promised, with whom. Receipts and emails read
-- these columns, whatever becomes of the template or of the coach's account.
alter table bookings
  add column title text,
  add column description text,
  add column sport text,
  add column coach_name text,
  -- Where the customer is to go, as they were last told; null for a location to be agreed. What it was when the lesson
  -- was bought is in relocated_from once it differs.
  add column location jsonb check (location ?& array['locationId', 'name', 'address', 'city', 'postcode']),
  -- What the coach has changed title, description and sport to since, as {"title", "description", "sport"}. Anyone who has
  -- this gets all of the money back for cancelling until the lesson starts.
  add column changed_to jsonb check (changed_to ?& array['title', 'description', 'sport']);

update bookings booking
set title = template.title, description = template.description, sport = template.sport, coach_name = coach.full_name,
  location = case when location.location_id is not null then json_build_object('locationId', location.location_id,
    'name', location.name, 'address', location.address, 'city', location.city, 'postcode', location.postcode)::jsonb end
from lesson_slots slot
join lesson_templates template using (template_id)
join profiles coach on coach.user_id = slot.coach_id
left join locations location on location.location_id = slot.location_id
where slot.slot_id = booking.slot_id;

alter table bookings
  alter column title set not null,
  alter column description set not null,
  alter column sport set not null,
  alter column coach_name set not null;

create function refuse_change_of_sold() returns trigger language plpgsql as $$
begin
  raise exception 'what was sold stays as it was sold' using errcode = 'restrict_violation';
end $$;
create trigger bookings_keep_what_was_sold before update of title, description, sport, coach_name on bookings
  for each row execute function refuse_change_of_sold();

-- For whatever writes a booking without saying what was sold, such as imports; holding a seat says it.
create function copy_lesson_to_booking() returns trigger language plpgsql as $$
begin
  select template.title, template.description, template.sport, coach.full_name,
    case when location.location_id is not null then json_build_object('locationId', location.location_id,
      'name', location.name, 'address', location.address, 'city', location.city, 'postcode', location.postcode)::jsonb end
  into new.title, new.description, new.sport, new.coach_name, new.location
  from lesson_slots slot
  join lesson_templates template using (template_id)
  join profiles coach on coach.user_id = slot.coach_id
  left join locations location on location.location_id = slot.location_id
  where slot.slot_id = new.slot_id;
  return new;
end $$;
create trigger bookings_copy_the_lesson before insert on bookings
  for each row when (new.title is null) execute function copy_lesson_to_booking();
