import { sql } from 'kysely';
import type { Tx } from '#server/platform/db/db.ts';
import { coachId, customerId } from './add-people.ts';

/** Stars and texts of the demo's reviews, used in turn. They suit every sport. */
const texts: [stars: number, text: string][] = [
  [5, 'Clear, patient and always on time. I learned more in an hour than in a whole season before.'],
  [5, 'My daughter looks forward to it all week. She is stretched without being pushed.'],
  [4, 'Good drills and honest feedback. The car park is a bit of a walk.'],
  [5, 'Came back after ten years away and felt welcome from the first minute.'],
  [3, 'Friendly, but the group was larger than I had expected, so there was some waiting.'],
  [5, 'Explains the why as well as the how. The exercises for home were a real help.'],
  [4, 'Well organised, good value, and a proper warm-up. We would book again.'],
  [2, 'The lesson itself was fine, but it started twenty minutes late and nobody said why.'],
];

/** How many coaches the demo's first customer has reviewed: few, so that people who try the demo can write reviews. */
const reviewsOfFirstCustomer = 1;

type Row = Record<'reviewId' | 'coachId' | 'customerUserId', string> & { number: number };

/**
 * Adds reviews of lessons that are over: some with replies, one that was reported, one that the checks held, one that
 * isn't published yet, and one that an admin removed. Also records invitations for all lessons that are over, so that
 * the job sends none for them.
 */
export async function addReviews(tx: Tx, adminId: string): Promise<void> {
  await sql`
    insert into review_invitations (booking_id, coach_id, customer_user_id, period, invited_at)
    select distinct on (slot.coach_id, booking.customer_user_id) booking.booking_id, slot.coach_id,
      booking.customer_user_id, daterange(current_date, (current_date + interval '12 months')::date), now()
    from bookings booking join lesson_slots slot using (slot_id)
    where booking.status in ('booked', 'attended') and upper(booking.during) < now()
      and booking.customer_user_id <> slot.coach_id
    order by slot.coach_id, booking.customer_user_id, booking.booking_id`.execute(tx);
  const { rows } = await sql<Row>`
    with taught as (
      select distinct on (slot.coach_id, booking.customer_user_id) booking.booking_id, slot.coach_id,
        booking.customer_user_id, upper(booking.during) as ended_at,
        booking.participant_id <> booking.customer_user_id as is_for_child
      from bookings booking join lesson_slots slot using (slot_id)
      where booking.status = 'attended' and booking.charged_cents > 0 and upper(booking.during) between now() - interval '80 days' and now() - interval '3 days'
        and booking.customer_user_id <> slot.coach_id
        and (booking.customer_user_id <> ${customerId(0)}::uuid or booking.participant_id = booking.customer_user_id)
      order by slot.coach_id, booking.customer_user_id, upper(booking.during)
    ), chosen as (
      select taught.*, row_number() over (partition by coach_id order by ended_at, booking_id)::integer as number,
        row_number() over (partition by customer_user_id order by coach_id = ${coachId(0)}::uuid, coach_id desc) as of_customer
      from taught
    )
    insert into reviews (booking_id, coach_id, customer_user_id, written_for, period, rating, body, status, created_at,
      submitted_at, published_at)
    select booking_id, coach_id, customer_user_id, case when is_for_child or number % ${texts.length} = 2 then 'junior' else 'self' end,
      daterange(ended_at::date + 1, ((ended_at::date + 1) + interval '12 months')::date),
      (${texts.map(([stars]) => stars)}::integer[])[1 + (number - 1) % ${texts.length}],
      (${texts.map(([, text]) => text)}::text[])[1 + (number - 1) % ${texts.length}],
      'published', ended_at + interval '26 hours', ended_at + interval '26 hours', ended_at + interval '50 hours'
    from chosen
    where case when customer_user_id = ${customerId(0)}::uuid then of_customer <= ${reviewsOfFirstCustomer}
      when coach_id = ${coachId(0)}::uuid then number <= ${texts.length} else number <= 5 end
    returning review_id, coach_id, customer_user_id, (select number from chosen where chosen.booking_id = reviews.booking_id) as number`.execute(
    tx,
  );
  const others = rows
    .filter((row) => row.coachId !== coachId(0) && row.customerUserId !== customerId(0) && row.number === 1)
    .sort((a, b) => a.coachId.localeCompare(b.coachId));
  if (others[1]) await hold(tx, others[1].reviewId);
  if (others[2]) await postpone(tx, others[2].reviewId);
  await sql`
    insert into moderation_log (review_id, about, action, at)
    select review_id, 'review', action, case action when 'published' then published_at else submitted_at end
    from reviews, unnest(array['submitted', 'held', 'published']) action
    where action in ('submitted', status) order by 4, action = 'submitted' desc`.execute(tx);
  const ofFirst = rows.filter((row) => row.coachId === coachId(0)).sort((a, b) => a.number - b.number);
  const [thanked, reported, replied] = [ofFirst[0], ofFirst[texts.length - 1] ?? ofFirst.at(-1), ofFirst[2]];
  for (const [review, reply] of [
    [thanked, 'Thank you! It was a pleasure to see how quickly you got into it.'],
    [replied, 'Thank you for the kind words. The gate behind the courts saves the walk from the car park.'],
  ] as const) {
    if (!review) continue;
    await sql`insert into review_replies (review_id, coach_id, body, created_at)
      select review_id, coach_id, ${reply}, published_at + interval '5 hours' from reviews
      where review_id = ${review.reviewId}::uuid`.execute(tx);
  }
  if (reported) await report(tx, reported.reviewId, 'The delay was announced the day before.');
  if (others[0]) await removeReported(tx, others[0].reviewId, adminId);
}

async function report(tx: Tx, reviewId: string, statement: string): Promise<void> {
  await sql`
    insert into review_cases (kind, about, review_id, opened_by, opened_hash, reason, statement, opened_at, due_at)
    select 'report', 'review', review_id, coach_id, 'demo', 'off_topic', ${statement}, now() - interval '20 hours',
      now() + interval '5 days'
    from reviews where review_id = ${reviewId}::uuid`.execute(tx);
  await sql`insert into moderation_log (review_id, about, action, reason) values (${reviewId}, 'review', 'reported', 'off_topic')`.execute(
    tx,
  );
}

async function removeReported(tx: Tx, reviewId: string, adminId: string): Promise<void> {
  await sql`
    insert into review_cases (kind, about, review_id, opened_by, opened_hash, reason, statement, opened_at, due_at,
      outcome, decided_reason, decided_by, decided_at)
    select 'report', 'review', review_id, coach_id, 'demo', 'private_data', 'It says which school a child goes to.',
      now() - interval '4 days', now() + interval '3 days', 'removed', 'private_data', ${adminId}::uuid,
      now() - interval '2 days'
    from reviews where review_id = ${reviewId}::uuid`.execute(tx);
  await sql`update reviews set status = 'removed', body = 'Our son from the primary school round the corner loves it.'
    where review_id = ${reviewId}::uuid`.execute(tx);
  await sql`insert into moderation_log (review_id, about, action, reason) values
    (${reviewId}, 'review', 'reported', 'private_data'), (${reviewId}, 'review', 'removed', 'private_data')`.execute(
    tx,
  );
}

/** Makes a review look as if it was written three hours ago and is not due to be published yet. */
async function postpone(tx: Tx, reviewId: string): Promise<void> {
  await sql`update reviews set status = 'pending', published_at = null, submitted_at = now() - interval '3 hours',
      created_at = now() - interval '3 hours'
    where review_id = ${reviewId}::uuid`.execute(tx);
}

async function hold(tx: Tx, reviewId: string): Promise<void> {
  await sql`update reviews set status = 'held', published_at = null, findings = '{contact}', submitted_at = now(),
      body = 'Great lessons. Ring me on 0113 496 0000 if you would like to share a court.',
      masked_body = 'Great lessons. Ring me on […] if you would like to share a court.'
    where review_id = ${reviewId}::uuid`.execute(tx);
  await sql`insert into review_cases (kind, about, review_id, due_at)
    values ('check', 'review', ${reviewId}, now() + interval '72 hours')`.execute(tx);
}
