-- Money of one payment can go back more than once: the coach may cancel a lesson for which a late canceller had got a
-- part back already. What may never happen is that more goes back than was charged: `refunded_cents` is raised by every
-- `refunded` entry of the ledger, and its check refuses the transaction that would go too far.
alter table refunds drop constraint refunds_payment_id_key;
create index refunds_payment on refunds (payment_id);

alter table bookings add column refunded_cents integer not null default 0;
update bookings booking set refunded_cents = entry.cents
from (select booking_id, -sum(amount_cents) as cents from ledger_entries where kind = 'refunded' group by booking_id) entry
where entry.booking_id = booking.booking_id;
alter table bookings add constraint bookings_refunded_cents_check check (refunded_cents between 0 and amount_cents);

drop trigger ledger_entries_note_whole_refunds on ledger_entries;
drop function note_whole_refund();
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

-- What an entry comes from: the refund, or the payrun. What happens to a booking once (the charge, its fee, the payout)
-- stays unique by itself.
alter table ledger_entries add column source_id uuid;
alter table ledger_entries disable trigger ledger_entries_are_append_only;
update ledger_entries entry set source_id = refund.refund_id
from bookings booking join refunds refund using (payment_id)
where booking.booking_id = entry.booking_id and entry.kind in ('refunded', 'fee_refunded');
update ledger_entries entry set source_id = item.payrun_id
from payrun_items item
where item.booking_id = entry.booking_id
  and entry.kind = case item.kind when 'lesson' then 'paid_out' else 'paid_back' end;
alter table ledger_entries enable trigger ledger_entries_are_append_only;
alter table ledger_entries drop constraint ledger_entries_booking_id_kind_key;
create unique index ledger_entries_once on ledger_entries (booking_id, kind, source_id) nulls not distinct;
create unique index ledger_entries_paid_out_once on ledger_entries (booking_id) where (kind = 'paid_out');

-- Sending a refund. `asked_cents` is what the card network is asked for under the present idempotency key: it is less
-- than the amount where part of the charge was refunded outside the product. `key_number` goes up after every definite refusal,
-- because the network repeats the stored answer of a key for 24 hours; while an answer is merely missing it stays.
-- `given_up_at` stays once it is set, so that the customer is told when the refund comes through after all.
alter table refunds
  drop constraint refunds_status_check,
  add constraint refunds_status_check check (status in ('pending', 'succeeded', 'failed', 'settled')),
  add column asked_cents integer check (asked_cents between 0 and amount_cents),
  add column key_number integer not null default 0 check (key_number >= 0),
  add column refusals integer not null default 0 check (refusals >= 0),
  add column refused_at timestamptz,
  add column given_up_at timestamptz,
  -- An admin paid the customer another way, and says how.
  add column settled_at timestamptz,
  add column settled_by uuid references profiles (user_id) on delete restrict,
  add column settled_reason text check (length(trim(settled_reason)) between 1 and 300),
  add constraint refunds_settled_check
    check ((status = 'settled') = (settled_at is not null and settled_by is not null and settled_reason is not null));
update refunds set given_up_at = updated_at where status = 'failed';
alter table refunds add constraint refunds_given_up_check check (status not in ('failed', 'settled') or given_up_at is not null);
create index refunds_given_up on refunds (given_up_at, refund_id) where (status = 'failed');
create index refunds_settled_by on refunds (settled_by) where (settled_by is not null);
-- A booking reads "refunded" only while all of its refunds have arrived.
update bookings booking set status = 'cancelled'
from refunds refund
where refund.payment_id = booking.payment_id and booking.status = 'refunded' and refund.status = 'failed';

-- Refunds that somebody made at the card network itself. One may stand for a refund of ours, for `covers_cents` of it;
-- what is left of it nobody has explained yet.
create table external_refunds (
  stripe_refund_id text primary key,
  payment_id uuid not null references payments on delete restrict,
  amount_cents integer not null check (amount_cents > 0),
  -- The card network's own, as last read.
  status text not null check (length(status) between 1 and 40),
  made_at timestamptz not null,
  found_at timestamptz not null default now(),
  refund_id uuid references refunds on delete restrict,
  covers_cents integer not null default 0 check (covers_cents between 0 and amount_cents),
  check ((refund_id is null) = (covers_cents = 0))
);
create index external_refunds_payment on external_refunds (payment_id);
create index external_refunds_refund on external_refunds (refund_id) where (refund_id is not null);
