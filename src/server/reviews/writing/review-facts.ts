import { sql } from 'kysely';
import { shortenName } from '#domain/bookings/calendar-rules.ts';
import { AppError } from '#domain/errors.ts';
import { nameAuthor, type ReviewFacts } from '#domain/reviews/rules.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';

type Row = Omit<ReviewFacts, 'claim'> & {
  bookingId: string;
  slotId: string;
  coachId: string;
  coachName: string;
  customerName: string;
  title: string;
  startTime: string;
  endTime: string;
  cardHash: string | null;
  claimOutcome: string | null;
  hasClaim: boolean;
  isForSelf: boolean;
  isJunior: boolean;
  names: string[];
};

/**
 * SQL: the ids of the coaches in the team of `coach`, including `coach`. A coach without a business is a team of one.
 */
const teamOf = sql`(select member.coach_id from coaches member
  where member.coach_id = coach.coach_id or member.business_id = coach.business_id)`;

/**
 * The facts that determine whether a customer can review a lesson. Throws `not_found` for another customer's booking.
 */
export async function readReviewFacts(db: Database | Tx, userId: string, bookingId: string) {
  const { rows } = await sql<Row>`
    select booking.booking_id, booking.slot_id, booking.status, booking.attended, booking.title,
      booking.charged_cents = 0 as is_free,
      lower(booking.during) as start_time, upper(booking.during) as end_time, coach.coach_id,
      coach_public_name(coach_profile) as coach_name, customer.full_name as customer_name, card.card_hash,
      claim.case_id is not null as has_claim, claim.outcome as claim_outcome, claim.decided_at as claim_decided_at,
      booking.participant_id = booking.customer_user_id as is_for_self,
      coalesce(participant.date_of_birth > lower(booking.during)::date - interval '18 years', true) as is_junior,
      booking.customer_user_id in ${teamOf} as is_of_team,
      coalesce(card.card_hash in (select known.card_hash from card_fingerprints known
        where known.user_id in ${teamOf}), false) as is_team_card,
      coalesce(exists (select from reviews other where other.coach_id = coach.coach_id
        and other.card_hash = card.card_hash and other.customer_user_id <> booking.customer_user_id
        and other.period @> current_date), false) as is_card_used,
      array(
        select name from participants someone
        cross join unnest(array[name_of_participant(someone), someone.known_as]) name
        where name is not null and someone.participant_id <> booking.customer_user_id and (
          someone.participant_id in (select participant_id from guardians where user_id = booking.customer_user_id)
          or someone.participant_id in (select other.participant_id from bookings other
            where other.slot_id = booking.slot_id))
      ) as names
    from bookings booking
    join lesson_slots slot using (slot_id)
    join coaches coach on coach.coach_id = slot.coach_id
    join profiles coach_profile on coach_profile.user_id = coach.coach_id
    join profiles customer on customer.user_id = booking.customer_user_id
    join participants participant on participant.participant_id = booking.participant_id
    join payments payment on payment.payment_id = booking.payment_id
    left join card_fingerprints card on card.stripe_payment_method_id = payment.stripe_payment_method_id
    left join review_cases claim on claim.booking_id = booking.booking_id and claim.kind = 'attendance'
    where booking.booking_id = ${bookingId}::uuid and booking.customer_user_id = ${userId}::uuid`.execute(db);
  const row = rows[0];
  if (!row) throw new AppError('not_found', 'Booking not found.');
  const { hasClaim, claimOutcome, isForSelf, isJunior, ...facts } = row;
  const claim = hasClaim ? ((claimOutcome ?? 'open') as ReviewFacts['claim']) : null;
  const writtenFor = isForSelf ? ('self' as const) : isJunior ? ('junior' as const) : ('dependant' as const);
  return { ...facts, claim, writtenFor, author: nameAuthor(shortenName(row.customerName), writtenFor) };
}

export type LessonToReview = Awaited<ReturnType<typeof readReviewFacts>>;
