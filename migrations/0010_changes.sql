-- Live updates: a transaction that changes something on somebody's screen writes a row here, and every process sends
-- the new rows to the browsers that are connected to it (server/realtime). These transactions must not NOTIFY, which
-- locks the whole database at commit. Unlogged: after a crash the table is empty, and a process whose connection to the
-- database broke makes every browser refetch what it shows.
create unlogged table changes (
  change_id bigint generated always as identity,
  xid xid8 not null default pg_current_xact_id(),
  topic text not null constraint changes_topic_known check (topic in ('places', 'user', 'coach', 'admin')),
  -- `places`: the slot's id. `user`, `coach`: the person's id. `admin`: the kind of change (src/domain/changes.ts).
  key text not null,
  -- `user`, `coach`: the kind of change (src/domain/changes.ts).
  kind text,
  -- The id of the booking, slot, … that changed, if there is exactly one.
  subject_id uuid,
  at timestamptz not null default now(),
  primary key (xid, change_id),
  constraint changes_of_people_have_a_kind check ((topic in ('user', 'coach')) = (kind is not null))
);
create index changes_at on changes (at);

-- Records, in the transaction of a change, what changed for the people who joined a topic:
-- record_change('places', slot_id), record_change('admin', 'payable'),
-- record_change('user', user_id, 'bookings', booking_id), record_change('coach', coach_id, 'earnings').
create function record_change(topic text, key text, kind text default null, subject_id uuid default null)
returns void language plpgsql as $$
begin
  insert into changes (topic, key, kind, subject_id)
  values (record_change.topic, record_change.key, record_change.kind, record_change.subject_id);
end $$;

-- Slots. `booked_count` alone is left to the bookings below, which change in the same transaction.
create function record_new_slots() returns trigger language plpgsql as $$
begin
  perform record_change('coach', coach_id::text, 'slots') from (select distinct coach_id from after_rows) coach;
  return null;
end $$;
create function record_changed_slot() returns trigger language plpgsql as $$
begin
  perform record_change('places', new.slot_id::text);
  -- Taking a seat, the most frequent update, stops here.
  if (new.status, new.price_cents, new.start_time, new.end_time, new.location_id, new.lesson_type, new.sport,
      new.min_capacity, new.max_capacity, new.cancellation_reason)
    is not distinct from (old.status, old.price_cents, old.start_time, old.end_time, old.location_id, old.lesson_type,
      old.sport, old.min_capacity, old.max_capacity, old.cancellation_reason)
  then
    return null;
  end if;
  perform record_change('coach', new.coach_id::text, 'slots', new.slot_id);
  if new.status <> old.status then
    perform record_change('user', customer_user_id::text, 'bookings', booking_id)
    from bookings where slot_id = new.slot_id and status <> 'released';
  end if;
  -- The bookings of a completed lesson may be payable.
  if new.status = 'completed' and old.status <> 'completed' and new.booked_count > 0 then
    perform record_change('admin', 'payable');
  end if;
  return null;
end $$;
create function record_deleted_slots() returns trigger language plpgsql as $$
begin
  perform record_change('places', slot_id::text), record_change('coach', coach_id::text, 'slots', slot_id)
  from before_rows;
  return null;
end $$;
create trigger lesson_slots_record_new after insert on lesson_slots
  referencing new table as after_rows for each statement execute function record_new_slots();
-- For each row, not each statement: joining the rows before and after takes quadratic time in a large update, because
-- a session keeps the plan that it made for a single row.
create trigger lesson_slots_record_changed after update on lesson_slots for each row
  when ((old.status, old.booked_count, old.max_capacity, old.min_capacity, old.price_cents, old.start_time, old.end_time,
      old.location_id, old.lesson_type, old.sport, old.cancellation_reason)
    is distinct from (new.status, new.booked_count, new.max_capacity, new.min_capacity, new.price_cents, new.start_time,
      new.end_time, new.location_id, new.lesson_type, new.sport, new.cancellation_reason))
  execute function record_changed_slot();
create trigger lesson_slots_record_deleted after delete on lesson_slots
  referencing old table as before_rows for each statement execute function record_deleted_slots();

-- Slots are shown with their location's name and address.
create function record_location() returns trigger language plpgsql as $$
begin
  perform record_change('places', slot_id::text) from lesson_slots
  where location_id = new.location_id and status = 'scheduled' and end_time > now();
  perform record_change('coach', new.coach_id::text, 'slots');
  return null;
end $$;
create trigger locations_record_change after update on locations for each row
  when ((old.name, old.address, old.city, old.postcode)
    is distinct from (new.name, new.address, new.city, new.postcode))
  execute function record_location();

-- Bookings, for their customer and for the coach's calendar and attendee list. A payrun's claim changes neither.
create function record_new_bookings() returns trigger language plpgsql as $$
begin
  perform record_change('user', customer_user_id::text, 'bookings', booking_id),
    record_change('coach', slot.coach_id::text, 'slots', slot_id)
  from after_rows join lesson_slots slot using (slot_id);
  return null;
end $$;
create function record_changed_booking() returns trigger language plpgsql as $$
begin
  perform record_change('user', new.customer_user_id::text, 'bookings', new.booking_id),
    record_change('coach', coach_id::text, 'slots', slot_id)
  from lesson_slots where slot_id = new.slot_id;
  return null;
end $$;
create trigger bookings_record_new after insert on bookings
  referencing new table as after_rows for each statement execute function record_new_bookings();
create trigger bookings_record_changed after update on bookings for each row
  when ((old.status, old.slot_id, old.during, old.attended, old.refunded_cents, old.location, old.changed_to,
      old.customer_user_id)
    is distinct from (new.status, new.slot_id, new.during, new.attended, new.refunded_cents, new.location,
      new.changed_to, new.customer_user_id))
  execute function record_changed_booking();

-- Money. An entry of the ledger changes earnings, what is payable and the overview.
create function record_ledger_entries() returns trigger language plpgsql as $$
begin
  perform record_change('coach', coach_id::text, 'earnings') from (select distinct coach_id from after_rows) coach;
  perform record_change('admin', 'payable');
  perform record_change('admin', 'overview');
  return null;
end $$;
create trigger ledger_entries_record_new after insert on ledger_entries
  referencing new table as after_rows for each statement execute function record_ledger_entries();

create function record_payrun_recipients() returns trigger language plpgsql as $$
begin
  perform record_change('coach', coach_id::text, 'earnings') from (select distinct coach_id from after_rows) coach;
  return null;
end $$;
create trigger payrun_recipients_record_new after insert on payrun_recipients
  referencing new table as after_rows for each statement execute function record_payrun_recipients();

create function record_payrun() returns trigger language plpgsql as $$
begin
  perform record_change('admin', 'payruns'), record_change('admin', 'payable');
  perform record_change('coach', coach_id::text, 'earnings') from payrun_recipients where payrun_id = new.payrun_id;
  return null;
end $$;
create trigger payruns_record_change after insert or update on payruns for each row execute function record_payrun();

create function record_bank_details() returns trigger language plpgsql as $$
begin
  perform record_change('admin', 'payable'),
    record_change('coach', coalesce(new.coach_id, old.coach_id)::text, 'earnings');
  return null;
end $$;
create trigger coach_bank_details_record_change after insert or update or delete on coach_bank_details
  for each row execute function record_bank_details();

create function record_refund() returns trigger language plpgsql as $$
begin
  perform record_change('user', customer_user_id::text, 'bookings', booking_id)
  from bookings where payment_id = new.payment_id;
  if new.given_up_at is not null then
    perform record_change('admin', 'refunds');
  end if;
  return null;
end $$;
create trigger refunds_record_change after update on refunds for each row
  when (old.status <> new.status or old.given_up_at is distinct from new.given_up_at)
  execute function record_refund();

-- A disputed payment, or one that was refunded directly in Stripe, is not paid out.
create function record_withheld_payment() returns trigger language plpgsql as $$
begin
  perform record_change('admin', 'payable');
  return null;
end $$;
create trigger disputes_record_change after insert or update on disputes
  for each row execute function record_withheld_payment();
create trigger external_refunds_record_change after insert or update on external_refunds
  for each row execute function record_withheld_payment();

-- People: their name, roles and saved card.
create function record_profile() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform record_change('admin', 'people');
    return null;
  end if;
  if (old.full_name, old.email, old.roles) is distinct from (new.full_name, new.email, new.roles) then
    perform record_change('user', new.user_id::text, 'profile'), record_change('admin', 'people');
  end if;
  if old.stripe_payment_method_id is distinct from new.stripe_payment_method_id then
    perform record_change('user', new.user_id::text, 'card');
  end if;
  return null;
end $$;
create trigger profiles_record_change after insert or update on profiles
  for each row execute function record_profile();

-- Applications for the coach role.
create function record_application() returns trigger language plpgsql as $$
begin
  perform record_change('admin', 'people');
  return null;
end $$;
create trigger business_invitations_record_application after update on business_invitations for each row
  when (new.applied_at is not null and (old.applied_at, old.status) is distinct from (new.applied_at, new.status))
  execute function record_application();

-- Sessions that end, and changes of authenticator apps: a session that has not entered the app's code may do nothing.
create function record_session() returns trigger language plpgsql as $$
begin
  perform record_change('user', coalesce(new.user_id, old.user_id)::text, 'session');
  return null;
end $$;
create trigger sessions_record_end after update on sessions for each row
  when (old.ended_at is null and new.ended_at is not null) execute function record_session();
create trigger sessions_record_deletion after delete on sessions for each row
  when (old.ended_at is null) execute function record_session();
create trigger factors_record_change after insert or update of status or delete on factors for each row
  execute function record_session();
