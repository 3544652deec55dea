-- One charge of one customer for one booking. `payment_id` is the idempotency key at the card network. Statuses only
-- move forward (domain/payments/rules.ts).
create table payments (
  payment_id uuid primary key default gen_random_uuid(),
  customer_user_id uuid not null constraint payments_customer_exists references profiles (user_id) on delete restrict,
  amount_cents integer not null constraint payments_amount_not_negative check (amount_cents >= 0),
  currency text not null default 'gbp' constraint payments_currency_known check (currency = 'gbp'),
  status text not null default 'processing'
    constraint payments_status_known check (status in ('processing', 'requires_action', 'succeeded', 'failed')),
  -- Limits a person's undecided payments, see payments_three_undecided.
  hold_number smallint constraint payments_hold_number_range check (hold_number between 1 and 3),
  -- The customer and card that were charged, so that a retried request to the card network is exactly the same.
  stripe_customer_id text,
  stripe_payment_method_id text,
  stripe_payment_intent_id text constraint payments_stripe_payment_intent_unique unique,
  card_brand text,
  card_last_four text,
  failure_code text,
  failure_message text,
  -- When an unfinished payment is next compared with the card network. The sweeper claims it by moving this on.
  check_at timestamptz not null default now() + interval '10 seconds',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint payments_charge_has_card
    check (amount_cents = 0 or (stripe_customer_id is not null and stripe_payment_method_id is not null)),
  constraint payments_succeeded_has_payment_intent
    check (status <> 'succeeded' or amount_cents = 0 or stripe_payment_intent_id is not null)
);
create index payments_customer on payments (customer_user_id);
create index payments_unfinished on payments (check_at) where (status in ('processing', 'requires_action'));
-- A person has at most three undecided payments above zero, against card testing: each takes one of three numbers. The
-- index is on payments because the confirmation of a booking must not touch an index of bookings.
create unique index payments_three_undecided on payments (customer_user_id, hold_number)
  where (status in ('processing', 'requires_action'));

-- A payment can be refunded more than once: a coach may cancel a lesson after a late canceller got a part back.
-- bookings_refunded_within_amount refuses more than was charged. refund_id and key_number make the idempotency key at
-- the card network.
create table refunds (
  refund_id uuid primary key default gen_random_uuid(),
  payment_id uuid not null constraint refunds_payment_exists references payments on delete restrict,
  amount_cents integer not null constraint refunds_amount_positive check (amount_cents > 0),
  status text not null default 'pending'
    constraint refunds_status_known check (status in ('pending', 'succeeded', 'failed', 'settled')),
  reason text not null constraint refunds_reason_known
    check (reason in ('customer_cancelled', 'coach_cancelled', 'seat_lost', 'paid_after_release')),
  stripe_refund_id text constraint refunds_stripe_refund_unique unique,
  -- The amount requested from the card network under the current key: less than amount_cents if part of the charge was
  -- refunded outside the product.
  asked_cents integer,
  -- Raised after every definite refusal, because the card network repeats the stored response of a key for 24 hours.
  -- While a response is merely missing, it stays.
  key_number integer not null default 0 constraint refunds_key_number_not_negative check (key_number >= 0),
  attempts integer not null default 0,
  refusals integer not null default 0 constraint refunds_refusals_not_negative check (refusals >= 0),
  refused_at timestamptz,
  failure_message text,
  -- When an unfinished refund is next tried. The sweeper claims it by moving this on.
  check_at timestamptz not null default now() + interval '15 seconds',
  -- Stays once it is set, so that the customer is notified if the refund succeeds after all.
  given_up_at timestamptz,
  -- An admin paid the customer another way, and says how.
  settled_at timestamptz,
  settled_by uuid constraint refunds_settled_by_exists references profiles (user_id) on delete restrict,
  settled_reason text
    constraint refunds_settled_reason_length check (length(trim(settled_reason)) between 1 and 300),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  constraint refunds_asked_within_amount check (asked_cents between 0 and amount_cents),
  constraint refunds_failed_has_given_up_time check (status not in ('failed', 'settled') or given_up_at is not null),
  constraint refunds_settled_is_explained
    check ((status = 'settled') = (settled_at is not null and settled_by is not null and settled_reason is not null))
);
create index refunds_payment on refunds (payment_id);
create index refunds_unfinished on refunds (check_at) where (status = 'pending');
create index refunds_given_up on refunds (given_up_at, refund_id) where (status = 'failed');
create index refunds_settled_by on refunds (settled_by) where (settled_by is not null);

-- Refunds that a person made at the card network itself. One may stand for a refund of ours, for `covers_cents` of it;
-- the rest is unexplained.
create table external_refunds (
  stripe_refund_id text primary key,
  payment_id uuid not null constraint external_refunds_payment_exists references payments on delete restrict,
  amount_cents integer not null constraint external_refunds_amount_positive check (amount_cents > 0),
  -- The card network's own, as last read.
  status text not null constraint external_refunds_status_length check (length(status) between 1 and 40),
  refund_id uuid constraint external_refunds_refund_exists references refunds on delete restrict,
  covers_cents integer not null default 0,
  made_at timestamptz not null,
  found_at timestamptz not null default now(),
  constraint external_refunds_covers_within_amount check (covers_cents between 0 and amount_cents),
  constraint external_refunds_covers_only_a_refund check ((refund_id is null) = (covers_cents = 0))
);
create index external_refunds_payment on external_refunds (payment_id);
create index external_refunds_refund on external_refunds (refund_id) where (refund_id is not null);
-- Payments with an unexplained refund: their bookings are not paid out.
create index external_refunds_unexplained on external_refunds (payment_id)
  where (covers_cents < amount_cents and status not in ('failed', 'canceled'));

-- Payments that a bank took back, or asks about, because the cardholder disputes them.
create table disputes (
  dispute_id text primary key,
  payment_id uuid not null constraint disputes_payment_exists references payments on delete restrict,
  -- The card network's own, as last read.
  status text not null constraint disputes_status_length check (length(status) between 1 and 40),
  amount_cents integer not null constraint disputes_amount_not_negative check (amount_cents >= 0),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index disputes_payment on disputes (payment_id);
create index disputes_against_us on disputes (payment_id) where status not in ('won', 'warning_closed');

-- Every event of the card network is stored once before it is handled. `object_id` is read again from the network then.
create table webhook_events (
  event_id text primary key,
  event_type text not null,
  object_id text not null,
  received_at timestamptz not null default now(),
  handled_at timestamptz
);
create index webhook_events_unhandled on webhook_events (received_at) where (handled_at is null);
create index webhook_events_handled on webhook_events (received_at) where (handled_at is not null);
-- The failures of one SetupIntent are counted; five cancel it.
create index webhook_events_failed_setups on webhook_events (object_id)
  where (event_type = 'setup_intent.setup_failed');
