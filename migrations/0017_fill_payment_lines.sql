-- Completes the rows of the former version in batches, so that no booking is locked for longer than a batch takes.
do $$
declare
  last uuid := '00000000-0000-0000-0000-000000000000';
  batch uuid[];
begin
  loop
    batch := array(select booking_id from bookings where booking_id > last order by booking_id limit 500);
    exit when cardinality(batch) = 0;
    last := batch[cardinality(batch)];

    insert into payment_lines (payment_id, line_no, booking_id, amount_cents)
    select payment_id, 1, booking_id, amount_cents from bookings booking
    where booking_id = any(batch)
      and not exists (select from payment_lines line where line.booking_id = booking.booking_id)
    on conflict do nothing;

    perform from bookings where booking_id = any(batch) order by booking_id for no key update;
    update bookings booking set charged_cents = entry.cents
    from (
      select booking_id, sum(amount_cents) as cents from ledger_entries
      where booking_id = any(batch) and kind = 'charged' group by booking_id
    ) entry
    where booking.booking_id = entry.booking_id and booking.charged_cents <> entry.cents;

    -- A booking has at most one entry of each kind without a source.
    update ledger_entries entry
    set source_id = coalesce(case when entry.kind in ('refunded', 'fee_refunded') then (
        select refund.refund_id from refunds refund
        where refund.payment_id = booking.payment_id and not exists (
          select from ledger_entries other where other.booking_id = entry.booking_id and other.kind = entry.kind
            and other.source_id = refund.refund_id)
        order by refund.created_at, refund.refund_id limit 1
      ) end, booking.payment_id)
    from bookings booking
    where entry.booking_id = any(batch) and entry.source_id is null and booking.booking_id = entry.booking_id;

    insert into refund_lines (refund_id, booking_id, amount_cents, coach_cents, fee_cents)
    select refund_id, entry.booking_id, -entry.amount_cents, -entry.amount_cents - fee.cents, fee.cents
    from ledger_entries entry
    join refunds on refund_id = entry.source_id
    cross join lateral (
      select coalesce(-sum(amount_cents), 0)::integer as cents from ledger_entries other
      where other.booking_id = entry.booking_id and other.kind = 'fee_refunded' and other.source_id = entry.source_id
    ) fee
    where entry.booking_id = any(batch) and entry.kind = 'refunded' and entry.amount_cents < 0
    on conflict do nothing;
    commit;
  end loop;
end $$;

-- commit
create or replace trigger ledger_entries_are_append_only before update or delete on ledger_entries
  for each row execute function refuse_change();
drop trigger if exists ledger_entries_are_never_deleted on ledger_entries;
alter table ledger_entries
  drop constraint if exists ledger_entries_source_named,
  add constraint ledger_entries_source_named check (source_id is not null) not valid;

-- commit
alter table ledger_entries validate constraint ledger_entries_source_named;

-- commit
alter table bookings
  drop constraint if exists bookings_refunded_within_charged,
  add constraint bookings_refunded_within_charged check (refunded_cents between 0 and charged_cents) not valid,
  drop constraint if exists bookings_refunded_within_amount;

-- commit
alter table bookings validate constraint bookings_refunded_within_charged;

-- commit
-- The tables are locked in the order in which bookings write to them.
lock table payments in share row exclusive mode;
alter table payment_lines
  drop constraint if exists payment_lines_payment_exists,
  add constraint payment_lines_payment_exists
    foreign key (payment_id) references payments on delete restrict not valid;

-- commit
alter table payment_lines validate constraint payment_lines_payment_exists;

-- commit
lock table bookings in share row exclusive mode;
alter table payment_lines
  drop constraint if exists payment_lines_booking_exists,
  add constraint payment_lines_booking_exists
    foreign key (booking_id) references bookings on delete restrict not valid;

-- commit
alter table payment_lines validate constraint payment_lines_booking_exists;

-- commit
lock table refunds in share row exclusive mode;
alter table refund_lines
  drop constraint if exists refund_lines_refund_exists,
  add constraint refund_lines_refund_exists
    foreign key (refund_id) references refunds on delete restrict not valid;

-- commit
alter table refund_lines validate constraint refund_lines_refund_exists;

-- commit
lock table bookings in share row exclusive mode;
alter table refund_lines
  drop constraint if exists refund_lines_booking_exists,
  add constraint refund_lines_booking_exists
    foreign key (booking_id) references bookings on delete restrict not valid;

-- commit
alter table refund_lines validate constraint refund_lines_booking_exists;

-- commit
alter table payrun_items
  drop constraint if exists payrun_items_refund_exists,
  add constraint payrun_items_refund_exists
    foreign key (refund_id, booking_id) references refund_lines on delete restrict not valid;

-- commit
alter table payrun_items validate constraint payrun_items_refund_exists;
