import { sql } from 'kysely';
import { type RemovalReason, reviewTimes, workingDaysAfter } from '#domain/reviews/rules.ts';
import { type Instant, instantOf, toInstant } from '#domain/time.ts';
import { notify } from '#server/notifications/notify.ts';
import { readAdmins } from '#server/notifications/recipients.ts';
import { composeReviewCaseMessage } from '#server/notifications/templates/review-cases.ts';
import type { Tx } from '#server/platform/db/db.ts';
import { readBrand } from '#server/settings/queries.ts';

type NewCase = {
  kind: 'check' | 'report' | 'appeal' | 'attendance';
  about: 'review' | 'reply' | 'attendance';
  reviewId?: string;
  bookingId?: string;
  openedBy?: string | null;
  openedHash?: string;
  reason?: RemovalReason;
  statement?: string;
};

/**
 * Opens a case for the admins and notifies them. Returns false if the same case exists already: each person can report
 * a text once and appeal once.
 */
export async function openCase(tx: Tx, { kind, ...given }: NewCase): Promise<boolean> {
  const dueAt = findDueTime(kind, Date.now());
  const opened = await tx
    .insertInto('reviewCases')
    .values({ kind, dueAt, ...given })
    .onConflict((conflict) => conflict.doNothing())
    .returning('caseId')
    .executeTakeFirst();
  if (!opened) return false;
  const message = composeReviewCaseMessage({
    kind,
    caseId: opened.caseId,
    dueAt,
    workingDays: reviewTimes.decidedWithinWorkingDays,
    brand: await readBrand(tx),
  });
  for (const admin of await readAdmins(tx)) {
    await notify(tx, admin, { kind: 'review_case', subjectId: opened.caseId, version: 'opened' }, message);
  }
  return true;
}

/**
 * The time by which a case must be decided. For a held review, this is when it is published without what the checks
 * found; for other cases, the end of the last working day that the reviews policy allows.
 */
function findDueTime(kind: NewCase['kind'], now: number): Instant {
  if (kind === 'check') return toInstant(now + reviewTimes.publishedWithinHours * 3_600_000);
  const date = workingDaysAfter(now, reviewTimes.decidedWithinWorkingDays);
  return instantOf({ date, hour: 23, minute: 59 }).instant;
}

/** Closes the open check of a review that was published or edited in the meantime. */
export async function closeCheck(tx: Tx, reviewId: string): Promise<void> {
  await tx
    .updateTable('reviewCases')
    .set({ outcome: 'closed', decidedAt: sql<string>`now()` })
    .where('reviewId', '=', reviewId)
    .where('kind', '=', 'check')
    .where('outcome', 'is', null)
    .execute();
}
