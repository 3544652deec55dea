import { sql } from 'kysely';
import { readAdmins } from '#server/notifications/recipients.ts';
import { composeReviewCaseDueMessage } from '#server/notifications/templates/review-cases.ts';
import { writeNotifications } from '#server/notifications/write-notifications.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';

/**
 * Reminds the admins once of each case that is overdue or due within 24 hours. A job calls this daily, so admins are
 * reminded on the case's last day. Safe to repeat.
 */
export async function remindOfCases(db: Database): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ caseId: string }>`
      select case_id from review_cases where outcome is null and due_at < now() + interval '24 hours'`.execute(
      tx,
    );
    if (rows.length === 0) return;
    const [admins, brand] = [await readAdmins(tx), await readBrand(tx)];
    await writeNotifications(
      tx,
      rows.flatMap(({ caseId }) => {
        const event = { kind: 'review_case', subjectId: caseId, version: 'due' } as const;
        const message = composeReviewCaseDueMessage({ caseId, brand });
        return admins.map(({ userId }) => ({ ...event, userId, message }));
      }),
    );
  });
}
