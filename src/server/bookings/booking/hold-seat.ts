import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { policyFields, termsOfSlot } from '#domain/bookings/cancellation-policy.ts';
import { holdMinutes, shortHoldMinutes } from '#domain/bookings/rules.ts';
import type { Location } from '#domain/catalogue/contract.ts';
import { AppError } from '#domain/errors.ts';
import { feeOfPrice } from '#domain/settings/platform-fee.ts';
import { locationObject } from '#server/catalogue/location-columns.ts';
import {
  assertWithinLimits,
  keyOfCardTries,
  limitsOfBooking,
  pauseOfAddress,
  returnCardTry,
} from '#server/payments/card-limits.ts';
import { createBatchLoader } from '#server/platform/db/batch-loader.ts';
import { type Database, isViolation } from '#server/platform/db/db.ts';
import { consumeAll, describeWait, type LimitState, nowMs } from '#server/platform/http/rate-limit.ts';
import { parseSetting, storedSetting } from '#server/settings/queries.ts';
import type { PaymentRecord } from './payment-records.ts';

/** Everything that decides whether and how a customer can book a slot, from a single query. */
export type BookingFacts = {
  status: string;
  startTime: string;
  endTime: string;
  /** The location; null if it is still to be agreed or if the slot is not open. */
  location: Location | null;
  coachId: string;
  isCoachActive: boolean;
  priceCents: number;
  isOpen: boolean;
  ownBookingId: string | null;
  ownStatus: string | null;
  isOwnHoldOver: boolean | null;
  stripeCustomerId: string | null;
  stripePaymentMethodId: string | null;
  cardBrand: string | null;
  cardLastFour: string | null;
  /** The template's title; null if the slot is not open. */
  title: string | null;
  /**
   * How long payments from this IP address stay paused after many declined cards, in ms. If null, zero or negative,
   * payments are not paused. Always null if the slot is not open.
   */
  addressWaitMs: number | null;
  /** The stored platform fee; null if none is stored or the slot is not open. */
  storedFee: unknown;
  /** The stored cancellation policy; null if none is stored or the slot is not open. */
  storedPolicy: unknown;
};

type BookingFactsKey = { slotId: string; userId: string; ipAddress: string | null };
export type ReadBookingFacts = (key: BookingFactsKey) => Promise<BookingFacts | undefined>;

/**
 * Batched loader for everything that decides whether a customer can book a slot; undefined if the slot does not
 * exist. Concurrent callers share one query, so a rush on a full slot stays cheap.
 */
export function createFactsReader(db: Database): ReadBookingFacts {
  return createBatchLoader(async (keys: BookingFactsKey[]) => {
    const pauses = keys.map(({ ipAddress }) => pauseOfAddress(ipAddress));
    const { rows } = await sql<BookingFacts & { position: number }>`
      select request.position, slot.status, slot.start_time, slot.end_time, slot.coach_id, slot.price_cents, slot.is_open,
        (select is_active from coaches where coach_id = slot.coach_id) as is_coach_active,
        own.booking_id as own_booking_id, own.status as own_status,
        own.hold_expires_at <= now() as is_own_hold_over,
        profile.stripe_customer_id, profile.stripe_payment_method_id,
        profile.payment_method_brand as card_brand, profile.payment_method_last_four as card_last_four,
        case when slot.is_open then (select title from lesson_templates
          where template_id = slot.template_id) end as title,
        case when slot.is_open then (select expires_at_ms - ${nowMs}
          from rate_limits where key = request.pause_key and calls >= request.pause_calls) end as address_wait_ms,
        case when slot.is_open then (select ${locationObject('locations')} from locations
          where location_id = slot.location_id) end as location,
        case when slot.is_open then ${storedSetting('platformFee')} end as stored_fee,
        case when slot.is_open then ${storedSetting('cancellationPolicy')} end as stored_policy
      from unnest(${keys.map(({ slotId }) => slotId)}::uuid[], ${keys.map(({ userId }) => userId)}::uuid[],
          ${pauses.map((pause) => pause?.key ?? null)}::text[], ${pauses.map((pause) => pause?.calls ?? null)}::int[])
        with ordinality as request (slot_id, user_id, pause_key, pause_calls, position)
      join lesson_slots slot using (slot_id)
      left join bookings own
        on own.slot_id = slot.slot_id and own.customer_user_id = request.user_id and own.is_active
      left join profiles profile on profile.user_id = request.user_id and slot.is_open`.execute(db);
    const found = new Map(rows.map((row) => [row.position, row]));
    return keys.map((_, index) => found.get(index + 1));
  });
}

/** The maximum number of attempts at a hold when other requests from the same customer conflict with it. */
const tries = 4;

/**
 * Takes a seat for 15 minutes (5 if a hold that the customer began within the last day has expired) and inserts the
 * payment, and the booking with its cancellation policy, in one statement. The trigger bookings_copy_the_lesson copies
 * the lesson's details to the booking. The statement first consumes the customer's limits and stops if a limit is
 * exceeded; the conditional update of the slot is the seat check. Returns null if no seat is free, if the lesson has
 * started, or if its price, time, location or status, or the customer's account, has changed since `facts` was read.
 * Throws `too_many_requests`, including for a fourth undecided payment, and violations of bookings_one_active_per_slot
 * and bookings_customer_never_overlap.
 */
export async function holdSeat(
  db: Database,
  slotId: string,
  userId: string,
  facts: BookingFacts,
): Promise<PaymentRecord | null> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await takeSeat(db, slotId, userId, facts);
    } catch (error) {
      // Another request from the same customer took the hold number that was free when this request began.
      if (!isViolation(error, 'payments_three_undecided') || attempt === tries) throw error;
    }
  }
}

async function takeSeat(
  db: Database,
  slotId: string,
  userId: string,
  facts: BookingFacts,
): Promise<PaymentRecord | null> {
  const [bookingId, paymentId] = [randomUUID(), randomUUID()];
  const { priceCents } = facts;
  const terms = termsOfSlot(facts, parseSetting('cancellationPolicy', facts.storedPolicy));
  const isFree = priceCents === 0;
  const feeCents = feeOfPrice(priceCents, parseSetting('platformFee', facts.storedFee));
  const { rows } = await sql<LimitState & { createdAt: string | null; isHoldFree: boolean }>`
    with counted as (${consumeAll(limitsOfBooking(userId, priceCents))}
    ), person as materialized (
      select user_id from profiles
      where user_id = ${userId}::uuid and deleted_at is null and not exists (select from counted where is_over)
      for key share
    ), hold as materialized (
      select ${isFree} or number is not null as is_free, case when not ${isFree} then number end as number
      from (select min(number) as number from generate_series(1, 3) number where not exists (
        select from payments
        where customer_user_id = ${userId}::uuid and hold_number = number
          and status in ('processing', 'requires_action'))) lowest
    ), slot as (
      update lesson_slots set booked_count = booked_count + 1
      where exists (select from person) and (select is_free from hold)
        and slot_id = ${slotId}::uuid and status = 'scheduled' and start_time > now()
        and booked_count < max_capacity and price_cents = ${priceCents}
        and start_time = ${facts.startTime}::timestamptz and end_time = ${facts.endTime}::timestamptz
        and location_id is not distinct from ${facts.location?.locationId ?? null}::uuid
      returning slot_id, price_cents, start_time, end_time
    ), payment as (
      insert into payments (payment_id, customer_user_id, amount_cents, stripe_customer_id,
        stripe_payment_method_id, card_brand, card_last_four, hold_number)
      select ${paymentId}::uuid, ${userId}::uuid, price_cents, ${isFree ? null : facts.stripeCustomerId}::text,
        ${isFree ? null : facts.stripePaymentMethodId}::text, ${isFree ? null : facts.cardBrand}::text,
        ${isFree ? null : facts.cardLastFour}::text, hold.number
      from slot, hold
    ), booking as (
      insert into bookings (booking_id, slot_id, customer_user_id, payment_id, amount_cents, fee_cents,
        ${sql.join(policyFields.map((field) => sql.ref(field)))}, during, hold_expires_at)
      select ${bookingId}::uuid, slot_id, ${userId}::uuid, ${paymentId}::uuid, price_cents, ${feeCents},
        ${sql.join(policyFields.map((field) => terms[field]))},
        tstzrange(start_time, end_time), now() + interval '1 minute' * case when exists (
          select from payments where customer_user_id = ${userId}::uuid and failure_code = 'hold_expired'
            and created_at > now() - interval '1 day') then ${shortHoldMinutes}::int else ${holdMinutes}::int end
      from slot
      returning created_at
    )
    select key, is_over, wait_ms, (select created_at from booking), (select is_free from hold) as is_hold_free
    from counted`.execute(db);
  const { createdAt, isHoldFree } = rows[0]!;
  if (createdAt === null) {
    const isTryCounted = rows.some(({ key, isOver }) => key === keyOfCardTries(userId) && !isOver);
    if (isTryCounted) await returnCardTry(db, userId);
    assertWithinLimits(rows);
    if (!isHoldFree) throw await refuseFourthHold(db, userId);
    return null;
  }
  return {
    paymentId,
    bookingId,
    slotId,
    customerUserId: userId,
    amountCents: priceCents,
    paymentStatus: 'processing',
    bookingStatus: 'pending',
    failureCode: null,
    failureMessage: null,
    stripePaymentIntentId: null,
    stripeCustomerId: isFree ? null : facts.stripeCustomerId,
    stripePaymentMethodId: isFree ? null : facts.stripePaymentMethodId,
    title: facts.title ?? '',
    startTime: facts.startTime,
    endTime: facts.endTime,
    createdAt,
    isHoldOver: false,
    isOverdue: false,
  };
}

async function refuseFourthHold(db: Database, userId: string): Promise<AppError> {
  const { rows } = await sql<{ seconds: number }>`
    select ceil(greatest(extract(epoch from min(hold_expires_at) - now()), 0))::int + 60 as seconds
    from bookings join payments using (payment_id)
    where payments.customer_user_id = ${userId}::uuid and hold_number is not null
      and payments.status in ('processing', 'requires_action')`.execute(db);
  const retryAfterSeconds = rows[0]?.seconds ?? 60;
  return new AppError(
    'too_many_requests',
    `Three of your bookings are still waiting for payment. Finish one of them in My Bookings, or try again in ${describeWait(retryAfterSeconds)}. You have not been charged for this lesson.`,
    { details: { retryAfterSeconds } },
  );
}
