import { sql } from 'kysely';
import { reviewTimes } from '#domain/reviews/rules.ts';

/**
 * SQL: whether the customer of `booking` may review its lesson in `slot`. The lesson is over and was paid for, and the
 * customer is not in the coach's team. The participant was marked as present, left unmarked for 48 hours, or found by
 * an admin to have been present. With {@link isRecentEnough} and {@link isCardRefused}, these are the rules of
 * `refuseReview`, which words the refusals.
 */
export const wasThere = sql`(
  booking.status in ('booked', 'attended') and upper(booking.during) < now() and booking.charged_cents > 0 and (
    booking.attended
    or booking.attended is null
      and upper(booking.during) < now() - interval '1 hour' * ${sql.lit(reviewTimes.unmarkedCountsAfterHours)}
    or exists (select from review_cases claim
      where claim.booking_id = booking.booking_id and claim.kind = 'attendance' and claim.outcome = 'accepted'))
  and booking.customer_user_id <> slot.coach_id
  and not exists (
    select from coaches own join coaches taught on taught.business_id = own.business_id
    where own.coach_id = booking.customer_user_id and taught.coach_id = slot.coach_id))`;

const earliest = sql`now() - interval '1 day' * ${sql.lit(reviewTimes.openDays)}`;

/** SQL: whether `booking` ended, or an admin accepted that its participant was there, in the last 90 days. */
export const isRecentEnough = sql`(
  upper(booking.during) > ${earliest}
  or exists (select from review_cases claim
    where claim.booking_id = booking.booking_id and claim.kind = 'attendance' and claim.outcome = 'accepted'
      and claim.decided_at > ${earliest}))`;

/**
 * SQL: whether the card that paid for `booking` belongs to the coach or the coach's team, or already counts for a
 * review of this coach.
 */
export const isCardRefused = sql`exists (
  select from payments payment join card_fingerprints card using (stripe_payment_method_id)
  where payment.payment_id = booking.payment_id and (
    card.card_hash in (
      select known.card_hash from card_fingerprints known
      join coaches member on member.coach_id = known.user_id
      join coaches taught on taught.coach_id = slot.coach_id
      where member.coach_id = taught.coach_id or member.business_id = taught.business_id)
    or exists (select from reviews other where other.coach_id = slot.coach_id and other.card_hash = card.card_hash
      and other.period @> current_date)))`;
