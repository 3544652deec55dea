import { type RawBuilder, sql } from 'kysely';
import type { ParticipantKind } from '#domain/accounts/participants.ts';
import { maxBookingsPerPayment } from '#domain/bookings/rules.ts';
import type { AgeDate } from '#domain/catalogue/ages.ts';
import type { Location } from '#domain/catalogue/contract.ts';
import { locationObject } from '#server/catalogue/location-columns.ts';
import { isMinorUncovered } from '#server/catalogue/uncovered-minors.ts';
import { pauseOfAddress } from '#server/payments/card-limits.ts';
import { createBatchLoader } from '#server/platform/db/batch-loader.ts';
import type { Database } from '#server/platform/db/db.ts';
import { keepStatement } from '#server/platform/db/keep-statement.ts';
import { nowMs } from '#server/platform/http/rate-limit.ts';
import { storedSetting } from '#server/settings/queries.ts';
import { takesBookings } from '#server/verification/seat-conditions.ts';

/** Everything that decides whether and how a customer can book a slot, from a single query. */
export type BookingFacts = {
  status: string;
  startTime: string;
  endTime: string;
  /** The location; null if it is still to be agreed or if the slot is not open. */
  location: Location | null;
  coachId: string;
  /** Whether the coach takes bookings today, as a current coach with all documents that the club requires. */
  isCoachActive: boolean;
  /** Whether the participant is under 18 and the coach's checks don't cover the lesson's day. */
  isMinorUncovered: boolean;
  priceCents: number;
  isOpen: boolean;
  /** The number of seats that nobody has booked or holds. */
  freeSeats: number;
  ownBookingId: string | null;
  ownStatus: string | null;
  isOwnHoldOver: boolean | null;
  /** Whether the customer made the participant's booking; false if another guardian did. */
  isOwnPayer: boolean | null;
  minAge: number | null;
  maxAge: number | null;
  ageDate: AgeDate;
  /**
   * The participant; null if the customer may not act for them. Also null if customers book a lesson without an age
   * range for themselves, because then no refusal depends on it.
   */
  participant: BookingParticipant | null;
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

/** The facts about a participant that determine whether a booking is refused. */
export type BookingParticipant = {
  kind: ParticipantKind;
  /** The name that the participant goes by, or else the full name. */
  name: string;
  dateOfBirth: string | null;
  careConfirmedAt: string | null;
  /** Whether the coach has made an exception to the lesson's age range. */
  isLetIn: boolean;
};

type BookingFactsKey = { slotId: string; userId: string; participantId: string; ipAddress: string | null };
export type ReadBookingFacts = (key: BookingFactsKey) => Promise<BookingFacts | undefined>;

/**
 * SQL for the {@link BookingParticipant} of a `request`; null if the request's user may not act for the participant.
 */
const participantObject = sql`(
  select jsonb_build_object('kind', participant.kind,
    'name', coalesce(participant.known_as, name_of_participant(participant)),
    'dateOfBirth', participant.date_of_birth, 'careConfirmedAt', care.confirmed_at,
    'isLetIn', exists (
      select from age_requests
      where age_requests.template_id = slot.template_id
        and age_requests.participant_id = participant.participant_id and status = 'allowed'))
  from participants participant left join participant_care care using (participant_id)
  where participant.participant_id = request.participant_id and participant.deleted_at is null
    and (participant.participant_id = request.user_id or exists (
      select from guardians
      where guardians.participant_id = participant.participant_id and guardians.user_id = request.user_id))
)`;

type FactsRow = BookingFacts & { position: number };

/** SQL for the facts of `requests`, numbered from 1. */
const selectFacts = (requests: RawBuilder<unknown>) => sql<FactsRow>`
  select request.position, slot.status, slot.start_time, slot.end_time, slot.coach_id, slot.price_cents, slot.is_open,
    slot.max_capacity - slot.booked_count as free_seats,
    ${takesBookings('coach')} as is_coach_active,
    ${isMinorUncovered('coach', 'slot', sql`request.participant_id`)} as is_minor_uncovered,
    own.booking_id as own_booking_id, own.status as own_status,
    own.hold_expires_at <= now() as is_own_hold_over, own.customer_user_id = request.user_id as is_own_payer,
    slot.min_age, slot.max_age, slot.age_date,
    case when request.participant_id <> request.user_id or slot.min_age is not null or slot.max_age is not null
      then ${participantObject} end as participant,
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
  from ${requests} as request (slot_id, user_id, participant_id, pause_key, pause_calls, position)
  join lesson_slots slot using (slot_id)
  join coaches coach on coach.coach_id = slot.coach_id
  left join bookings own
    on own.slot_id = slot.slot_id and own.participant_id = request.participant_id and own.is_active
  left join profiles profile on profile.user_id = request.user_id and slot.is_open`;

const types = ['uuid', 'uuid', 'uuid', 'text', 'int'].map((type) => sql.raw(type));
const parametersOf = ({ slotId, userId, participantId, ipAddress }: BookingFactsKey) => {
  const pause = pauseOfAddress(ipAddress);
  return [slotId, userId, participantId, pause?.key ?? null, pause?.calls ?? null];
};

/**
 * The statements for one request, for two and so on. PostgreSQL keeps the plan of a statement that lists its rows, but
 * plans a statement with arrays again at every call. For a few rows, planning the statement costs more than running it.
 */
const readListed = Array.from({ length: maxBookingsPerPayment }, (_, index) => {
  const rowOf = (values: unknown[], row: number) =>
    sql`(${sql.join(types.map((type, column) => sql`${values[row * types.length + column]}::${type}`))}, ${sql.lit(row + 1)})`;
  return keepStatement((_, values: unknown[]) => {
    const rows = Array.from({ length: index + 1 }, (_, row) => rowOf(values, row));
    return selectFacts(sql`(values ${sql.join(rows)})`);
  });
});

const readMany = keepStatement((_, values: unknown[]) => {
  const columns = types.map((type, column) => sql`${values[column]}::${type}[]`);
  return selectFacts(sql`unnest(${sql.join(columns)}) with ordinality`);
});

/**
 * Batched loader for everything that decides whether a customer can book a slot; undefined if the slot does not
 * exist. Concurrent callers share one query, so a rush on a full slot stays cheap.
 */
export function createFactsReader(db: Database): ReadBookingFacts {
  return createBatchLoader(async (keys: BookingFactsKey[]) => {
    const requests = keys.map(parametersOf);
    const readFew = readListed[requests.length - 1];
    const rows = readFew
      ? await readFew(db, requests.flat())
      : await readMany(
          db,
          types.map((_, column) => requests.map((request) => request[column])),
        );
    const found = new Map(rows.map((row) => [row.position, row]));
    return keys.map((_, index) => found.get(index + 1));
  });
}
