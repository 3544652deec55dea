-- What the search box of discover looks in. `search` holds a template's title, its sport, its coach's name and its
-- description; `search_with_locations` also holds the names, towns and postcodes of all of the coach's locations.
-- The second finds the templates, the first with the slot's own location decides on the slot.
alter table lesson_templates drop column search;
alter table lesson_templates
  add column search tsvector not null default '',
  add column search_with_locations tsvector not null default '';
alter table locations
  add column search tsvector not null
    generated always as (to_tsvector('english', name || ' ' || city || ' ' || postcode)) stored;

create function set_template_search() returns trigger language plpgsql as $$
begin
  new.search :=
    setweight(to_tsvector('english', new.title || ' ' || new.sport), 'A')
    || setweight(to_tsvector('english', coalesce(
      (select full_name from profiles where user_id = new.coach_id), '')), 'B')
    || setweight(to_tsvector('english', new.description), 'C');
  new.search_with_locations := new.search || to_tsvector('english', coalesce(
    (select string_agg(name || ' ' || city || ' ' || postcode, ' ') from locations where coach_id = new.coach_id), ''));
  return new;
end $$;
create trigger lesson_templates_search before insert or update of title, sport, description, coach_id
  on lesson_templates for each row execute function set_template_search();

-- Setting a title to itself makes the trigger above write the documents again.
create function renew_search_of_coach() returns trigger language plpgsql as $$
declare
  changed jsonb := to_jsonb(coalesce(new, old));
begin
  update lesson_templates set title = title
    where coach_id = coalesce(changed ->> 'coach_id', changed ->> 'user_id')::uuid;
  return null;
end $$;
create trigger profiles_search after update of full_name on profiles for each row
  when (old.full_name is distinct from new.full_name) execute function renew_search_of_coach();
create trigger locations_search after insert or delete or update of name, city, postcode on locations
  for each row execute function renew_search_of_coach();

update lesson_templates set title = title;
create index lesson_templates_search on lesson_templates using gin (search_with_locations);
