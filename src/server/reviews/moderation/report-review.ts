import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import type { reviewsApi } from '#domain/reviews/contract.ts';
import type { Database } from '#server/platform/db/db.ts';
import { consume, describeWait, keyOf, keyOfAddress } from '#server/platform/http/rate-limit.ts';
import { getReview } from '../list-reviews.ts';
import { logModeration } from './log.ts';
import { openCase } from './open-case.ts';

const reportLimit = { calls: 10, seconds: 3600 };

/**
 * Records a report of a published review or its reply, once for each account or IP address. The text stays visible
 * until an admin decides. Throws `not_found` for a text that isn't public, and `too_many_requests` after 10 reports an
 * hour from one IP address.
 */
export async function reportReview(
  db: Database,
  reporter: Person | null,
  {
    reviewId,
    about,
    reason,
    statement,
    ipAddress,
  }: ParsedInputOf<typeof reviewsApi.report> & { ipAddress: string },
): Promise<void> {
  const retryAfterSeconds = await consume(db, keyOfAddress('review-report', ipAddress), reportLimit);
  if (retryAfterSeconds !== null) {
    const message = `You've reported a lot of reviews. Please try again in ${describeWait(retryAfterSeconds)}.`;
    throw new AppError('too_many_requests', message, { details: { retryAfterSeconds } });
  }
  await db.transaction().execute(async (tx) => {
    await sql`select from reviews where review_id = ${reviewId}::uuid for no key update`.execute(tx);
    const { review } = await getReview(tx, reviewId);
    if (about === 'reply' && !review.reply)
      throw new AppError('not_found', 'There is no reply to this review.');
    const openedHash = reporter ? keyOf('person', reporter.userId) : keyOfAddress('address', ipAddress);
    const openedBy = reporter?.userId ?? null;
    const report = { kind: 'report', about, reviewId, openedBy, openedHash, reason, statement } as const;
    if (await openCase(tx, report))
      await logModeration(tx, [{ reviewId, about, action: 'reported', reason }]);
  });
}
