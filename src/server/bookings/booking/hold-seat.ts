import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { policyFields, termsOfSlot } from '#domain/bookings/cancellation-policy.ts';
import { holdMinutes, maxBookingsPerPayment, shortHoldMinutes } from '#domain/bookings/rules.ts';
import { AppError } from '#domain/errors.ts';
import type { CancellationPolicy } from '#domain/settings/contract.ts';
import { feeOfPrice } from '#domain/settings/platform-fee.ts';
import { isMinorUncovered } from '#server/catalogue/uncovered-minors.ts';
import {
  assertWithinLimits,
  keyOfCardTries,
  limitsOfBooking,
  returnCardTry,
} from '#server/payments/card-limits.ts';
import { type Database, isViolation } from '#server/platform/db/db.ts';
import { consumeAll, describeWait, type LimitState } from '#server/platform/http/rate-limit.ts';
import { parseSetting } from '#server/settings/queries.ts';
import { takesBookings } from '#server/verification/seat-conditions.ts';
import type { PaymentRecord } from '../payment/payment-records.ts';
import type { BookingFacts } from './booking-facts.ts';

/** The maximum number of attempts at a hold when other requests from the same customer conflict with it. */
const tries = 4;

/** A seat to hold for a participant, and the facts read about its slot. */
export type RequestedSeat = { slotId: string; participantId: string; facts: BookingFacts };

/**
 * Takes up to six seats for 15 minutes (5 if a hold that the customer began within the last day has expired), all or
 * none. One statement takes the seats and inserts the payment and, for each seat, a payment line and a booking with its
 * cancellation policy. The trigger bookings_copy_the_lesson copies the lesson's details to each booking. The statement
 * first consumes the customer's limits and stops if a limit is exceeded; the conditional update of the slots, locked in
 * ascending order, is the seat check. Returns null if a seat is not free, if a lesson has started, or if a price, time,
 * location or status, the customer's account, a dependant or whom the coach may teach has changed since the facts were
 * read. Throws `too_many_requests`, including for a fourth undecided payment, and violations of
 * bookings_one_active_per_slot and bookings_customer_never_overlap.
 */
export async function holdSeats(
  db: Database,
  userId: string,
  requested: RequestedSeat[],
): Promise<PaymentRecord | null> {
  if (requested.length < 1 || requested.length > maxBookingsPerPayment)
    throw new RangeError('A payment books one to six seats.');
  for (let attempt = 1; ; attempt++) {
    try {
      return await takeSeats(db, userId, requested);
    } catch (error) {
      // Another request from the same customer took the hold number that was free when this request began.
      if (!isViolation(error, 'payments_three_undecided') || attempt === tries) throw error;
    }
  }
}

type Line = RequestedSeat & {
  lineNo: number;
  bookingId: string;
  feeCents: number;
  terms: CancellationPolicy;
};

const writeLine = ({ slotId, participantId, facts }: RequestedSeat, index: number): Line => ({
  ...{ slotId, participantId, facts, lineNo: index + 1, bookingId: randomUUID() },
  feeCents: feeOfPrice(facts.priceCents, parseSetting('platformFee', facts.storedFee)),
  terms: termsOfSlot(facts, parseSetting('cancellationPolicy', facts.storedPolicy)),
});

async function takeSeats(
  db: Database,
  userId: string,
  requested: RequestedSeat[],
): Promise<PaymentRecord | null> {
  const paymentId = randomUUID();
  const lines = requested.map(writeLine);
  const amountCents = requested.reduce((sum, { facts }) => sum + facts.priceCents, 0);
  const isFree = amountCents === 0;
  const { facts } = requested[0]!;
  const family = lockFamily(userId, requested);
  const card = {
    stripeCustomerId: isFree ? null : facts.stripeCustomerId,
    stripePaymentMethodId: isFree ? null : facts.stripePaymentMethodId,
  };
  const { rows } = await sql<LimitState & { createdAt: string | null; isHoldFree: boolean }>`
    with counted as (${consumeAll(limitsOfBooking(userId, amountCents))}
    ), ${family.cte}person as materialized (
      select user_id from profiles
      where user_id = ${userId}::uuid and deleted_at is null and not exists (select from counted where is_over)
        ${family.isWhole}
      for key share
    ), hold as materialized (
      select ${isFree} or number is not null as is_free, case when not ${isFree} then number end as number
      from (select min(number) as number from generate_series(1, 3) number where not exists (
        select from payments
        where customer_user_id = ${userId}::uuid and hold_number = number
          and status in ('processing', 'requires_action'))) lowest
    ), ${lines.length === 1 ? takeOne(lines[0]!) : takeSeveral(lines)}, payment as (
      insert into payments (payment_id, customer_user_id, amount_cents, stripe_customer_id,
        stripe_payment_method_id, card_brand, card_last_four, hold_number)
      select ${paymentId}::uuid, ${userId}::uuid, sum(amount_cents)::integer, ${card.stripeCustomerId}::text,
        ${card.stripePaymentMethodId}::text, ${isFree ? null : facts.cardBrand}::text,
        ${isFree ? null : facts.cardLastFour}::text, (select number from hold)
      from line having count(*) = ${lines.length}
    ), booking as (
      insert into bookings (booking_id, slot_id, participant_id, customer_user_id, payment_id, amount_cents, fee_cents, ${policyColumns},
        during, hold_expires_at)
      select booking_id, slot_id, participant_id, ${userId}::uuid, ${paymentId}::uuid, amount_cents, fee_cents, ${policyColumns},
        tstzrange(start_time, end_time), now() + interval '1 minute' * case when exists (
          select from payments where customer_user_id = ${userId}::uuid and failure_code = 'hold_expired'
            and created_at > now() - interval '1 day') then ${shortHoldMinutes}::int else ${holdMinutes}::int end
      from line
      returning created_at
    ), payment_line as (
      insert into payment_lines (payment_id, line_no, booking_id, amount_cents)
      select ${paymentId}::uuid, line_no, booking_id, amount_cents from line
    )
    select key, is_over, wait_ms, (select min(created_at) from booking) as created_at,
      (select is_free from hold) as is_hold_free
    from counted`.execute(db);
  const { createdAt, isHoldFree } = rows[0]!;
  if (createdAt === null) {
    const isTryCounted = rows.some(({ key, isOver }) => key === keyOfCardTries(userId) && !isOver);
    if (isTryCounted) await returnCardTry(db, userId);
    assertWithinLimits(rows);
    if (!isHoldFree) throw await refuseFourthHold(db, userId);
    return null;
  }
  const bookings = lines.map(
    ({ bookingId, slotId, participantId, facts: { title, startTime, endTime } }) => ({
      ...{ bookingId, slotId, participantId, startTime, endTime },
      bookingStatus: 'pending' as const,
      title: title ?? '',
    }),
  );
  return {
    ...{ paymentId, bookings, amountCents, createdAt, ...card, customerUserId: userId },
    bookingId: bookings[0]!.bookingId,
    bookingStatus: 'pending',
    paymentStatus: 'processing',
    failureCode: null,
    failureMessage: null,
    stripePaymentIntentId: null,
    isHoldOver: false,
    isOverdue: false,
  };
}

/**
 * SQL that locks the dependants among the participants, so that no dependant loses this guardian or is deleted in the
 * meantime: the CTE `family`, and the condition that it contains them all. Empty if customers book only for themselves,
 * because their own row is locked anyway.
 */
function lockFamily(userId: string, requested: RequestedSeat[]) {
  const dependants = [...new Set(requested.map(({ participantId }) => participantId))].filter(
    (id) => id !== userId,
  );
  if (dependants.length === 0) return { cte: sql``, isWhole: sql`` };
  return {
    cte: sql`family as materialized (
      select participant_id from participants join guardians using (participant_id)
      where guardians.user_id = ${userId}::uuid and participants.deleted_at is null
        and participant_id in (${sql.join(dependants.map((id) => sql`${id}::uuid`))})
      order by participant_id for key share
    ), `,
    isWhole: sql`and (select count(*) from family) = ${dependants.length}`,
  };
}

const policyColumns = sql.join(policyFields.map((field) => sql.ref(field)));

/**
 * SQL for the CTE `line`: the seat of one booking, taken by the conditional update; empty if the seat is not free or
 * the facts have changed.
 */
const takeOne = ({ slotId, participantId, bookingId, feeCents, terms, facts }: Line) => sql`
  slot as (
    update lesson_slots set booked_count = booked_count + 1
    where exists (select from person) and (select is_free from hold)
      and slot_id = ${slotId}::uuid and status = 'scheduled' and start_time > now()
      and booked_count < max_capacity and price_cents = ${facts.priceCents}
      and start_time = ${facts.startTime}::timestamptz and end_time = ${facts.endTime}::timestamptz
      and location_id is not distinct from ${facts.location?.locationId ?? null}::uuid
      and exists (select from coaches coach where coach.coach_id = lesson_slots.coach_id and ${takesBookings('coach')}
        and not ${isMinorUncovered('coach', 'lesson_slots', sql`${participantId}::uuid`)})
    returning slot_id, price_cents, start_time, end_time
  ), line as (
    select 1 as line_no, ${bookingId}::uuid as booking_id, ${participantId}::uuid as participant_id, slot_id,
      price_cents as amount_cents,
      ${feeCents}::integer as fee_cents, start_time, end_time,
      ${sql.join(policyFields.map((field) => sql`${terms[field]}::${typeOf(terms[field])} as ${sql.ref(field)}`))}
    from slot
  )`;

/**
 * SQL for the CTE `line`: the seats of several bookings, all or none. The slots are locked in ascending order, so that
 * two checkouts never deadlock on slots. The slots are checked after they are locked.
 */
const takeSeveral = (lines: Line[]) => sql`
  requested (line_no, booking_id, participant_id, slot_id, amount_cents, fee_cents, start_time, end_time, location_id, ${policyColumns}) as (
    values ${sql.join(lines.map(valuesOf))}
  ), seats as materialized (
    select slot_id, count(*)::integer as seats from requested group by slot_id
  ), locked as materialized (
    select slot_id, coach_id, status, price_cents, start_time, end_time, location_id, booked_count, max_capacity
    from lesson_slots
    where exists (select from person) and (select is_free from hold)
      and slot_id in (${sql.join([...new Set(lines.map(({ slotId }) => slotId))].map((id) => sql`${id}::uuid`))})
    order by slot_id for no key update
  ), matching as materialized (
    select count(*) as lines
    from requested join seats using (slot_id) join locked slot using (slot_id)
      join coaches coach on coach.coach_id = slot.coach_id
    where slot.status = 'scheduled' and slot.start_time > now()
      and slot.booked_count + seats.seats <= slot.max_capacity and slot.price_cents = requested.amount_cents
      and slot.start_time = requested.start_time and slot.end_time = requested.end_time
      and slot.location_id is not distinct from requested.location_id
      and ${takesBookings('coach')} and not ${isMinorUncovered('coach', 'slot', sql`requested.participant_id`)}
  ), slot as (
    update lesson_slots slot set booked_count = slot.booked_count + seats.seats
    from seats
    where (select lines from matching) = ${lines.length} and slot.slot_id = seats.slot_id
      and slot.booked_count + seats.seats <= slot.max_capacity
    returning slot.slot_id
  ), line as (
    select requested.* from requested join slot using (slot_id)
  )`;

const valuesOf = ({ lineNo, bookingId, participantId, slotId, feeCents, terms, facts }: Line) => sql`
  (${lineNo}::integer, ${bookingId}::uuid, ${participantId}::uuid, ${slotId}::uuid, ${facts.priceCents}::integer, ${feeCents}::integer,
    ${facts.startTime}::timestamptz, ${facts.endTime}::timestamptz, ${facts.location?.locationId ?? null}::uuid,
    ${sql.join(policyFields.map((field) => sql`${terms[field]}::${typeOf(terms[field])}`))})`;

const typeOf = (value: number | boolean) => sql.raw(typeof value === 'boolean' ? 'boolean' : 'integer');

async function refuseFourthHold(db: Database, userId: string): Promise<AppError> {
  const { rows } = await sql<{ seconds: number }>`
    select ceil(greatest(extract(epoch from min(hold_expires_at) - now()), 0))::int + 60 as seconds
    from payments join payment_lines using (payment_id) join bookings using (booking_id)
    where payments.customer_user_id = ${userId}::uuid and hold_number is not null
      and payments.status in ('processing', 'requires_action')`.execute(db);
  const retryAfterSeconds = rows[0]?.seconds ?? 60;
  return new AppError(
    'too_many_requests',
    `Three of your payments haven't been completed yet. Complete one of them in My Bookings, or try again in ${describeWait(retryAfterSeconds)}. You have not been charged for this lesson.`,
    { details: { retryAfterSeconds } },
  );
}
