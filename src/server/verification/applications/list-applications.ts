import { sql } from 'kysely';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import type { applicationQueueApi } from '#domain/verification/applications-contract.ts';
import type { Database } from '#server/platform/db/db.ts';
import { cutPage, readPageCursor, rowsOfPage } from '#server/platform/db/page-cursor.ts';
import { selectApplications } from './application-rows.ts';

/** A page of the applications that are waiting for a decision, oldest first, or of the decided ones, newest first. */
export async function listApplications(
  db: Database,
  { state, cursor, limit }: ParsedInputOf<typeof applicationQueueApi.list>,
): Promise<OutputOf<typeof applicationQueueApi.list>> {
  const end = readPageCursor(cursor);
  const isWaiting = state === 'waiting';
  const position = end && sql`(${end.time}::timestamptz, ${end.id}::uuid)`;
  const [rows, waiting] = await Promise.all([
    selectApplications(
      db,
      isWaiting
        ? sql`application.status = 'submitted'
            ${position ? sql`and (application.submitted_at, application.application_id) > ${position}` : sql``}
            order by application.submitted_at, application.application_id limit ${rowsOfPage(limit)}`
        : sql`application.status in ('approved', 'declined')
            ${position ? sql`and (application.decided_at, application.application_id) < ${position}` : sql``}
            order by application.decided_at desc, application.application_id desc limit ${rowsOfPage(limit)}`,
    ),
    countWaiting(db),
  ]);
  const { page, nextCursor } = cutPage(rows, limit, ({ applicationId, submittedAt, decidedAt }) => ({
    time: isWaiting ? submittedAt! : decidedAt!,
    id: applicationId,
  }));
  return { applications: page, waiting, nextCursor };
}

async function countWaiting(db: Database): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*)::integer as waiting from coach_applications where status = 'submitted'`.execute(db);
  return rows[0]!.waiting;
}
