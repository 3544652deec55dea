import { type RawBuilder, sql } from 'kysely';
import { notifyAdmins } from '#server/accounts/notify-admins.ts';
import { notify } from '#server/notifications/notify.ts';
import { readRecipient } from '#server/notifications/recipients.ts';
import {
  composeCoachesHiddenMessage,
  composeCoachHiddenMessage,
} from '#server/notifications/verification-templates/hidden-coaches.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { readMissing } from './needed-documents.ts';
import { notifyOfListings } from './notify-of-listings.ts';
import { listUncoveredLessonsOf } from './uncovered-lessons.ts';

/**
 * Seconds for which lessons must be hidden, or listed again, before people are notified. A mistake can be
 * undone in that time.
 */
const settledSeconds = 30;
/** The most coaches that one message to an owner or an admin names. */
const maxNamed = 20;
const coachesPerTransaction = 20;

/**
 * Notifies coaches, the owners of their businesses and admins of lessons that have become hidden, for any reason, and
 * notifies coaches and owners of lessons that are listed again. Owners and admins get one message about all coaches who
 * are due. Each transaction records who it notifies and locks rows in the same order as a new policy. Safe to stop, to
 * repeat and to run twice at the same time.
 */
export async function notifyOfHiddenLessons(
  db: Database,
  { lastedSeconds = settledSeconds }: { lastedSeconds?: number } = {},
): Promise<void> {
  // Text, because a JavaScript date would lose the microseconds. All steps use the same coaches, so that none
  // is marked as notified before the owner and the admins are notified.
  const { rows } = await sql<{ until: string }>`
    select (now() - make_interval(secs => ${lastedSeconds}))::text as until`.execute(db);
  const { until } = rows[0]!;
  const due = sql`hidden.listed_at is null and hidden.coach_notified_at is null
    and hidden.hidden_at <= ${until}::timestamptz`;
  await db.transaction().execute((tx) => notifyAllAdmins(tx, due));
  for (const ownerId of await listOwners(db, due)) {
    await db.transaction().execute((tx) => notifyOwner(tx, ownerId, due));
  }
  while ((await db.transaction().execute((tx) => notifyCoaches(tx, due))) === coachesPerTransaction);
  await notifyOfListings(db, until);
}

async function notifyAllAdmins(tx: Tx, due: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ coachId: string }>`
    update hidden_coaches set admins_notified_at = now() where coach_id in (
      select hidden.coach_id from hidden_coaches hidden where ${due} and hidden.admins_notified_at is null
      order by hidden.coach_id for update)
    returning coach_id`.execute(tx);
  const coachIds = rows.map(({ coachId }) => coachId);
  const [only] = coachIds;
  if (!only) return;
  const compose = await composeForOthers(tx, 'admin', coachIds);
  const event = coachIds.length === 1 ? { subjectId: only, aboutUserId: only } : { subjectId: only };
  await notifyAdmins(
    tx,
    { kind: 'coach_hidden', ...event },
    { except: coachIds.length === 1 ? [only] : [], compose: ({ fullName }) => compose(fullName) },
  );
}

/** The owners of the businesses in which another coach is due. */
async function listOwners(db: Database, due: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ ownerUserId: string }>`
    select distinct business.owner_user_id
    from hidden_coaches hidden join coaches using (coach_id) join coaching_businesses business using (business_id)
    where ${due} and hidden.owner_notified_at is null and business.owner_user_id <> hidden.coach_id`.execute(
    db,
  );
  return rows.map(({ ownerUserId }) => ownerUserId);
}

async function notifyOwner(tx: Tx, ownerId: string, due: RawBuilder<unknown>): Promise<void> {
  const { rows } = await sql<{ coachId: string }>`
    update hidden_coaches set owner_notified_at = now() where coach_id in (
      select hidden.coach_id
      from hidden_coaches hidden join coaches using (coach_id) join coaching_businesses business using (business_id)
      where ${due} and hidden.owner_notified_at is null and business.owner_user_id = ${ownerId}::uuid
        and hidden.coach_id <> ${ownerId}::uuid
      order by hidden.coach_id for update of hidden)
    returning coach_id`.execute(tx);
  const coachIds = rows.map(({ coachId }) => coachId);
  const [only] = coachIds;
  if (!only) return;
  const compose = await composeForOthers(tx, 'owner', coachIds);
  const owner = await readRecipient(tx, ownerId);
  const event = coachIds.length === 1 ? { subjectId: only, aboutUserId: only } : { subjectId: ownerId };
  await notify(tx, owner, { kind: 'lessons_hidden', ...event }, compose(owner.fullName));
}

/** Composes the message to an owner or admin about one or more coaches. */
async function composeForOthers(tx: Tx, reader: 'owner' | 'admin', coachIds: string[]) {
  const coaches = (await readMissing(tx, coachIds)).slice(0, maxNamed);
  const uncovered = await listUncoveredLessonsOf(
    tx,
    coaches.map(({ coachId }) => coachId),
  );
  const count = coachIds.length;
  return (fullName: string) =>
    count === 1
      ? composeCoachHiddenMessage({ fullName, reader, coach: coaches[0]!, uncovered })
      : composeCoachesHiddenMessage({ fullName, reader, coaches, count, uncovered });
}

/** Notifies the next coaches who are due about their own lessons; returns how many. */
async function notifyCoaches(tx: Tx, due: RawBuilder<unknown>): Promise<number> {
  const { rows } = await sql<{ coachId: string }>`
    update hidden_coaches set coach_notified_at = now()
    where coach_id = any(array(
      select hidden.coach_id from hidden_coaches hidden where ${due}
      order by hidden.coach_id limit ${coachesPerTransaction} for update skip locked))
    returning coach_id`.execute(tx);
  const coaches = await readMissing(
    tx,
    rows.map(({ coachId }) => coachId),
  );
  for (const coach of coaches) {
    const uncovered = await listUncoveredLessonsOf(tx, [coach.coachId]);
    const recipient = await readRecipient(tx, coach.coachId);
    await notify(
      tx,
      recipient,
      { kind: 'lessons_hidden', subjectId: coach.coachId },
      composeCoachHiddenMessage({ fullName: recipient.fullName, reader: 'coach', coach, uncovered }),
    );
  }
  return rows.length;
}
