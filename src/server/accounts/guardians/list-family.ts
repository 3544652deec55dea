import { sql } from 'kysely';
import type { Database, Tx } from '#server/platform/db/db.ts';

/** A person who acts for a participant: a guardian of the dependant, or the person themselves. */
export type FamilyMember = { userId: string; fullName: string; email: string; participantName: string };

/** Everyone who acts for a participant, in the order in which they joined; nobody for a deleted participant. */
export async function listFamily(db: Database | Tx, participantId: string): Promise<FamilyMember[]> {
  const { rows } = await sql<FamilyMember>`
    select person.user_id, person.full_name, person.email, name_of_participant(participant) as participant_name
    from participants participant
    left join guardians guardian using (participant_id)
    join profiles person on person.user_id = coalesce(guardian.user_id, participant.own_user_id)
    where participant.participant_id = ${participantId}::uuid and participant.deleted_at is null
    order by guardian.created_at, person.user_id`.execute(db);
  return rows;
}
