import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import type { Concern } from '#domain/progress/progress-shapes.ts';
import type { welfareApi } from '#domain/progress/welfare-contract.ts';
import { notifyAdmins } from '#server/accounts/notify-admins.ts';
import { composeConcernMessage } from '#server/notifications/family-templates/progress.ts';
import { notify } from '#server/notifications/notify.ts';
import { readRecipient } from '#server/notifications/recipients.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { cutPage, readPageCursor, rowsOfPage } from '#server/platform/db/page-cursor.ts';
import { lockTaughtBooking } from './taught-booking.ts';

type Output = OutputOf<typeof welfareApi.report>;

/**
 * Reports a concern and notifies the people who handle it: the active welfare officers of the coach's business; if it
 * has none, its active owners; if it has none of these either or there is no business, the admins. The reporting coach,
 * the participant and the participant's guardians are not notified. Messages don't contain the text. Repeating the same
 * text about the same booking has no effect. Throws `not_found` for another coach's booking.
 */
export function reportConcern(
  db: Database,
  coach: Person,
  { bookingId, body }: ParsedInputOf<typeof welfareApi.report>,
): Promise<Output> {
  return db.transaction().execute(async (tx) => {
    const { participantId, businessId } = await lockTaughtBooking(tx, coach.userId, bookingId);
    const guardians = await tx
      .selectFrom('guardians')
      .select('userId')
      .where('participantId', '=', participantId)
      .execute();
    // These people can't handle the concern either: the reporter, the participant and the guardians.
    const leftOut = [coach.userId, participantId, ...guardians.map(({ userId }) => userId)];
    const { goesTo, userIds } = await findHandlers(tx, leftOut, businessId);
    const { rows } = await sql`
      select from welfare_concerns
      where booking_id = ${bookingId}::uuid and reported_by = ${coach.userId}::uuid and body = ${body}`.execute(
      tx,
    );
    if (rows[0]) return { goesTo };
    const { concernId } = await tx
      .insertInto('welfareConcerns')
      .values({
        ...{ bookingId, participantId, reportedBy: coach.userId, body },
        businessId: goesTo === 'admins' ? null : businessId,
      })
      .returning('concernId')
      .executeTakeFirstOrThrow();
    await recordAudit(tx, coach, {
      ...{ action: 'welfare_concern.reported', subjectType: 'booking', subjectId: bookingId },
      after: { goesTo },
    });
    const event = { kind: 'welfare_concern', subjectId: concernId, version: 'reported' } as const;
    for (const userId of userIds) {
      const recipient = await readRecipient(tx, userId);
      await notify(tx, recipient, event, composeConcernMessage(recipient));
    }
    if (goesTo === 'admins') {
      await notifyAdmins(tx, event, { except: leftOut, compose: composeConcernMessage });
    }
    return { goesTo };
  });
}

async function findHandlers(
  tx: Tx,
  leftOut: string[],
  businessId: string | null,
): Promise<Output & { userIds: string[] }> {
  const { rows } = await sql<{ coachId: string; isOfficer: boolean }>`
    select coach_id, is_welfare_officer as is_officer from coaches
    where business_id = ${businessId}::uuid and coach_id <> all(${leftOut}::uuid[]) and is_active
      and (is_welfare_officer or business_role = 'owner')`.execute(tx);
  const officers = rows.filter(({ isOfficer }) => isOfficer);
  const found = officers.length > 0 ? officers : rows;
  const goesTo = officers.length > 0 ? 'officers' : found.length > 0 ? 'owner' : 'admins';
  return { goesTo, userIds: found.map((handler) => handler.coachId) };
}

/**
 * SQL: whether a person handles a concern: an active officer or owner of its business, or an admin if it has no
 * business. Nobody handles a concern that they reported, or that is about them or a person they are a guardian of.
 */
const isHandledBy = ({ userId, roles }: Person) => sql<boolean>`(concern.reported_by <> ${userId}::uuid
  and concern.participant_id <> ${userId}::uuid
  and not exists (select from guardians where guardians.participant_id = concern.participant_id
    and guardians.user_id = ${userId}::uuid)
  and case when concern.business_id is null then ${roles.includes('admin')}
    else exists (select from coaches mine where mine.coach_id = ${userId}::uuid and mine.is_active
      and mine.business_id = concern.business_id and (mine.is_welfare_officer or mine.business_role = 'owner')) end)`;

/** SQL: whether this person reported the concern, is still a coach and has not left the business that handles it. */
const isShownToAuthor = ({ userId, roles }: Person) => sql<boolean>`(concern.reported_by = ${userId}::uuid
  and ${roles.includes('coach')}
  and (concern.business_id is null
    or concern.business_id = (select business_id from coaches where coach_id = ${userId}::uuid)))`;

/**
 * A page of the concerns that a person handles or reported, newest first. The audit log records each person's first
 * reading of each concern, unless that person reported it.
 */
export function listConcerns(
  db: Database,
  person: Person,
  { cursor, limit }: ParsedInputOf<typeof welfareApi.list>,
): Promise<OutputOf<typeof welfareApi.list>> {
  const after = readPageCursor(cursor);
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<Omit<Concern, 'lesson'> & { title: string; startTime: string }>`
      select concern.concern_id, concern.body, name_of_participant(participant) as participant_name,
        reporter.full_name as reporter_name, booking.title, slot.start_time, concern.reported_at, concern.handled_at,
        handler.full_name as handled_by_name, concern.reported_by = ${person.userId}::uuid as is_mine
      from welfare_concerns concern
      join participants participant using (participant_id)
      join bookings booking using (booking_id)
      join lesson_slots slot using (slot_id)
      join profiles reporter on reporter.user_id = concern.reported_by
      left join profiles handler on handler.user_id = concern.handled_by
      where (${isShownToAuthor(person)} or ${isHandledBy(person)})
        ${after ? sql`and (concern.reported_at, concern.concern_id) < (${after.time}::timestamptz, ${after.id}::uuid)` : sql``}
      order by concern.reported_at desc, concern.concern_id desc
      limit ${rowsOfPage(limit)}`.execute(tx);
    const { page, nextCursor } = cutPage(rows, limit, ({ reportedAt, concernId }) => ({
      time: reportedAt,
      id: concernId,
    }));
    await recordReadings(
      tx,
      person,
      page.filter(({ isMine }) => !isMine).map(({ concernId }) => concernId),
    );
    return {
      concerns: page.map(({ title, startTime, ...concern }) => ({
        ...concern,
        lesson: { title, startTime },
      })),
      nextCursor,
    };
  });
}

/** The number of concerns that this person has to look into. */
export async function countOpenConcerns(db: Database, person: Person): Promise<number> {
  const { rows } = await sql<{ open: number }>`
    select count(*)::integer as open from welfare_concerns concern
    where concern.handled_at is null and ${isHandledBy(person)}`.execute(db);
  return rows[0]!.open;
}

async function recordReadings(tx: Tx, person: Person, concernIds: string[]): Promise<void> {
  const { rows } = await sql<{ concernId: string }>`
    select concern_id from unnest(${concernIds}::uuid[]) concern_id
    where not exists (select from audit_log where subject_id = concern_id::text
      and action = 'welfare_concern.read' and actor_user_id = ${person.userId}::uuid)`.execute(tx);
  for (const { concernId } of rows) {
    await recordAudit(tx, person, {
      ...{ action: 'welfare_concern.read', subjectType: 'welfare_concern', subjectId: concernId },
    });
  }
}

/** Records that this person has looked into a concern; throws `not_found` for a concern that others handle. */
export function handleConcern(db: Database, person: Person, concernId: string): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ isHandled: boolean }>`
      select concern.handled_at is not null as is_handled from welfare_concerns concern
      where concern.concern_id = ${concernId}::uuid and ${isHandledBy(person)} for update`.execute(tx);
    if (!rows[0]) throw new AppError('not_found', 'Concern not found.');
    if (rows[0].isHandled) return;
    await tx
      .updateTable('welfareConcerns')
      .set({ handledAt: sql<string>`now()`, handledBy: person.userId })
      .where('concernId', '=', concernId)
      .execute();
    await recordAudit(tx, person, {
      ...{ action: 'welfare_concern.handled', subjectType: 'welfare_concern', subjectId: concernId },
    });
  });
}
