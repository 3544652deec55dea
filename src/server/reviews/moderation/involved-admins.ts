import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';

/**
 * Whether an admin has to leave a case to another admin. True for an admin who is the customer or the coach, who opened
 * a case about the same text, or who made the decision that is being appealed. False for all if every admin is
 * involved, because somebody must decide in time (docs/decisions/0109).
 */
export async function isForAnotherAdmin(
  db: Database | Tx,
  { userId }: Pick<Person, 'userId'>,
  caseId: string,
): Promise<boolean> {
  const { rows } = await sql<{ isForAnother: boolean }>`
    with involved as (
      select unnest(array[one.opened_by, booking.customer_user_id, slot.coach_id]) as user_id
      from review_cases one
      left join reviews review using (review_id)
      join bookings booking on booking.booking_id = coalesce(one.booking_id, review.booking_id)
      join lesson_slots slot using (slot_id)
      where one.case_id = ${caseId}::uuid
      union
      select earlier.decided_by from review_cases appeal
      join review_cases earlier on earlier.review_id = appeal.review_id and earlier.about = appeal.about
      where appeal.case_id = ${caseId}::uuid and appeal.kind = 'appeal' and earlier.decided_by is not null
      union
      -- A removal also decides the other reports of the same text.
      select other.opened_by from review_cases one
      join review_cases other on other.review_id = one.review_id and other.about = one.about
      where one.case_id = ${caseId}::uuid
    )
    select ${userId}::uuid in (select user_id from involved where user_id is not null)
      and exists (select from profiles where roles @> '{admin}'
        and user_id not in (select user_id from involved where user_id is not null)) as is_for_another`.execute(
    db,
  );
  return rows[0]!.isForAnother;
}
