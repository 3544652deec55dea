-- Refunds that admins make at the bookings desk, with the reason that the customer reads. A refund above the limit of the
-- setting refund_control waits until a second admin decides (docs/decisions/0091).
create table if not exists refund_requests (
  refund_request_id uuid primary key default gen_random_uuid(),
  booking_id uuid not null constraint refund_requests_booking_exists references bookings on delete restrict,
  amount_cents integer not null constraint refund_requests_amount_positive check (amount_cents > 0),
  borne_by text not null constraint refund_requests_borne_by_known check (borne_by in ('coach', 'platform')),
  reason text not null constraint refund_requests_reason_length check (length(trim(reason)) between 1 and 300),
  needs_second_admin boolean not null,
  status text not null constraint refund_requests_status_known check (status in ('waiting', 'made', 'declined')),
  asked_by uuid not null,
  asked_at timestamptz not null default now(),
  decided_by uuid,
  decided_at timestamptz,
  constraint refund_requests_decided_unless_waiting
    check ((status = 'waiting') = (decided_at is null) and (decided_at is null) = (decided_by is null)),
  constraint refund_requests_made_by_second_admin
    check (not needs_second_admin or status <> 'made' or decided_by <> asked_by)
);
create index if not exists refund_requests_booking on refund_requests (booking_id);
create unique index if not exists refund_requests_one_waiting on refund_requests (booking_id) where status = 'waiting';
create index if not exists refund_requests_waiting on refund_requests (asked_at, refund_request_id)
  where status = 'waiting';
create index if not exists refund_requests_asked_by on refund_requests (asked_by);
create index if not exists refund_requests_decided_by on refund_requests (decided_by) where decided_by is not null;

-- commit
alter table refund_requests
  drop constraint if exists refund_requests_asked_by_exists,
  add constraint refund_requests_asked_by_exists
    foreign key (asked_by) references profiles (user_id) on delete restrict,
  drop constraint if exists refund_requests_decided_by_exists,
  add constraint refund_requests_decided_by_exists
    foreign key (decided_by) references profiles (user_id) on delete restrict;

-- commit
-- The request that a refund was made for. Null for refunds of any other reason.
alter table refunds add column if not exists refund_request_id uuid;

-- commit
create index if not exists refunds_request on refunds (refund_request_id) where refund_request_id is not null;

-- commit
alter table refunds
  drop constraint if exists refunds_request_exists,
  add constraint refunds_request_exists
    foreign key (refund_request_id) references refund_requests on delete restrict not valid;

-- commit
alter table refunds validate constraint refunds_request_exists;

-- commit
create or replace function record_refund_request() returns trigger language plpgsql as $$
begin
  perform record_change('admin', 'refunds');
  return null;
end $$;
create or replace trigger refund_requests_record_change after insert or update on refund_requests
  for each row execute function record_refund_request();
