import { sql } from 'kysely';
import { notifyAdmins } from '#server/accounts/notify-admins.ts';
import { notify } from '#server/notifications/notify.ts';
import { readRecipient } from '#server/notifications/recipients.ts';
import { composeCoachHiddenMessage } from '#server/notifications/verification-templates/documents.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { londonToday } from '../seat-conditions.ts';
import { renewClearances } from '../verification-policy.ts';
import { replaceEarlier } from './replace-earlier.ts';
import { listUncoveredLessons } from './uncovered-lessons.ts';

/**
 * Takes coaches whose documents ended yesterday off the lists, lists those whose documents begin today, and notifies
 * everyone concerned of the lessons that stay booked. The statement that takes a seat compares the day itself, so a late
 * run books nobody. Safe to stop and repeat.
 */
export async function renewListings(db: Database): Promise<void> {
  await replaceEarlier(db, null);
  await renewClearances(db);
  while (await db.transaction().execute((tx) => notifyOfOne(tx)));
}

/** Notifies people about one coach whose documents have ended; false if there is none left. */
async function notifyOfOne(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{
    coachId: string;
    coachName: string;
    ownerUserId: string | null;
    hiddenOn: string;
  }>`
    with hidden as (
      insert into coach_hidings (coach_id, hidden_on)
      select coach_id, listed_until + 1 from coaches
      where is_active and isfinite(listed_until) and listed_until < ${londonToday}
        and listed_until >= ${londonToday} - 30
        and not exists (
          select from coach_hidings notified where notified.coach_id = coaches.coach_id
            and notified.hidden_on = listed_until + 1)
      order by coach_id limit 1
      on conflict do nothing
      returning coach_id, hidden_on
    )
    select coach_id, hidden_on, profile.full_name as coach_name, business.owner_user_id
    from hidden join coaches using (coach_id) join profiles profile on profile.user_id = coach_id
    left join coaching_businesses business using (business_id)`.execute(tx);
  const hidden = rows[0];
  if (!hidden) return false;
  const { coachId, coachName, ownerUserId, hiddenOn } = hidden;
  const lessons = await listUncoveredLessons(tx, coachId, { isTeamIncluded: false });
  const event = { subjectId: coachId, version: hiddenOn };
  const coach = await readRecipient(tx, coachId);
  const forCoach = { fullName: coach.fullName, coachName: null, reader: 'coach' as const, lessons };
  await notify(tx, coach, { ...event, kind: 'lessons_hidden' }, composeCoachHiddenMessage(forCoach));
  if (ownerUserId && ownerUserId !== coachId) {
    const owner = await readRecipient(tx, ownerUserId);
    const forOwner = { fullName: owner.fullName, coachName, reader: 'owner' as const, lessons };
    const about = { ...event, kind: 'lessons_hidden' as const, aboutUserId: coachId };
    await notify(tx, owner, about, composeCoachHiddenMessage(forOwner));
  }
  await notifyAdmins(
    tx,
    { ...event, kind: 'coach_hidden', aboutUserId: coachId },
    {
      except: [coachId],
      compose: ({ fullName }) => composeCoachHiddenMessage({ fullName, coachName, reader: 'admin', lessons }),
    },
  );
  return true;
}
