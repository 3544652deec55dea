import { type RawBuilder, sql } from 'kysely';
import type { UncoveredLesson } from '#domain/verification/documents-contract.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';

const maxLessons = 100;

/**
 * SQL for upcoming booked lessons that these coaches' documents don't cover: those after the coach's last
 * listed day, and those with under-18s after the last day on which the checks count.
 */
const uncovered = (coaches: RawBuilder<unknown>) => sql`
  select slot.slot_id, slot.coach_id, slot.template_id, slot.start_time, slot.end_time, slot.booked_count as seats,
    booked.minors
  from coaches coach join lesson_slots slot on slot.coach_id = coach.coach_id
  cross join lateral (select (slot.start_time at time zone 'Europe/London')::date as day) london
  cross join lateral (
    select case when minors_until_at(coach, slot.location_id,
        (select nation from locations where locations.location_id = slot.location_id)) < london.day
      then (select count(*) from bookings booking join participants using (participant_id)
        where booking.slot_id = slot.slot_id and booking.is_active
          and participants.date_of_birth > london.day - interval '18 years') else 0 end::integer as minors) booked
  where coach.coach_id in (${coaches}) and slot.status = 'scheduled' and slot.start_time > now()
    and slot.booked_count > 0 and (london.day > coach.listed_until or booked.minors > 0)`;

/** The number of a coach's booked lessons that the documents don't cover. */
export async function countUncoveredLessons(db: Database | Tx, coachId: string): Promise<number> {
  const { rows } = await sql<{ lessons: number }>`
    select count(*)::integer as lessons from (${uncovered(sql`${coachId}::uuid`)}) lesson`.execute(db);
  return rows[0]!.lessons;
}

/**
 * The first 100 booked lessons that documents don't cover, soonest first. Coaches get their own lessons, and owners
 * those of the whole team.
 */
export const listUncoveredLessons = (db: Database | Tx, userId: string): Promise<UncoveredLesson[]> =>
  list(
    db,
    sql`select ${userId}::uuid union select member.coach_id
      from coaches owner join coaches member using (business_id)
      where owner.coach_id = ${userId}::uuid and owner.business_role = 'owner'`,
  );

/**
 * The first 100 booked lessons of these coaches that documents don't cover, soonest first, and whether there are more.
 */
export async function listUncoveredLessonsOf(
  db: Database | Tx,
  coachIds: readonly string[],
): Promise<{ lessons: UncoveredLesson[]; areMore: boolean }> {
  const lessons = await list(db, sql`select unnest(${coachIds}::uuid[])`, maxLessons + 1);
  return { lessons: lessons.slice(0, maxLessons), areMore: lessons.length > maxLessons };
}

async function list(
  db: Database | Tx,
  coaches: RawBuilder<unknown>,
  limit = maxLessons,
): Promise<UncoveredLesson[]> {
  const { rows } = await sql<UncoveredLesson>`
    select lesson.slot_id, lesson.coach_id, profile.full_name as coach_name, template.title, lesson.start_time,
      lesson.end_time, lesson.seats, lesson.minors
    from (${uncovered(coaches)}) lesson
    join lesson_templates template using (template_id)
    join profiles profile on profile.user_id = lesson.coach_id
    order by lesson.start_time, lesson.slot_id limit ${limit}`.execute(db);
  return rows;
}
