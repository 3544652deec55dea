import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import type { Settings } from '#domain/settings/contract.ts';
import { documentKinds, type VerificationPolicy } from '#domain/settings/verification-policy.ts';
import type { checksApi } from '#domain/verification/checks-contract.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { updateSetting } from '#server/settings/update-setting.ts';
import { londonToday } from './seat-conditions.ts';

/** Coaches per statement. Small enough to stay far below the statement timeout. */
const batchSize = 500;
/** An id that sorts before those of all coaches. */
const beforeAll = '00000000-0000-0000-0000-000000000000';

/** Changes the policy and, in the same transaction, who is listed and who can teach under-18s. */
export function changeVerificationPolicy(
  db: Database,
  admin: Person,
  policy: VerificationPolicy,
): Promise<Settings> {
  return updateSetting(db, admin, 'verificationPolicy', policy, (tx) => renewClearances(tx));
}

/** Recalculates how long each coach is listed and may teach under-18s. Safe to repeat. */
export async function renewClearances(db: Database | Tx): Promise<void> {
  let after = beforeAll;
  for (;;) {
    const { rows } = await sql<{ coachId: string }>`
      select coach_id, renew_clearance(coach_id) from (
        select coach_id from coaches where coach_id > ${after}::uuid order by coach_id limit ${batchSize}) coach
      order by coach_id`.execute(db);
    const last = rows.at(-1);
    if (!last) return;
    after = last.coachId;
  }
}

type Preview = OutputOf<typeof checksApi.previewPolicy>;

/**
 * Counts the active coaches, how many of them a policy would hide today, and the upcoming lessons that it would hide.
 * Reads coaches in batches, because 5,000 in one statement took two seconds, which is the statement timeout.
 */
export async function previewPolicy(
  db: Database,
  choices: ParsedInputOf<typeof checksApi.previewPolicy>,
): Promise<Preview> {
  const policy = JSON.stringify(
    Object.fromEntries(
      documentKinds.map((kind) => {
        const [askedOf, effect] = choices[kind].split(':');
        return [kind, { askedOf, effect }];
      }),
    ),
  );
  const sums: Preview = { coaches: 0, hiddenCoaches: 0, hiddenLessons: 0 };
  let after = beforeAll;
  for (;;) {
    const { rows } = await sql<Preview & { last: string | null }>`
      with hidden as materialized (
        select coach_id, clear.listed_until < ${londonToday} as is_hidden
        from (select coach_id from coaches where is_active and coach_id > ${after}::uuid
          order by coach_id limit ${batchSize}) coach, coach_clearance(coach_id, ${policy}::jsonb) clear
      )
      select count(*)::integer as coaches, (count(*) filter (where is_hidden))::integer as hidden_coaches,
        (select count(*)::integer from lesson_slots slot join hidden using (coach_id)
          where is_hidden and slot.status = 'scheduled' and slot.is_open and slot.start_time > now()) as hidden_lessons,
        (array_agg(coach_id order by coach_id desc))[1] as last
      from hidden`.execute(db);
    const { last, ...counted } = rows[0]!;
    if (!last) return sums;
    for (const name of ['coaches', 'hiddenCoaches', 'hiddenLessons'] as const) sums[name] += counted[name];
    after = last;
  }
}
