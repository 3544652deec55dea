-- A pending payrun can be cancelled: its bookings are payable again. A booking is a lesson in at most one payrun that is
-- not cancelled; a payrun that was paid or cancelled stays so, whatever the program says.
alter table payruns
  drop constraint payruns_status_check,
  add constraint payruns_status_check check (status in ('pending', 'paid', 'cancelled')),
  -- When its file was first downloaded: from then on a bank may have it.
  add column exported_at timestamptz,
  add column cancelled_at timestamptz,
  add column cancelled_by uuid references profiles (user_id) on delete restrict,
  add column cancellation_reason text check (length(trim(cancellation_reason)) between 1 and 300),
  add constraint payruns_cancelled_check
    check ((status = 'cancelled') = (cancelled_at is not null and cancelled_by is not null and cancellation_reason is not null));
create index payruns_cancelled_by on payruns (cancelled_by) where (cancelled_by is not null);
update payruns payrun set exported_at = exported.at
from (select subject_id, min(at) as at from audit_log where action = 'payrun.exported' group by subject_id) exported
where exported.subject_id = payrun.payrun_id::text;

alter table payrun_items
  add column is_cancelled boolean not null default false,
  drop constraint payrun_items_pkey,
  add primary key (payrun_id, booking_id, kind);
create unique index payrun_items_one_live_lesson on payrun_items (booking_id) where (kind = 'lesson' and not is_cancelled);
create index payrun_items_booking on payrun_items (booking_id);

-- Items change with their payrun alone: they are cancelled when it is, and never otherwise.
drop trigger payrun_items_are_append_only on payrun_items;
create function guard_payrun_item() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and new.is_cancelled and not old.is_cancelled
    and (to_jsonb(new) - 'is_cancelled') = (to_jsonb(old) - 'is_cancelled')
    and exists (select from payruns where payrun_id = new.payrun_id and status = 'cancelled')
  then
    return new;
  end if;
  raise exception 'payrun_items is append-only' using errcode = 'restrict_violation';
end $$;
create trigger payrun_items_are_append_only before update or delete on payrun_items
  for each row execute function guard_payrun_item();

create function guard_payrun_status() returns trigger language plpgsql as $$
begin
  if old.status <> 'pending' then
    raise exception 'a payrun that is % stays so', old.status using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger payruns_end_once before update of status on payruns
  for each row when (old.status <> new.status) execute function guard_payrun_status();

create function cancel_payrun_items() returns trigger language plpgsql as $$
begin
  update payrun_items set is_cancelled = true where payrun_id = new.payrun_id;
  return null;
end $$;
create trigger payruns_cancel_their_items after update of status on payruns
  for each row when (new.status = 'cancelled' and old.status <> 'cancelled') execute function cancel_payrun_items();

-- Payments with a refund made at the card network that stands for none of ours: their bookings are held.
create index external_refunds_unexplained on external_refunds (payment_id)
  where (covers_cents < amount_cents and status not in ('failed', 'canceled'));

-- Until when the card network's list of events has been read for those that never arrived; it keeps them for 30 days.
alter table health add column events_read_until timestamptz not null default now() - interval '30 days';
