import { sql } from 'kysely';
import type { FirstStep, firstStepsApi } from '#domain/account/first-steps-contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import type { Database } from '#server/platform/db/db.ts';

/** A new coach's steps in order. Each is derived from what is stored, so none can be ticked without being done. */
export async function listFirstSteps(
  db: Database,
  coachId: string,
): Promise<OutputOf<typeof firstStepsApi.list>> {
  const { rows } = await sql<Record<FirstStep, boolean>>`
    select
      coach.coach_type is not null and coach.bio is not null and cardinality(coach.sports) > 0 as profile,
      person.avatar_url is not null as picture,
      exists (select from locations where coach_id = coach.coach_id and deleted_at is null) as location,
      exists (select from lesson_templates where coach_id = coach.coach_id and deleted_at is null) as template,
      exists (select from lesson_slots where coach_id = coach.coach_id and status <> 'cancelled') as lessons,
      exists (select from coach_bank_details where coach_id = coach.coach_id) as bank_details
    from coaches as coach join profiles as person on person.user_id = coach.coach_id
    where coach.coach_id = ${coachId}::uuid`.execute(db);
  const done = rows[0]!;
  const order: FirstStep[] = ['profile', 'picture', 'location', 'template', 'lessons', 'bankDetails'];
  return { steps: order.map((step) => ({ step, isDone: done[step] })) };
}
