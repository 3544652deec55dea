import { type RawBuilder, sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import type { ModerationEntry, moderationApi, ReviewCase } from '#domain/reviews/moderation-contract.ts';
import { coachFullName } from '#server/bookings/coach-full-name.ts';
import type { Database } from '#server/platform/db/db.ts';
import { cutPage, readPageCursor, rowsOfPage } from '#server/platform/db/page-cursor.ts';
import { isForAnotherAdmin } from './involved-admins.ts';

async function selectCases(db: Database, more: RawBuilder<unknown>): Promise<ReviewCase[]> {
  const { rows } = await sql<ReviewCase>`
    select one.case_id, one.kind, one.about, one.review_id, booking.booking_id, booking.title as lesson_title,
      lower(booking.during) as lesson_start, ${coachFullName} as coach_name,
      customer.full_name as customer_name, review.rating,
      case one.about when 'review' then review.body when 'reply' then reply.body end as text,
      case one.about when 'review' then review.status when 'reply' then reply.status end as status,
      coalesce(case when one.about = 'review' then review.findings end, '{}') as findings,
      opener.full_name as opened_by, one.reason, one.statement, one.opened_at, one.due_at, one.outcome,
      one.decided_reason, one.decided_at, decider.full_name as decided_by
    from review_cases one
    left join reviews review using (review_id)
    left join review_replies reply using (review_id)
    join bookings booking on booking.booking_id = coalesce(one.booking_id, review.booking_id)
    join lesson_slots slot on slot.slot_id = booking.slot_id
    join profiles coach on coach.user_id = slot.coach_id
    join profiles customer on customer.user_id = booking.customer_user_id
    left join profiles opener on opener.user_id = one.opened_by
    left join profiles decider on decider.user_id = one.decided_by
    where ${more}`.execute(db);
  return rows;
}

/** A page of the open cases, oldest first, or of the decided cases, newest first. */
export async function listCases(
  db: Database,
  { state, cursor, limit }: ParsedInputOf<typeof moderationApi.listCases>,
): Promise<OutputOf<typeof moderationApi.listCases>> {
  const end = readPageCursor(cursor);
  const isOpen = state === 'open';
  const position = end && sql`(${end.time}::timestamptz, ${end.id}::uuid)`;
  const rows = await selectCases(
    db,
    isOpen
      ? sql`one.outcome is null ${position ? sql`and (one.opened_at, one.case_id) > ${position}` : sql``}
          order by one.opened_at, one.case_id limit ${rowsOfPage(limit)}`
      : sql`one.outcome is not null ${position ? sql`and (one.decided_at, one.case_id) < ${position}` : sql``}
          order by one.decided_at desc, one.case_id desc limit ${rowsOfPage(limit)}`,
  );
  const { page, nextCursor } = cutPage(rows, limit, ({ caseId, openedAt, decidedAt }) => ({
    time: isOpen ? openedAt : decidedAt!,
    id: caseId,
  }));
  return { cases: page, nextCursor };
}

/**
 * A case, the other cases about the same review, the review's log, and whether this admin has to leave the case to
 * another. Throws `not_found` for an unknown case.
 */
export async function getCase(
  db: Database,
  admin: Person,
  caseId: string,
): Promise<OutputOf<typeof moderationApi.getCase>> {
  const [found] = await selectCases(db, sql`one.case_id = ${caseId}::uuid`);
  if (!found) throw new AppError('not_found', "This case doesn't exist.");
  const { reviewId, outcome } = found;
  const isForAnother = outcome === null && (await isForAnotherAdmin(db, admin, caseId));
  if (!reviewId) return { case: found, isForAnother, others: [], log: [] };
  const [others, { rows: log }] = await Promise.all([
    selectCases(
      db,
      sql`one.review_id = ${reviewId}::uuid and one.case_id <> ${caseId}::uuid
        order by one.opened_at desc limit 50`,
    ),
    sql<ModerationEntry>`
      select at, about, action, reason from moderation_log where review_id = ${reviewId}::uuid
      order by log_id desc limit 100`.execute(db),
  ]);
  return { case: found, isForAnother, others, log };
}
