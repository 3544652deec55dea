import { sql } from 'kysely';
import type { FirstStep, firstStepsApi } from '#domain/account/first-steps-contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { listNeededKinds } from '#domain/settings/verification-policy.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readSetting } from '#server/settings/queries.ts';
import { readCover } from '#server/verification/documents/read-trust-file.ts';

/** A new coach's steps in order. Each step is derived from stored data, so it counts only when it is really done. */
export async function listFirstSteps(
  db: Database,
  coachId: string,
): Promise<OutputOf<typeof firstStepsApi.list>> {
  type Row = Record<Exclude<FirstStep, 'checks'> | 'teachesMinors', boolean>;
  const [policy, covered, { rows }] = await Promise.all([
    readSetting(db, 'verificationPolicy'),
    readCover(db, coachId),
    sql<Row>`
    select
      coach.coach_type is not null and coach.bio is not null and cardinality(coach.sports) > 0 as profile,
      person.avatar_url is not null as picture,
      exists (select from locations where coach_id = coach.coach_id and deleted_at is null) as location,
      exists (select from lesson_templates where coach_id = coach.coach_id and deleted_at is null) as template,
      exists (select from lesson_slots where coach_id = coach.coach_id and status <> 'cancelled') as lessons,
      exists (select from coach_bank_details where coach_id = coach.coach_id) as bank_details,
      teaches_minors(coach.coach_id) as teaches_minors
    from coaches as coach join profiles as person on person.user_id = coach.coach_id
    where coach.coach_id = ${coachId}::uuid`.execute(db),
  ]);
  const { teachesMinors, ...saved } = rows[0]!;
  const needed = listNeededKinds(policy, teachesMinors);
  const done = { ...saved, checks: needed.every((kind) => covered.has(kind)) };
  const order: FirstStep[] = [
    ...(['profile', 'picture', 'location', 'template', 'lessons', 'bankDetails'] as const),
    ...(needed.length > 0 ? (['checks'] as const) : []),
  ];
  return { steps: order.map((step) => ({ step, isDone: done[step] })) };
}
