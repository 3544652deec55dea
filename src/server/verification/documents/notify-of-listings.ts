import { sql } from 'kysely';
import { notify } from '#server/notifications/notify.ts';
import { readRecipient } from '#server/notifications/recipients.ts';
import { composeListedAgainMessage } from '#server/notifications/verification-templates/hidden-coaches.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';

/** The most coaches that one transaction notifies. */
const coachesPerTransaction = 20;

type Listed = {
  coachId: string;
  coachName: string;
  isCoachToBeNotified: boolean;
  /**
   * The current owner of the coach's business; null if no owner was notified that the lessons were hidden, or if the
   * coach is the owner.
   */
  ownerUserId: string | null;
};

/**
 * Notifies coaches and the owners of their businesses that lessons are listed again, if a coach or owner was notified
 * that the lessons had been hidden. If the business has a new owner since then, that person is notified instead of the
 * former owner. Covers lessons that were listed again no later than `until`.
 */
export async function notifyOfListings(db: Database, until: string): Promise<void> {
  while ((await db.transaction().execute((tx) => notifyBatch(tx, until))) === coachesPerTransaction);
}

async function notifyBatch(tx: Tx, until: string): Promise<number> {
  const { rows } = await sql<Listed>`
    with listed as (
      delete from hidden_coaches where coach_id = any(array(
        select coach_id from hidden_coaches where listed_at <= ${until}::timestamptz
        order by coach_id limit ${coachesPerTransaction} for update skip locked))
      returning coach_id, coach_notified_at, owner_notified_at
    )
    select coach_id, profile.full_name as coach_name, coach_notified_at is not null as is_coach_to_be_notified,
      case when owner_notified_at is not null and business.owner_user_id <> coach_id
        then business.owner_user_id end as owner_user_id
    from listed join coaches using (coach_id) join profiles profile on profile.user_id = coach_id
    left join coaching_businesses business using (business_id)
    order by profile.full_name, coach_id`.execute(tx);
  for (const { coachId, coachName, isCoachToBeNotified } of rows) {
    if (isCoachToBeNotified) await send(tx, coachId, 'coach', [{ coachId, coachName }]);
  }
  for (const ownerId of new Set(rows.flatMap(({ ownerUserId }) => ownerUserId ?? []))) {
    const coaches = rows.filter(({ ownerUserId }) => ownerUserId === ownerId);
    await send(tx, ownerId, 'owner', coaches);
  }
  return rows.length;
}

async function send(
  tx: Tx,
  userId: string,
  reader: 'coach' | 'owner',
  coaches: Pick<Listed, 'coachId' | 'coachName'>[],
): Promise<void> {
  const person = await readRecipient(tx, userId);
  const { coachId } = coaches[0]!;
  const event = coaches.length === 1 ? { subjectId: coachId, aboutUserId: coachId } : { subjectId: userId };
  const coachNames = coaches.map(({ coachName }) => coachName);
  const message = composeListedAgainMessage({ fullName: person.fullName, reader, coachNames });
  await notify(tx, person, { kind: 'lessons_listed', ...event }, message);
}
