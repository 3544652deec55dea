import { type RawBuilder, sql } from 'kysely';
import {
  type CoachApplication,
  listMissingDocuments,
  type OwnApplication,
} from '#domain/verification/application.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { readSetting } from '#server/settings/queries.ts';

const ownColumns = sql`application.application_id, application.status, application.headline, application.bio,
  application.sports, application.nations, application.experience, application.coaches_juniors,
  application.terms_accepted_at is not null as has_accepted_terms, application.decision_message,
  application.submitted_at, application.decided_at, application.updated_at`;

/** The person's latest application. `isLocked` locks it until the end of the transaction. */
export async function findLatest(
  db: Database | Tx,
  userId: string,
  { isLocked = false } = {},
): Promise<OwnApplication | undefined> {
  const { rows } = await sql<OwnApplication>`
    select ${ownColumns} from coach_applications application where user_id = ${userId}::uuid
    order by created_at desc, status in ('draft', 'submitted', 'changes') desc limit 1
    ${isLocked ? sql`for update` : sql``}`.execute(db);
  return rows[0];
}

/** SQL: an array of the kinds of document that an admin has accepted for `person` and that haven't ended. */
const acceptedKinds = sql`array(select document.kind from coach_documents document
  where document.coach_id = person.user_id and document.status = 'accepted'
    and document.ends_on >= (now() at time zone 'Europe/London')::date)`;

/** The documents that the policy requires and this person lacks, for the audit log. */
export async function findMissingDocuments(
  tx: Tx,
  userId: string,
  coachesJuniors: boolean | null,
): Promise<string[]> {
  const { rows } = await sql<{ accepted: string[] }>`
    select ${acceptedKinds} as accepted from profiles person where user_id = ${userId}::uuid`.execute(tx);
  const accepted = rows[0]?.accepted ?? [];
  return listMissingDocuments(await readSetting(tx, 'verificationPolicy'), { coachesJuniors, accepted });
}

/** Applications as admins see them. `more` is the SQL condition, order and limit. */
export async function selectApplications(
  db: Database | Tx,
  more: RawBuilder<unknown>,
): Promise<CoachApplication[]> {
  const { rows } = await sql<CoachApplication & { accepted: string[] }>`
    select ${ownColumns}, person.user_id, ${acceptedKinds} as accepted, person.full_name, person.email, decider.full_name as decided_by,
      array_remove(array[
        case when person.full_name = '' then 'No name' end,
        case when not exists (select from storage_objects picture
          where picture.bucket = 'avatars' and picture.owner_user_id = person.user_id) then 'No profile picture' end
      ], null) as missing,
      coalesce((select array_agg(business.business_name order by invitation.created_at)
        from business_invitations invitation join coaching_businesses business using (business_id)
        where invitation.email = person.email and invitation.status = 'pending' and invitation.expires_at > now()),
        '{}') as business_names
    from coach_applications application
    join profiles person using (user_id)
    left join profiles decider on decider.user_id = application.decided_by
    where ${more}`.execute(db);
  const policy = await readSetting(db, 'verificationPolicy');
  return rows.map(({ accepted, ...row }) => ({
    ...row,
    missing: [...row.missing, ...listMissingDocuments(policy, { ...row, accepted })],
  }));
}
