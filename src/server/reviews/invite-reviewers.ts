import { sql } from 'kysely';
import { reviewTimes } from '#domain/reviews/rules.ts';
import { composeReviewInvitationMessage } from '#server/notifications/templates/reviews.ts';
import { writeNotifications } from '#server/notifications/write-notifications.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';
import { isCardRefused, wasThere } from './writing/may-review.ts';

/**
 * Days to look back. Lessons that began earlier are left out, so that a product update doesn't invite people to review
 * old lessons.
 */
const lookBackDays = 7;
const batchSize = 100;

type Invited = { bookingId: string; userId: string; coachId: string; coachName: string; title: string };

/**
 * Invites everyone who can review a coach, at most once in 12 months: 24 hours after a lesson, or once they can review
 * it if that is later. Earlier complaints and praise make no difference. Safe to repeat, because a database constraint
 * allows one invitation for each coach and customer in 12 months.
 */
export async function inviteReviewers(db: Database): Promise<void> {
  for (;;) {
    const invited = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<Invited>`
        with due as (
          select distinct on (slot.coach_id, booking.customer_user_id) booking.booking_id, slot.coach_id,
            booking.customer_user_id
          from lesson_slots slot join bookings booking using (slot_id)
          join coaches coach on coach.coach_id = slot.coach_id
          where slot.status in ('scheduled', 'completed') and coach.is_active
            and slot.start_time > now() - interval '1 day' * ${sql.lit(lookBackDays)} and slot.start_time < now()
            and upper(booking.during) <= now() - interval '1 hour' * ${sql.lit(reviewTimes.invitedAfterHours)}
            and ${wasThere} and not ${isCardRefused}
            and not exists (select from review_invitations sent where sent.coach_id = slot.coach_id
              and sent.customer_user_id = booking.customer_user_id and sent.period @> current_date)
            and not exists (select from reviews review where review.coach_id = slot.coach_id
              and review.customer_user_id = booking.customer_user_id and review.period @> current_date)
          order by slot.coach_id, booking.customer_user_id, lower(booking.during) desc
          limit ${sql.lit(batchSize)}
        ), invited as (
          insert into review_invitations (booking_id, coach_id, customer_user_id, period)
          select booking_id, coach_id, customer_user_id,
            daterange(current_date, (current_date + interval '12 months')::date) from due
          on conflict do nothing
          returning booking_id, coach_id, customer_user_id
        )
        select invited.booking_id, invited.customer_user_id as user_id, invited.coach_id,
          coach_public_name(coach) as coach_name, booking.title
        from invited join bookings booking using (booking_id) join profiles coach on coach.user_id = invited.coach_id`.execute(
        tx,
      );
      if (rows.length === 0) return 0;
      const brand = await readBrand(tx);
      await writeNotifications(
        tx,
        rows.map(({ userId, bookingId, coachId, coachName, title }) => ({
          kind: 'review_invitation' as const,
          userId,
          subjectId: bookingId,
          version: 'invited',
          aboutUserId: coachId,
          message: composeReviewInvitationMessage({
            ...{ bookingId, coachName, title, brand },
            openDays: reviewTimes.openDays,
            delayHours: reviewTimes.publishedAfterHours,
          }),
        })),
      );
      return rows.length;
    });
    if (invited < batchSize) return;
  }
}
