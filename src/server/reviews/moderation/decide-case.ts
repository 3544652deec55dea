import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import type { moderationApi } from '#domain/reviews/moderation-contract.ts';
import { type RemovalReason, removalReasons, reviewTimes } from '#domain/reviews/rules.ts';
import { markAsAdmin } from '#server/bookings/lessons/mark-attendance.ts';
import {
  composeClaimDecidedMessage,
  composeReviewDecidedMessage,
} from '#server/notifications/templates/review-cases.ts';
import { writeNotifications } from '#server/notifications/write-notifications.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { isForAnotherAdmin } from './involved-admins.ts';
import { logModeration } from './log.ts';

type Decision = ParsedInputOf<typeof moderationApi.decideCase>;
type Case = {
  caseId: string;
  kind: 'check' | 'report' | 'appeal' | 'attendance';
  about: 'review' | 'reply' | 'attendance';
  reviewId: string | null;
  bookingId: string | null;
  openedBy: string | null;
  outcome: string | null;
};

/**
 * Decides a case about a review, reply or contested absence, and notifies the author and the reporters, or the customer
 * who contested the absence. Throws `not_found` for an unknown case, `conflict` for a decided one and one that another
 * admin has to decide, and `unprocessable` for a removal without a reason or a decision that this kind of case doesn't
 * allow.
 */
export function decideCase(
  db: Database,
  admin: Person,
  { caseId, decision, reason }: Decision,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const known = await readCase(tx, caseId);
    // Locks the review before the case, as deleting or reporting a review does, so that these can't deadlock.
    if (known.reviewId) {
      await sql`select from reviews where review_id = ${known.reviewId}::uuid for update`.execute(tx);
    }
    const { rows } = await sql<Case>`
      select case_id, kind, about, review_id, booking_id, opened_by, outcome from review_cases
      where case_id = ${caseId}::uuid for update`.execute(tx);
    const found = rows[0];
    if (!found) throw new AppError('not_found', "This case doesn't exist.");
    if (found.outcome) throw new AppError('conflict', 'This case has already been decided.');
    if (await isForAnotherAdmin(tx, admin, caseId)) {
      const message =
        'You are involved in this case, or made the decision that is being appealed. Please leave it to another admin.';
      throw new AppError('conflict', message);
    }
    const isClaim = decision === 'accept' || decision === 'decline';
    if (isClaim !== (found.kind === 'attendance')) {
      throw new AppError('unprocessable', "This decision isn't possible for this kind of case.");
    }
    if (isClaim) return decideClaim(tx, admin, found, decision === 'accept');
    if (decision === 'remove' && !reason) {
      const message = 'Choose one of the reasons. A low rating is never a reason.';
      throw new AppError('unprocessable', message, { fields: { reason: message } });
    }
    await decideText(tx, admin, found, decision === 'remove' ? reason! : null);
  });
}

async function readCase(tx: Tx, caseId: string): Promise<Pick<Case, 'reviewId'>> {
  const found = await tx
    .selectFrom('reviewCases')
    .select('reviewId')
    .where('caseId', '=', caseId)
    .executeTakeFirst();
  if (!found) throw new AppError('not_found', "This case doesn't exist.");
  return found;
}

async function decideClaim(
  tx: Tx,
  admin: Person,
  { caseId, bookingId }: Case,
  isAccepted: boolean,
): Promise<void> {
  await tx
    .updateTable('reviewCases')
    .set({
      outcome: isAccepted ? 'accepted' : 'declined',
      decidedBy: admin.userId,
      decidedAt: sql<string>`now()`,
    })
    .where('caseId', '=', caseId)
    .execute();
  if (isAccepted) await markAsAdmin(tx, admin, { bookingId: bookingId!, attended: true });
  await recordAudit(tx, admin, {
    action: isAccepted ? 'attendance.claim_accepted' : 'attendance.claim_declined',
    subjectType: 'booking',
    subjectId: bookingId!,
  });
  const { customerUserId, title } = await tx
    .selectFrom('bookings')
    .select(['customerUserId', 'title'])
    .where('bookingId', '=', bookingId!)
    .executeTakeFirstOrThrow();
  const message = composeClaimDecidedMessage({ bookingId: bookingId!, title, isAccepted });
  const draft = {
    kind: 'review_decision',
    userId: customerUserId,
    subjectId: caseId,
    version: 'decided',
  } as const;
  await writeNotifications(tx, [{ ...draft, message }]);
}

type Decided = { caseId: string; openedBy: string | null };
type Changed = { status: string };

async function decideText(
  tx: Tx,
  admin: Person,
  { caseId, kind, about, reviewId }: Case,
  reason: RemovalReason | null,
): Promise<void> {
  const isReply = about === 'reply';
  const outcome = reason ? ('removed' as const) : ('shown' as const);
  const review = await tx
    .selectFrom('reviews')
    .select(['coachId', 'customerUserId', 'status'])
    .where('reviewId', '=', reviewId!)
    .executeTakeFirstOrThrow();
  const { status } = isReply
    ? await tx
        .selectFrom('reviewReplies')
        .select('status')
        .where('reviewId', '=', reviewId!)
        .executeTakeFirstOrThrow()
    : review;
  const { rows: changed } = isReply
    ? await sql<Changed>`update review_replies set status = ${reason ? 'removed' : 'published'}
        where review_id = ${reviewId}::uuid and status <> ${reason ? 'removed' : 'published'}
        returning status`.execute(tx)
    : reason
      ? await sql<Changed>`update reviews set status = 'removed' where review_id = ${reviewId}::uuid
          returning status`.execute(tx)
      : kind === 'check'
        ? await sql<Changed>`update reviews set status = 'pending', findings = '{}', masked_body = null
            where review_id = ${reviewId}::uuid and status = 'held' returning status`.execute(tx)
        : await sql<Changed>`update reviews set status = 'published', published_at = coalesce(published_at, now())
            where review_id = ${reviewId}::uuid and status = 'removed' returning status`.execute(tx);
  // A removal also decides the open reports and the open check of the same text. If the text stays, other cases stay
  // open, because their reasons may differ.
  const { rows: decided } = await sql<Decided>`
    update review_cases set outcome = ${outcome}, decided_reason = ${reason}, decided_by = ${admin.userId}::uuid,
      decided_at = now()
    where outcome is null and review_id = ${reviewId}::uuid and about = ${about}
      and (case_id = ${caseId}::uuid or ${reason !== null} and kind in ('report', 'check'))
    returning case_id, opened_by`.execute(tx);
  const action = reason ? 'removed' : kind === 'appeal' && changed.length > 0 ? 'restored' : 'kept';
  await logModeration(tx, [{ reviewId: reviewId!, about: isReply ? 'reply' : 'review', action, reason }]);
  await recordAudit(tx, admin, {
    action: `${isReply ? 'review_reply' : 'review'}.${action}`,
    subjectType: 'review',
    subjectId: reviewId!,
    before: { status },
    after: { status: changed[0]?.status ?? status, caseId, reason },
  });
  const authorId = isReply ? review.coachId : review.customerUserId;
  await notifyDecision(tx, {
    caseId,
    reviewId: reviewId!,
    about: isReply ? 'reply' : 'review',
    reason,
    authorId,
    decided,
  });
}

type Outcome = {
  caseId: string;
  reviewId: string;
  about: 'review' | 'reply';
  reason: RemovalReason | null;
  authorId: string;
  decided: Decided[];
};

/**
 * Notifies the author and everyone with an account whose report this decision closed. After an appeal, notifies
 * everyone with an account who reported the text or appealed. The messages offer an appeal to the people who lost,
 * unless they have already appealed.
 */
async function notifyDecision(
  tx: Tx,
  { caseId, reviewId, about, reason, authorId, decided }: Outcome,
): Promise<void> {
  const { rows } = await sql<{ openedBy: string; hasAppealed: boolean }>`
    select opened_by, bool_or(kind = 'appeal') as has_appealed from review_cases
    where review_id = ${reviewId}::uuid and about = ${about} and opened_by is not null and kind in ('report', 'appeal')
    group by opened_by`.execute(tx);
  const haveAppealed = new Set(rows.filter((row) => row.hasAppealed).map((row) => row.openedBy));
  const isAppeal = decided.some((one) => one.caseId === caseId && haveAppealed.has(one.openedBy ?? ''));
  const concerned = isAppeal ? rows : decided;
  const reporters = new Set(
    concerned.flatMap(({ openedBy }) => (openedBy && openedBy !== authorId ? [openedBy] : [])),
  );
  const draftFor = (userId: string, role: 'author' | 'reporter') => {
    const canAppeal = (role === 'author') === (reason !== null) && !haveAppealed.has(userId);
    const message = composeReviewDecidedMessage({
      ...{ reviewId, about, role },
      reason: reason && removalReasons[reason],
      appealDays: canAppeal ? reviewTimes.appealDays : null,
    });
    return { kind: 'review_decision' as const, userId, subjectId: caseId, version: 'decided', message };
  };
  await writeNotifications(tx, [
    draftFor(authorId, 'author'),
    ...[...reporters].map((userId) => draftFor(userId, 'reporter')),
  ]);
}
