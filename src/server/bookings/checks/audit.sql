-- Each statement returns the rows that break the rule in the comment above it, and no rows if nothing is wrong.
-- Statements are separated by a semicolon at the end of a line.

-- A slot's booked_count is the number of its active bookings
select slot.slot_id, slot.booked_count, count(booking.booking_id) as active_bookings
from lesson_slots slot
left join bookings booking on booking.slot_id = slot.slot_id and booking.is_active
group by slot.slot_id
having slot.booked_count <> count(booking.booking_id);

-- No slot has more active bookings than seats
select slot.slot_id, slot.max_capacity, count(*) as active_bookings
from lesson_slots slot
join bookings booking on booking.slot_id = slot.slot_id and booking.is_active
group by slot.slot_id
having count(*) > slot.max_capacity;

-- No participant has two active bookings of one slot
select slot_id, participant_id, count(*) as active_bookings
from bookings
where is_active
group by slot_id, participant_id
having count(*) > 1;

-- No cancelled lesson has an active booking
select slot.slot_id, booking.booking_id, booking.status
from lesson_slots slot
join bookings booking using (slot_id)
where slot.status = 'cancelled' and booking.is_active;

-- An active booking is at the time of its lesson
select booking.booking_id, booking.during, slot.start_time, slot.end_time
from bookings booking
join lesson_slots slot using (slot_id)
where booking.is_active and booking.during <> tstzrange(slot.start_time, slot.end_time);

-- Every booking of a lesson that the coach cancelled is refunded in full, even if its customer had cancelled late
select booking.booking_id, booking.cancelled_by, booking.amount_cents, booking.refunded_cents, slot.status as slot_status
from bookings booking
join lesson_slots slot using (slot_id)
where booking.status in ('cancelled', 'refunded') and booking.refunded_cents < booking.amount_cents
  and (booking.cancelled_by = 'coach' or slot.status = 'cancelled');

-- Every payment's lines add up to its amount and are for its customer's bookings
select payment.payment_id, payment.amount_cents, sum(line.amount_cents) as lines_cents, count(line.booking_id) as lines
from payments payment
left join payment_lines line using (payment_id)
left join bookings booking using (booking_id)
group by payment.payment_id
having count(booking.booking_id) = 0
  or sum(line.amount_cents) <> payment.amount_cents
  or bool_or(booking.customer_user_id <> payment.customer_user_id);

-- Every booking has a payment, and paid bookings were charged their price
select booking.booking_id, booking.status, booking.amount_cents, booking.charged_cents, sum(line.amount_cents) as lines_cents
from bookings booking
left join payment_lines line using (booking_id)
left join payments payment on payment.payment_id = line.payment_id
group by booking.booking_id
having count(line.payment_id) = 0
  or booking.charged_cents <> coalesce(sum(line.amount_cents) filter (where payment.status = 'succeeded'), 0)
  or (booking.status in ('booked', 'attended', 'cancelled', 'refunded') and booking.charged_cents <> booking.amount_cents);

-- Every confirmed booking is paid for
select booking.booking_id, booking.status, array_agg(payment.status) as payment_statuses
from bookings booking
join payment_lines line using (booking_id)
join payments payment on payment.payment_id = line.payment_id
where booking.status in ('booked', 'attended', 'cancelled', 'refunded')
group by booking.booking_id
having not bool_or(payment.status = 'succeeded');

-- A held seat has an unfinished payment, and no other booking has one
select booking.booking_id, booking.status, payment.payment_id, payment.status as payment_status
from bookings booking
join payment_lines line using (booking_id)
join payments payment on payment.payment_id = line.payment_id
where (booking.status = 'pending') <> (payment.status in ('processing', 'requires_action'));

-- A charge for a released booking is refunded in full
select booking.booking_id, paid.cents as paid_cents, back.cents as refund_cents
from bookings booking
cross join lateral (
  select coalesce(sum(line.amount_cents), 0) as cents from payment_lines line join payments using (payment_id)
  where line.booking_id = booking.booking_id and payments.status = 'succeeded'
) paid
cross join lateral (
  select coalesce(sum(line.amount_cents), 0) as cents from refund_lines line where line.booking_id = booking.booking_id
) back
where booking.status = 'released' and paid.cents <> back.cents;

-- No more is refunded than was charged
select payment.payment_id, sum(refund.amount_cents) as refund_cents, payment.amount_cents as charged_cents, payment.status
from refunds refund
join payments payment using (payment_id)
group by payment.payment_id
having payment.status <> 'succeeded' or sum(refund.amount_cents) > payment.amount_cents;

-- No more is refunded of a booking than the same payment charged for it
select refund.payment_id, back.booking_id, sum(back.amount_cents) as refund_cents, line.amount_cents as charged_cents
from refund_lines back
join refunds refund using (refund_id)
left join payment_lines line on line.payment_id = refund.payment_id and line.booking_id = back.booking_id
group by refund.payment_id, back.booking_id, line.amount_cents
having sum(back.amount_cents) > coalesce(line.amount_cents, 0);

-- A refund's lines add up to its amount
select refund.refund_id, refund.amount_cents, sum(line.amount_cents) as lines_cents
from refunds refund
left join refund_lines line using (refund_id)
group by refund.refund_id
having coalesce(sum(line.amount_cents), 0) <> refund.amount_cents;

-- A refund borne by the platform costs the coach nothing
select refund.refund_id, line.booking_id, line.coach_cents
from refunds refund
join refund_lines line using (refund_id)
where refund.borne_by = 'platform' and line.coach_cents > 0;

-- A desk refund adds up to the refunds made for it; a waiting or declined request has none
select request.refund_request_id, request.status, request.amount_cents, sum(line.amount_cents) as refund_cents
from refund_requests request
left join refunds refund using (refund_request_id)
left join refund_lines line on line.refund_id = refund.refund_id and line.booking_id = request.booking_id
group by request.refund_request_id
having coalesce(sum(line.amount_cents), 0) <> case request.status when 'made' then request.amount_cents else 0 end;

-- A pending booking has no refund, a refunded one no unpaid refund, and a cancelled booking's refunds are not all paid
select booking.booking_id, booking.status, count(refund.refund_id) as refunds,
  count(*) filter (where refund.status in ('pending', 'failed')) as unfinished
from bookings booking
left join refund_lines line using (booking_id)
left join refunds refund using (refund_id)
group by booking.booking_id
having (booking.status = 'pending' and count(refund.refund_id) > 0)
  or (booking.status = 'refunded'
    and (count(refund.refund_id) = 0 or bool_or(refund.status in ('pending', 'failed'))))
  -- Refunds made before the cancellation do not count.
  or (booking.status = 'cancelled' and bool_or(refund.created_at >= booking.cancelled_at)
    and not bool_or(refund.status in ('pending', 'failed')));

-- A booking's refunded amount is the sum of its refunds and of their entries in the ledger
select booking.booking_id, booking.refunded_cents, back.cents as refund_cents, entry.cents as entered_cents
from bookings booking
cross join lateral (
  select coalesce(sum(amount_cents), 0) as cents from refund_lines line where line.booking_id = booking.booking_id
) back
cross join lateral (
  select coalesce(-sum(amount_cents), 0) as cents from ledger_entries
  where booking_id = booking.booking_id and kind = 'refunded'
) entry
where booking.refunded_cents <> back.cents or booking.refunded_cents <> entry.cents;

-- The ledger agrees with payments, refunds and fees
with expected as (
  select booking.booking_id, paid.cents as charged,
    case when paid.count > 0 and booking.status <> 'released' then booking.fee_cents else 0 end as fee,
    -coalesce(refund.cents, 0) as refunded, -coalesce(refund.fee_cents, 0) as fee_refunded,
    coalesce(refund.is_coachs, true) as is_coachs
  from bookings booking
  cross join lateral (
    select count(*) as count, coalesce(sum(line.amount_cents), 0) as cents
    from payment_lines line join payments using (payment_id)
    where line.booking_id = booking.booking_id and payments.status = 'succeeded'
  ) paid
  left join (
    select line.booking_id, sum(line.amount_cents) as cents, sum(line.fee_cents) as fee_cents,
      bool_and(refund.borne_by = 'coach') as is_coachs
    from refund_lines line join refunds refund using (refund_id) group by line.booking_id
  ) refund using (booking_id)
), entered as (
  select booking_id,
    coalesce(sum(amount_cents) filter (where kind = 'charged'), 0) as charged,
    coalesce(sum(amount_cents) filter (where kind = 'fee'), 0) as fee,
    coalesce(sum(amount_cents) filter (where kind = 'refunded'), 0) as refunded,
    coalesce(sum(amount_cents) filter (where kind = 'fee_refunded'), 0) as fee_refunded
  from ledger_entries
  group by booking_id
)
select expected.booking_id, expected.charged, entered.charged as entered_charged, expected.fee,
  entered.fee as entered_fee, expected.refunded, entered.refunded as entered_refunded, expected.fee_refunded,
  entered.fee_refunded as entered_fee_refunded
from expected
left join entered using (booking_id)
where coalesce(entered.charged, 0) <> expected.charged
  or coalesce(entered.fee, 0) <> expected.fee
  or coalesce(entered.refunded, 0) <> expected.refunded
  or coalesce(entered.fee_refunded, 0) <> expected.fee_refunded
  -- If the coach bears the refunds, the platform returns its fee in proportion to them, and never more than the fee.
  or (expected.is_coachs and -expected.fee_refunded not between 0 and expected.fee)
  or (expected.is_coachs and expected.charged > 0 and expected.fee > 0
    and -expected.fee_refunded <> round(expected.fee::numeric * -expected.refunded / expected.charged));

-- Every ledger entry names the payment, refund or payrun that it comes from
select entry.booking_id, entry.kind, entry.source_id, entry.amount_cents
from ledger_entries entry
where not case
  when entry.kind in ('charged', 'fee') then exists (
    select from payment_lines line where line.booking_id = entry.booking_id and line.payment_id = entry.source_id)
  when entry.kind in ('refunded', 'fee_refunded') then exists (
    select from refund_lines line where line.booking_id = entry.booking_id and line.refund_id = entry.source_id)
  else exists (
    select from payrun_items item where item.booking_id = entry.booking_id and item.payrun_id = entry.source_id) end;

-- Nothing is entered twice in the ledger
select booking_id, kind, source_id, count(*) as entries
from ledger_entries
group by booking_id, kind, source_id
having count(*) > 1;

-- Every successful payment of more than zero has a payment intent
select payment_id, amount_cents
from payments
where status = 'succeeded' and amount_cents > 0 and stripe_payment_intent_id is null;

-- No booking is pending long after its hold expired
select booking.booking_id, booking.hold_expires_at
from bookings booking
where booking.status = 'pending' and booking.hold_expires_at < now() - interval '10 minutes';

-- No failed refund waits for an admin
select refund_id, payment_id, amount_cents, given_up_at, failure_message
from refunds
where status = 'failed';

-- Refunds made in Stripe cover no more than the refund of ours that they count towards
select refund.refund_id, refund.amount_cents, sum(counted.cents) as covered_cents
from external_refunds external
cross join lateral (values (external.refund_id, external.covers_cents),
  (external.entered_refund_id, external.entered_cents)) counted (refund_id, cents)
join refunds refund on refund.refund_id = counted.refund_id
group by refund.refund_id
having sum(counted.cents) > refund.amount_cents or bool_or(refund.payment_id <> external.payment_id)
  or bool_or(refund.status not in ('succeeded', 'settled'));

-- A booking has at most one payrun item that is not cancelled, and is marked accordingly
select booking.booking_id, booking.is_in_payrun, count(item.booking_id) as payruns
from bookings booking
left join payrun_items item on item.booking_id = booking.booking_id and item.kind = 'lesson' and not item.is_cancelled
group by booking.booking_id
having count(item.booking_id) <> case when booking.is_in_payrun then 1 else 0 end;

-- A payrun's total is the sum of its recipients' amounts, and a recipient's amount is the sum of their items
with recipient as (
  select recipient.payrun_id, recipient.coach_id, recipient.amount_cents, coalesce(sum(item.amount_cents), 0) as items_cents
  from payrun_recipients recipient
  left join payrun_items item using (payrun_id, coach_id)
  group by recipient.payrun_id, recipient.coach_id
)
select payrun.payrun_id, payrun.total_amount_cents, sum(recipient.amount_cents) as recipients_cents,
  sum(recipient.items_cents) as items_cents
from payruns payrun
left join recipient using (payrun_id)
group by payrun.payrun_id
having coalesce(sum(recipient.amount_cents), 0) <> payrun.total_amount_cents
  or bool_or(recipient.amount_cents <> recipient.items_cents);

-- A payrun's items are cancelled if and only if the payrun is cancelled or their payment was returned
select item.payrun_id, item.booking_id, item.kind, payrun.status, returned.entered_at as returned_at
from payrun_items item
join payruns payrun using (payrun_id)
left join payrun_returns returned using (payrun_id, coach_id)
where item.is_cancelled <> (payrun.status = 'cancelled' or returned.payrun_id is not null);

-- Only payments of paid payruns are returned
select returned.payrun_id, returned.coach_id, payrun.status
from payrun_returns returned
join payruns payrun using (payrun_id)
where payrun.status <> 'paid';

-- No more is deducted after a refund than the coach was overpaid
select item.booking_id, sum(item.amount_cents) as paid_cents, share.cents as share_cents
from payrun_items item
join lateral (
  select sum(case when kind in ('fee', 'fee_refunded') then -amount_cents else amount_cents end) as cents
  from ledger_entries entry
  where entry.booking_id = item.booking_id
    and entry.kind not in ('paid_out', 'paid_back', 'payout_returned', 'deduction_returned')
) share on true
where not item.is_cancelled
group by item.booking_id, share.cents
having
  -- After a payout was returned, its deductions wait for the next payrun.
  bool_or(item.kind = 'lesson') and sum(item.amount_cents) < share.cents;

-- A deduction is at most the coach's part of the refund that it is for
select item.payrun_id, item.booking_id, item.refund_id, item.amount_cents, line.coach_cents
from payrun_items item
left join refund_lines line using (refund_id, booking_id)
where item.refund_id is not null and -item.amount_cents > coalesce(line.coach_cents, 0);

-- The ledger agrees with paid payruns, and has no other payouts
select coalesce(item.booking_id, entry.booking_id) as booking_id, item.payrun_id, item.amount_cents,
  entry.kind, entry.amount_cents as entered_cents
from (
  select payrun_id, booking_id, kind, sum(amount_cents) as amount_cents
  from payrun_items join payruns payrun using (payrun_id)
  where payrun.status = 'paid' group by payrun_id, booking_id, kind
) item
full join (select * from ledger_entries where kind in ('paid_out', 'paid_back')) entry
  on entry.booking_id = item.booking_id and entry.source_id is not distinct from item.payrun_id
  and entry.kind = case item.kind when 'lesson' then 'paid_out' else 'paid_back' end
where item.booking_id is null or entry.booking_id is null or entry.amount_cents <> -item.amount_cents;

-- The ledger reverses exactly the returned payments
select coalesce(item.booking_id, entry.booking_id) as booking_id, item.payrun_id, item.amount_cents,
  entry.kind, entry.amount_cents as entered_cents
from (
  select payrun_id, booking_id, kind, sum(amount_cents) as amount_cents
  from payrun_items join payrun_returns using (payrun_id, coach_id)
  group by payrun_id, booking_id, kind
) item
full join (select * from ledger_entries where kind in ('payout_returned', 'deduction_returned')) entry
  on entry.booking_id = item.booking_id and entry.source_id is not distinct from item.payrun_id
  and entry.kind = case item.kind when 'lesson' then 'payout_returned' else 'deduction_returned' end
where item.booking_id is null or entry.booking_id is null or entry.amount_cents <> item.amount_cents;

-- A payrun pays the coach of the lesson, and never more than the lesson's price less the fee
select item.payrun_id, item.booking_id, item.kind, item.amount_cents, booking.amount_cents as price_cents, booking.fee_cents
from payrun_items item
join bookings booking using (booking_id)
join lesson_slots slot using (slot_id)
where slot.coach_id <> item.coach_id or abs(item.amount_cents) > booking.amount_cents - booking.fee_cents;

-- No payrun includes a booking that was already disputed
select item.payrun_id, item.booking_id, dispute.dispute_id, dispute.status
from payrun_items item
join payruns payrun using (payrun_id)
join payment_lines line on line.booking_id = item.booking_id
join disputes dispute on dispute.payment_id = line.payment_id
where item.kind = 'lesson' and not item.is_cancelled and dispute.status not in ('won', 'warning_closed')
  and payrun.created_at > dispute.updated_at + interval '1 minute'
  and payrun.created_at < coalesce(dispute.booked_at, 'infinity');

-- Every refund made in Stripe counts in full towards one of our own refunds
select external.stripe_refund_id, external.made_at, booking.booking_id,
  external.amount_cents - external.covers_cents - external.entered_cents as refunded_outside_cents, item.payrun_id, payrun.status as payrun_status
from external_refunds external
join payment_lines line using (payment_id)
join bookings booking using (booking_id)
left join payrun_items item on item.booking_id = booking.booking_id and item.kind = 'lesson' and not item.is_cancelled
left join payruns payrun using (payrun_id)
where external.covers_cents + external.entered_cents < external.amount_cents and external.status not in ('failed', 'canceled');

-- A lost dispute's refunds add up to the recorded loss and are borne by the recorded party
select dispute.dispute_id, dispute.borne_by, dispute.booked_cents, entered.cents as entered_cents
from (
  select payment_id, borne_by, min(dispute_id) as dispute_id, sum(booked_cents) as booked_cents
  from disputes where booked_at is not null group by payment_id, borne_by
) dispute
full join (
  select payment_id, borne_by, sum(amount_cents) as cents from refunds where reason = 'dispute' group by payment_id, borne_by
) entered using (payment_id, borne_by)
where coalesce(dispute.booked_cents, 0) <> coalesce(entered.cents, 0);

-- No payout is withheld because of a dispute
select booking.booking_id, dispute.dispute_id, dispute.status, dispute.amount_cents as disputed_cents, item.payrun_id
from disputes dispute
join payment_lines line using (payment_id)
join bookings booking using (booking_id)
left join payrun_items item on item.booking_id = booking.booking_id and item.kind = 'lesson' and not item.is_cancelled
left join payruns payrun using (payrun_id)
where dispute.status not in ('won', 'warning_closed') and dispute.booked_at is null and booking.is_owed
  and booking.fee_cents < booking.amount_cents and coalesce(payrun.status, 'pending') = 'pending';

-- A lesson that needed a note before its payout has one, unless its participant was absent or has been deleted
select item.payrun_id, item.booking_id, item.payout_needs
from payrun_items item
join payruns payrun using (payrun_id)
join bookings booking using (booking_id)
join lesson_slots slot using (slot_id)
join participants participant using (participant_id)
join profiles coach on coach.user_id = slot.coach_id
where item.payout_needs = 'note' and item.kind = 'lesson' and not item.is_cancelled
  and payrun.created_at > now() - interval '12 months' and booking.attended is true and booking.cancelled_at is null
  and participant.deleted_at is null and coach.deleted_at is null
  and not exists (select from session_notes note where note.booking_id = item.booking_id);

-- A customer's sums for closed months agree with the bookings
with expected as (
  select booking.customer_user_id, slot.coach_id, count(*) as bookings,
    sum(case when booking.is_active then 1 else 0 end) as lessons,
    coalesce(sum(case when booking.is_active
      then extract(epoch from upper(booking.during)) - extract(epoch from lower(booking.during)) end) / 60, 0) as minutes,
    max(lower(booking.during)) as latest
  from bookings booking
  join lesson_slots slot using (slot_id)
  where booking.status not in ('pending', 'released')
    and lower(booking.during) < (select until from closed_sums where name = 'customer_coaches')
  group by booking.customer_user_id, slot.coach_id
)
select customer_user_id, coach_id, expected.bookings, sums.bookings as summed_bookings, expected.lessons,
  sums.lessons as summed_lessons, expected.minutes, sums.minutes as summed_minutes, expected.latest,
  sums.latest as summed_latest
from expected
full join customer_coaches sums using (customer_user_id, coach_id)
where (expected.bookings, expected.lessons, expected.minutes, expected.latest)
  is distinct from (sums.bookings, sums.lessons, sums.minutes, sums.latest);

-- A coach's monthly sums for closed months agree with the ledger
with expected as (
  select entry.coach_id, date_trunc('month', timezone('Europe/London', entry.created_at))::date as month,
    sum(case entry.kind when 'charged' then amount_cents else 0 end) as charged_cents,
    sum(case entry.kind when 'refunded' then -amount_cents else 0 end) as refunded_cents,
    sum(case when entry.kind like 'fee%' then amount_cents else 0 end) as fee_cents,
    sum(case when entry.kind like 'fee%' or entry.kind in ('charged', 'refunded') then 0 else -amount_cents end)
      as paid_out_cents
  from ledger_entries entry
  where entry.created_at < (select until from closed_sums where name = 'coach_ledger_months') and amount_cents <> 0
  group by 1, 2
)
select coach_id, month, expected.charged_cents, sums.charged_cents as summed_charged, expected.refunded_cents,
  sums.refunded_cents as summed_refunded, expected.fee_cents, sums.fee_cents as summed_fee, expected.paid_out_cents,
  sums.paid_out_cents as summed_paid_out
from expected
full join coach_ledger_months sums using (coach_id, month)
where (expected.charged_cents, expected.refunded_cents, expected.fee_cents, expected.paid_out_cents)
  is distinct from (sums.charged_cents, sums.refunded_cents, sums.fee_cents, sums.paid_out_cents);

-- A coach's monthly share of lessons in closed months agrees with the ledger
with share as (
  select booking_id, sum(amount_cents) filter (where kind in ('charged', 'refunded'))
    - coalesce(sum(amount_cents) filter (where kind in ('fee', 'fee_refunded')), 0) as cents
  from ledger_entries group by booking_id
), expected as (
  select slot.coach_id, date_trunc('month', timezone('Europe/London', slot.start_time))::date as month,
    coalesce(sum(share.cents), 0) as share_cents,
    count(distinct booking.slot_id) filter (where booking.status = 'booked' or booking.status = 'attended') as lessons
  from lesson_slots slot
  join bookings booking using (slot_id)
  left join share using (booking_id)
  where slot.start_time < (select until from closed_sums where name = 'coach_lesson_months')
  group by 1, 2
)
select coach_id, month, expected.share_cents, sums.share_cents as summed_share, expected.lessons,
  sums.lessons as summed_lessons
from expected
full join coach_lesson_months sums using (coach_id, month)
where (coalesce(expected.share_cents, 0), coalesce(expected.lessons, 0))
  <> (coalesce(sums.share_cents, 0), coalesce(sums.lessons, 0));
