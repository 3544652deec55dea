-- A booking is born `pending` while its seat is held, and becomes `booked` when it is paid, or `released`
-- when it is not (its payment is unfinished as long as it is pending, which is how the sweeper finds it). `during` repeats the slot's time so that the database itself refuses two lessons at once.
-- Price, fee and cancellation policy are those of the moment of purchase.
create table bookings (
  booking_id uuid primary key default gen_random_uuid(),
  slot_id uuid not null references lesson_slots on delete restrict,
  customer_user_id uuid not null references profiles (user_id) on delete restrict,
  payment_id uuid not null unique references payments on delete restrict,
  status text not null default 'pending'
    check (status in ('pending', 'booked', 'attended', 'cancelled', 'refunded', 'released')),
  is_active boolean not null generated always as (status in ('pending', 'booked', 'attended')) stored,
  amount_cents integer not null check (amount_cents >= 0),
  fee_cents integer not null check (fee_cents between 0 and amount_cents),
  free_until_hours integer not null check (free_until_hours >= 0),
  late_refund_percent integer not null check (late_refund_percent between 0 and 100),
  refunds_enabled boolean not null,
  during tstzrange not null,
  attended boolean,
  hold_expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  booked_at timestamptz,
  cancelled_at timestamptz,
  cancelled_by text check (cancelled_by in ('customer', 'coach', 'platform')),
  check ((status in ('cancelled', 'refunded')) = (cancelled_at is not null)),
  check (status not in ('booked', 'attended') or booked_at is not null),
  constraint bookings_customer_never_overlap exclude using gist (
    customer_user_id with =, during with &&
  ) where (is_active)
) with (fillfactor = 85);
create unique index bookings_one_active_per_slot on bookings (slot_id, customer_user_id) where (is_active);
create index bookings_slot on bookings (slot_id, created_at);
create index bookings_customer on bookings (customer_user_id, created_at desc, booking_id desc);

-- Append-only books. Amounts are signed from the platform's side of one booking:
-- charged +, refunded −, fee is what the platform keeps of it (and gives back, negative, with a refund).
create table ledger_entries (
  entry_id bigint generated always as identity primary key,
  booking_id uuid not null references bookings on delete restrict,
  kind text not null check (kind in ('charged', 'fee', 'refunded', 'fee_refunded', 'paid_out')),
  amount_cents integer not null,
  created_at timestamptz not null default now(),
  check ((kind in ('charged', 'fee') and amount_cents >= 0) or (kind not in ('charged', 'fee') and amount_cents <= 0)),
  unique (booking_id, kind)
);

create trigger ledger_entries_are_append_only before update or delete on ledger_entries
  for each row execute function refuse_change();
