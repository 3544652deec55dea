-- What Stripe says about a dispute, the evidence that an admin sent, and on whom a lost one was booked.

-- commit
alter table disputes
  add column if not exists reason text,
  add column if not exists opened_at timestamptz,
  add column if not exists evidence_due_by timestamptz,
  add column if not exists stripe_fee_cents integer not null default 0,
  add column if not exists evidence jsonb,
  add column if not exists evidence_by uuid,
  add column if not exists evidence_asked_at timestamptz,
  add column if not exists evidence_sent_at timestamptz,
  add column if not exists evidence_refusal text,
  add column if not exists borne_by text,
  add column if not exists booked_cents integer,
  add column if not exists booked_at timestamptz,
  add column if not exists booked_by uuid;

-- commit
alter table disputes
  drop constraint if exists disputes_reason_length,
  add constraint disputes_reason_length check (length(reason) between 1 and 100),
  -- Erasing the customer's account empties the evidence, not the fact that it was sent.
  drop constraint if exists disputes_evidence_is_whole,
  add constraint disputes_evidence_is_whole check (
    (evidence_asked_at is null) = (evidence_by is null) and (evidence is null or evidence_asked_at is not null)
    and (evidence_asked_at is not null or (evidence_sent_at is null and evidence_refusal is null))),
  drop constraint if exists disputes_borne_by_known,
  add constraint disputes_borne_by_known check (borne_by in ('coach', 'platform')),
  drop constraint if exists disputes_booked_is_whole,
  add constraint disputes_booked_is_whole check (
    (booked_at is null) = (borne_by is null) and (booked_at is null) = (booked_by is null)
    and (booked_at is null) = (booked_cents is null)
    and (booked_at is null or (status = 'lost' and booked_cents between 0 and amount_cents)));
create index if not exists disputes_open on disputes (evidence_due_by, dispute_id)
  where (status not in ('won', 'warning_closed') and booked_at is null);
create index if not exists disputes_ended on disputes (updated_at desc, dispute_id)
  where (status in ('won', 'warning_closed') or booked_at is not null);
create index if not exists disputes_evidence_by on disputes (evidence_by) where (evidence_by is not null);
create index if not exists disputes_booked_by on disputes (booked_by) where (booked_by is not null);

-- commit
lock table profiles in share row exclusive mode;
alter table disputes
  drop constraint if exists disputes_evidence_by_exists,
  add constraint disputes_evidence_by_exists foreign key (evidence_by) references profiles (user_id)
    on delete restrict,
  drop constraint if exists disputes_booked_by_exists,
  add constraint disputes_booked_by_exists foreign key (booked_by) references profiles (user_id) on delete restrict;

-- commit
-- A lost dispute is entered as a refund that the bank has already made.
alter table refunds
  drop constraint if exists refunds_reason_known,
  add constraint refunds_reason_known check (reason in ('customer_cancelled', 'coach_cancelled', 'seat_lost',
    'paid_after_release', 'admin', 'made_at_stripe', 'dispute')) not valid;

-- commit
alter table refunds validate constraint refunds_reason_known;
