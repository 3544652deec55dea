-- A booking is `pending` while its seat is held, then `booked` once it is paid, or `released` if it is not. Its payment
-- is unfinished as long as it is pending, which is how the sweeper finds it. Price, fee, cancellation policy and lesson
-- are those of the moment of purchase.
create table bookings (
  booking_id uuid primary key default gen_random_uuid(),
  slot_id uuid not null constraint bookings_slot_exists references lesson_slots on delete restrict,
  customer_user_id uuid not null constraint bookings_customer_exists references profiles (user_id) on delete restrict,
  payment_id uuid not null
    constraint bookings_payment_unique unique
    constraint bookings_payment_exists references payments on delete restrict,
  status text not null default 'pending' constraint bookings_status_known
    check (status in ('pending', 'booked', 'attended', 'cancelled', 'refunded', 'released')),
  is_active boolean not null generated always as (status in ('pending', 'booked', 'attended')) stored,

  -- The lesson as it was sold, for receipts and emails, whatever becomes of the template and of the coach's account.
  title text not null,
  description text not null,
  sport text not null,
  coach_name text not null,
  -- The slot's time, so that the database itself refuses two lessons at once.
  during tstzrange not null,
  -- Where the customer was last told to go; null for a location to be agreed.
  location jsonb constraint bookings_location_is_whole
    check (location ?& array['locationId', 'name', 'address', 'city', 'postcode']),
  -- What the coach has changed since: the time and the location as they were bought (the latter as {"location": {…}},
  -- with null for one to be agreed), and the title, description and sport that the lesson got. A customer with any of
  -- these gets all of the money back for cancelling until the lesson starts.
  moved_from tstzrange constraint bookings_moved_from_not_empty check (not isempty(moved_from)),
  relocated_from jsonb constraint bookings_relocated_from_has_location check (relocated_from ? 'location'),
  changed_to jsonb constraint bookings_changed_to_is_whole
    check (changed_to ?& array['title', 'description', 'sport']),

  amount_cents integer not null constraint bookings_amount_not_negative check (amount_cents >= 0),
  fee_cents integer not null,
  free_until_hours integer not null constraint bookings_free_until_hours_not_negative check (free_until_hours >= 0),
  late_refund_percent integer not null
    constraint bookings_late_refund_percent_range check (late_refund_percent between 0 and 100),
  refunds_enabled boolean not null,
  -- The sum of the booking's `refunded` ledger entries.
  refunded_cents integer not null default 0,
  -- Whether the coach has a share: not after a whole refund. Like `is_in_payrun`, the claim of a payrun, it decides
  -- what the index bookings_payable holds.
  is_owed boolean not null default true,
  is_in_payrun boolean not null default false,

  attended boolean,
  hold_expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  booked_at timestamptz,
  cancelled_at timestamptz,
  cancelled_by text
    constraint bookings_cancelled_by_known check (cancelled_by in ('customer', 'coach', 'platform')),
  constraint bookings_fee_within_amount check (fee_cents between 0 and amount_cents),
  constraint bookings_refunded_within_amount check (refunded_cents between 0 and amount_cents),
  constraint bookings_booked_has_time check (status not in ('booked', 'attended') or booked_at is not null),
  constraint bookings_cancelled_has_time check ((status in ('cancelled', 'refunded')) = (cancelled_at is not null)),
  constraint bookings_customer_never_overlap exclude using gist (
    customer_user_id with =, during with &&
  ) where (is_active)
) with (fillfactor = 85);
create unique index bookings_one_active_per_slot on bookings (slot_id, customer_user_id) where (is_active);
create index bookings_slot on bookings (slot_id, created_at);
create index bookings_customer on bookings (customer_user_id, created_at desc, booking_id desc);
create index bookings_customer_lesson on bookings (customer_user_id, lower(during), booking_id);
-- Released holds are neither active nor cancelled. Without `status` in the predicate, the confirmation of a booking
-- stays a heap-only update.
create index bookings_payable on bookings (upper(during), booking_id)
  where ((is_active or cancelled_at is not null) and is_owed and not is_in_payrun and fee_cents < amount_cents);

-- Copies the lesson to a new booking, in the statement that takes the seat. The location has all fields of its contract
-- by itself; another field of a template needs a column above and a line here.
create function copy_lesson_to_booking() returns trigger language plpgsql as $$
begin
  select template.title, template.description, template.sport, coach_public_name(coach),
    case when location.location_id is not null then describe_location(location) end
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

create function refuse_change_of_sold_lesson() returns trigger language plpgsql as $$
begin
  raise exception 'a sold lesson cannot be changed' using errcode = 'restrict_violation';
end $$;
create trigger bookings_keep_sold_lesson before update of title, description, sport, coach_name on bookings
  for each row execute function refuse_change_of_sold_lesson();

-- The books, append-only. Amounts are signed from the platform's side of one booking: `charged` is positive, `refunded`
-- negative. `fee` is what the platform keeps, `fee_refunded` (negative) what it gives back with a refund. `paid_out` is
-- what the coach gets, `paid_back` what a later payrun kept of it after a refund.
create table ledger_entries (
  entry_id bigint generated always as identity primary key,
  booking_id uuid not null constraint ledger_entries_booking_exists references bookings on delete restrict,
  -- For a coach's page of the ledger and its balance. A trigger sets it: hence a check instead of `not null`, so that
  -- inserts need not name it.
  coach_id uuid
    constraint ledger_entries_coach_exists references coaches on delete restrict
    constraint ledger_entries_coach_named check (coach_id is not null),
  kind text not null constraint ledger_entries_kind_known
    check (kind in ('charged', 'fee', 'refunded', 'fee_refunded', 'paid_out', 'paid_back')),
  amount_cents integer not null,
  -- The refund or the payrun that the entry comes from.
  source_id uuid,
  created_at timestamptz not null default now(),
  constraint ledger_entries_amount_has_sign_of_kind check (
    (kind in ('charged', 'fee', 'paid_back') and amount_cents >= 0)
    or (kind in ('refunded', 'fee_refunded', 'paid_out') and amount_cents <= 0)
  )
);
-- What happens once per booking (its charge, fee and payout) has no two entries, whatever their source.
create unique index ledger_entries_once on ledger_entries (booking_id, kind, source_id) nulls not distinct;
create unique index ledger_entries_paid_out_once on ledger_entries (booking_id) where (kind = 'paid_out');
create index ledger_entries_coach on ledger_entries (coach_id, created_at, booking_id, kind) include (amount_cents)
  where amount_cents <> 0;
-- The overview reads the last weeks. Entries are only added at the end, so BRIN, the smallest index, finds them.
create index ledger_entries_created on ledger_entries using brin (created_at) with (pages_per_range = 32);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end $$;
create trigger ledger_entries_are_append_only before update or delete on ledger_entries
  for each row execute function refuse_change();

create function name_coach_of_entry() returns trigger language plpgsql as $$
begin
  select slot.coach_id into new.coach_id
  from bookings booking join lesson_slots slot using (slot_id)
  where booking.booking_id = new.booking_id;
  return new;
end $$;
create trigger ledger_entries_name_their_coach before insert on ledger_entries
  for each row execute function name_coach_of_entry();

create function add_refund_to_booking() returns trigger language plpgsql as $$
begin
  update bookings
  set refunded_cents = refunded_cents - new.amount_cents,
      is_owed = is_owed and refunded_cents - new.amount_cents < amount_cents
  where booking_id = new.booking_id;
  return null;
end $$;
create trigger ledger_entries_add_refunds after insert on ledger_entries
  for each row when (new.kind = 'refunded') execute function add_refund_to_booking();
