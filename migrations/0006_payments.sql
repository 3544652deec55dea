-- One charge of one customer for one booking. `payment_id` is the idempotency key on the card network.
-- Statuses only move forward; see domain/payments/rules.ts.
create table payments (
  payment_id uuid primary key default gen_random_uuid(),
  customer_user_id uuid not null references profiles (user_id) on delete restrict,
  amount_cents integer not null check (amount_cents >= 0),
  currency text not null default 'gbp' check (currency = 'gbp'),
  status text not null default 'processing'
    check (status in ('processing', 'requires_action', 'succeeded', 'failed')),
  -- Who and what is charged, kept so that a repeated call to the card network is the same to the letter.
  stripe_customer_id text,
  stripe_payment_method_id text,
  stripe_payment_intent_id text unique,
  card_brand text,
  card_last_four text,
  failure_code text,
  failure_message text,
  -- When an unfinished payment is next compared with the card network; moving it on is the sweeper's claim.
  check_at timestamptz not null default now() + interval '10 seconds',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check (amount_cents = 0 or (stripe_customer_id is not null and stripe_payment_method_id is not null)),
  check (status <> 'succeeded' or amount_cents = 0 or stripe_payment_intent_id is not null)
);
create index payments_customer on payments (customer_user_id);
create index payments_unfinished on payments (check_at) where (status in ('processing', 'requires_action'));

-- At most one refund per payment; refund_id is its idempotency key on the card network.
create table refunds (
  refund_id uuid primary key default gen_random_uuid(),
  payment_id uuid not null unique references payments on delete restrict,
  amount_cents integer not null check (amount_cents > 0),
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  reason text not null
    check (reason in ('customer_cancelled', 'coach_cancelled', 'seat_lost', 'paid_after_release')),
  stripe_refund_id text unique,
  failure_message text,
  attempts integer not null default 0,
  -- When an unfinished refund is next tried; moving it on is the sweeper's claim.
  check_at timestamptz not null default now() + interval '15 seconds',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index refunds_unfinished on refunds (check_at) where (status = 'pending');

-- Every event of the card network is stored once before anything is done about it. `object_id` is what is read
-- again then: a payment intent, a setup intent or a dispute.
create table webhook_events (
  event_id text primary key,
  event_type text not null,
  object_id text not null,
  received_at timestamptz not null default now(),
  handled_at timestamptz
);
create index webhook_events_unhandled on webhook_events (received_at) where (handled_at is null);
