import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import type { Settings } from '#domain/settings/contract.ts';
import { documentKinds, type VerificationPolicy } from '#domain/settings/verification-policy.ts';
import type { checksApi } from '#domain/verification/checks-contract.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { updateSetting } from '#server/settings/update-setting.ts';
import { londonToday } from './seat-conditions.ts';

/** Coaches per statement: few enough to stay far below the statement timeout. */
const batchSize = 500;

/** Changes what is asked of coaches, and in the same transaction who is listed and who can teach under-18s. */
export function changeVerificationPolicy(
  db: Database,
  admin: Person,
  policy: VerificationPolicy,
): Promise<Settings> {
  return updateSetting(db, admin, 'verificationPolicy', policy, (tx) => renewClearances(tx));
}

/** Writes again until when each coach is listed and can teach under-18s. Repeatable. */
export async function renewClearances(db: Database | Tx): Promise<void> {
  let after = '00000000-0000-0000-0000-000000000000';
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

/** How many coaches and upcoming lessons a policy would hide today. */
export async function previewPolicy(
  db: Database,
  choices: ParsedInputOf<typeof checksApi.previewPolicy>,
): Promise<Preview> {
  const policy = Object.fromEntries(
    documentKinds.map((kind) => {
      const [askedOf, effect] = choices[kind].split(':');
      return [kind, { askedOf, effect }];
    }),
  );
  const { rows } = await sql<Preview>`
    with hidden as materialized (
      select coach_id, clear.listed_until < ${londonToday} as is_hidden
      from coaches, coach_clearance(coach_id, ${JSON.stringify(policy)}::jsonb) clear where is_active
    )
    select count(*)::integer as coaches, (count(*) filter (where is_hidden))::integer as hidden_coaches,
      (select count(*)::integer from lesson_slots slot join hidden using (coach_id)
        where is_hidden and slot.status = 'scheduled' and slot.is_open and slot.start_time > now()) as hidden_lessons
    from hidden`.execute(db);
  return rows[0]!;
}
