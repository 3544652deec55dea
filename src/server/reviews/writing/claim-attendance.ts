import type { Person } from '#domain/access.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import type { reviewsApi } from '#domain/reviews/contract.ts';
import { refuseClaim } from '#domain/reviews/rules.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/db/db.ts';
import { openCase } from '../moderation/open-case.ts';
import { readReviewFacts } from './review-facts.ts';

/**
 * Asks the admins to decide on a lesson that the coach marked as missed. Throws `not_found` for another customer's
 * booking, and `conflict` for a second claim or one that {@link refuseClaim} refuses.
 */
export function claimAttendance(
  db: Database,
  customer: Person,
  { bookingId, statement }: ParsedInputOf<typeof reviewsApi.claimAttendance>,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    assertAllowed(refuseClaim(await readReviewFacts(tx, customer.userId, bookingId), Date.now()));
    const claim = {
      kind: 'attendance',
      about: 'attendance',
      bookingId,
      openedBy: customer.userId,
      statement,
    } as const;
    if (!(await openCase(tx, claim))) {
      throw new AppError('conflict', "You've already told us. An admin will decide.");
    }
    await recordAudit(tx, customer, {
      action: 'attendance.contested',
      subjectType: 'booking',
      subjectId: bookingId,
    });
  });
}
