-- Bookings made before 0019 are for their customer. In batches, so that no booking is locked for longer than one takes.
do $$
declare
  last uuid := '00000000-0000-0000-0000-000000000000';
  batch uuid[];
begin
  loop
    batch := array(select booking_id from bookings where booking_id > last order by booking_id limit 1000);
    exit when cardinality(batch) = 0;
    last := batch[cardinality(batch)];
    update bookings set participant_id = customer_user_id
    where booking_id = any(batch) and participant_id is null;
    commit;
  end loop;
end $$;

-- commit
alter table bookings
  drop constraint if exists bookings_participant_named,
  add constraint bookings_participant_named check (participant_id is not null) not valid,
  drop constraint if exists bookings_participant_exists,
  add constraint bookings_participant_exists
    foreign key (participant_id) references participants on delete restrict not valid;

-- commit
alter table bookings validate constraint bookings_participant_named, validate constraint bookings_participant_exists;

-- commit
-- The validated check spares PostgreSQL another scan.
alter table bookings alter column participant_id set not null, drop constraint if exists bookings_participant_named;
