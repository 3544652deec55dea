-- A statement that waits for a lesson's lock still sees other tables as they were before it waited. A volatile function
-- reads the nation as it is now, so a seat taken while the coach changes the nation is checked against the new one.
create or replace function nation_of(of_location uuid) returns text language sql volatile as $$
  select nation from locations where location_id = of_location
$$;
