-- Where the lesson was as this customer bought it, once the coach has moved it to another place since, as
-- {"location": {…}}, with null for a place still to be agreed. Anyone who has this gets all of the money back for cancelling
-- until the lesson starts.
alter table bookings add column relocated_from jsonb check (relocated_from ? 'location');
