-- A refund made in Stripe can count partly towards a refund of ours for which too little was left on the charge. The rest,
-- or all of it, is entered as a refund of its own once an admin has said what it was for.
alter table external_refunds
  add column if not exists entered_refund_id uuid,
  add column if not exists entered_cents integer not null default 0;

-- commit
alter table external_refunds
  drop constraint if exists external_refunds_covers_within_amount,
  add constraint external_refunds_covers_within_amount
    check (covers_cents >= 0 and entered_cents >= 0 and covers_cents + entered_cents <= amount_cents),
  drop constraint if exists external_refunds_entered_as_a_refund,
  add constraint external_refunds_entered_as_a_refund check ((entered_refund_id is null) = (entered_cents = 0));

-- commit
lock table refunds in share row exclusive mode;
alter table external_refunds
  drop constraint if exists external_refunds_entered_refund_exists,
  add constraint external_refunds_entered_refund_exists
    foreign key (entered_refund_id) references refunds on delete restrict;
create index if not exists external_refunds_entered on external_refunds (entered_refund_id)
  where (entered_refund_id is not null);

-- commit
create index if not exists external_refunds_open on external_refunds (payment_id)
  where (covers_cents + entered_cents < amount_cents and status not in ('failed', 'canceled'));

-- commit
drop index if exists external_refunds_unexplained;
alter index external_refunds_open rename to external_refunds_unexplained;
