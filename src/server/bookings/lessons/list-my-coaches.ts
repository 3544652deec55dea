import { sql } from 'kysely';
import type { MyCoach } from '#domain/bookings/contract.ts';
import type { Database } from '#server/platform/db/db.ts';

/**
 * Lists every coach that this customer has ever booked, even if the booking was cancelled; the coach of the latest
 * lesson comes first.
 */
export async function listMyCoaches(db: Database, userId: string): Promise<MyCoach[]> {
  const { rows } = await sql<MyCoach>`
    with mine as (
      select part.coach_id, max(part.latest) as latest, sum(part.lessons)::integer as own_lessons
      from (
        select coach_id, lessons, latest from customer_coaches where customer_user_id = ${userId}::uuid
        union all
        select open.coach_id, open.lessons, open.latest
        from closed_sums closed
        cross join lateral customer_lessons(closed.until, 'infinity') open
        where closed.name = 'customer_coaches' and open.customer_user_id = ${userId}::uuid
      ) part
      group by part.coach_id
    )
    select coach.coach_id, coach_public_name(profile) as full_name, profile.coach_address,
      case when coach.is_active and coach.is_listed then profile.avatar_url end as avatar_url, coach.coach_type, business.business_name, coach.bio,
      coach.hourly_rate_cents, coach.is_active and coach.is_listed as is_active, mine.own_lessons,
      case when coach.is_active and coach.is_listed then (
        select count(*) from lesson_slots slot
        where slot.coach_id = coach.coach_id and slot.status = 'scheduled' and slot.start_time > now()
      ) else 0 end as upcoming_slots
    from mine
    join coaches coach using (coach_id)
    join profiles profile on profile.user_id = coach.coach_id
    left join coaching_businesses business on business.business_id = coach.business_id
    order by mine.latest desc, coach.coach_id`.execute(db);
  return rows;
}
