import { sql } from 'kysely';
import type { Location } from '#domain/catalogue/contract.ts';
import { locationObject } from '#server/catalogue/location-columns.ts';
import { pauseOfAddress } from '#server/payments/card-limits.ts';
import { createBatchLoader } from '#server/platform/db/batch-loader.ts';
import type { Database } from '#server/platform/db/db.ts';
import { nowMs } from '#server/platform/http/rate-limit.ts';
import { storedSetting } from '#server/settings/queries.ts';

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
