import { type RawBuilder, sql } from 'kysely';
import type { Database } from '#server/platform/db/db.ts';

/** Writes a row into each table about reviews. */
export async function writeReviewRows(
  db: Database,
  {
    bookingId,
    userId,
    coachId,
    adminId,
  }: { bookingId: string; userId: string; coachId: string; adminId: string },
): Promise<void> {
  const insert = (table: RawBuilder<unknown>) => sql`insert into ${table}`.execute(db);
  await insert(sql`reviews (booking_id, coach_id, customer_user_id, written_for, period, rating, body, status)
    values (${bookingId}, ${coachId}, ${userId}, 'self', daterange(current_date, current_date + 365), 5,
      'Patient and clear, every time.', 'pending')`);
  await insert(
    sql`review_replies (review_id, coach_id, body) select review_id, coach_id, 'Thank you' from reviews`,
  );
  await insert(sql`review_cases (kind, about, review_id, opened_by, opened_hash, reason, statement, due_at)
    select 'report', 'review', review_id, ${adminId}, 'hash', 'off_topic', 'Not about tennis', now() from reviews`);
  await insert(sql`review_invitations (booking_id, coach_id, customer_user_id, period)
    values (${bookingId}, ${coachId}, ${userId}, daterange(current_date, current_date + 365))`);
}
