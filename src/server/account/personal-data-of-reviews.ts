import { sql } from 'kysely';
import type { Register } from './personal-data-entry.ts';

/**
 * The register's entries for reviews. A review is by one person about another, so a row belongs to both people and is
 * deleted with either account. Who wrote a review is not in the coach's download.
 */
export const reviewTables: Register<
  | 'reviewCases'
  | 'reviewReplies'
  | 'reviewInvitations'
  | 'reviews'
  | 'cardFingerprints'
  | 'coachRatings'
  | 'moderationLog'
> = {
  reviewCases: {
    purpose: 'Reports of reviews, appeals and contested absences, and what an admin decided.',
    rowsOf: ({ userId }) => sql`(opened_by = ${userId}::uuid
      or booking_id in (select booking_id from bookings where customer_user_id = ${userId}::uuid)
      or review_id in (select review_id from reviews
        where customer_user_id = ${userId}::uuid or coach_id = ${userId}::uuid))`,
    erasure: { text: 'Deleted. The log of decisions, which names nobody, stays.', deletes: true },
    retention: {
      text: '24 months after the decision.',
      isOver: sql<boolean>`decided_at < now() - interval '24 months'`,
    },
    columns: {
      caseId: 'exported',
      kind: 'exported',
      about: 'exported',
      reviewId: 'exported',
      bookingId: 'exported',
      openedBy: 'others',
      openedHash: 'secret',
      reason: 'exported',
      statement: 'exported',
      openedAt: 'exported',
      dueAt: 'exported',
      outcome: 'exported',
      decidedReason: 'exported',
      decidedBy: 'others',
      decidedAt: 'exported',
    },
  },
  reviewReplies: {
    purpose: "A coach's public replies to reviews.",
    rowsOf: ({ userId }) => sql`(coach_id = ${userId}::uuid
      or review_id in (select review_id from reviews where customer_user_id = ${userId}::uuid))`,
    erasure: { text: 'Deleted.', deletes: true },
    retention: { text: 'As long as the review.' },
    columns: {
      reviewId: 'exported',
      coachId: 'exported',
      body: 'exported',
      status: 'exported',
      createdAt: 'exported',
    },
  },
  reviewInvitations: {
    purpose:
      "Who we have invited to review which coach, so that we don't invite anyone twice within 12 months.",
    rowsOf: ({ userId }) => sql`(customer_user_id = ${userId}::uuid or coach_id = ${userId}::uuid)`,
    erasure: { text: 'Deleted.', deletes: true },
    retention: { text: '12 months.', isOver: sql<boolean>`upper(period) <= current_date` },
    columns: {
      bookingId: 'exported',
      coachId: 'exported',
      customerUserId: 'others',
      period: 'exported',
      invitedAt: 'exported',
    },
  },
  reviews: {
    purpose: 'Reviews that customers write about coaches.',
    rowsOf: ({ userId }) => sql`(customer_user_id = ${userId}::uuid or coach_id = ${userId}::uuid)`,
    erasure: {
      text: "Deleted if the author or the coach deletes their account. From then on, the coach's rating leaves them out.",
      deletes: true,
    },
    retention: {
      text: 'Until the author deletes the review, or the author or the coach deletes their account.',
    },
    columns: {
      reviewId: 'exported',
      bookingId: 'others',
      coachId: 'exported',
      customerUserId: 'others',
      writtenFor: 'exported',
      period: 'exported',
      cardHash: 'secret',
      rating: 'exported',
      body: 'exported',
      findings: 'exported',
      maskedBody: 'exported',
      isMasked: 'exported',
      status: 'exported',
      createdAt: 'exported',
      submittedAt: 'exported',
      publishedAt: 'exported',
      editedAt: 'exported',
    },
  },
  cardFingerprints: {
    purpose:
      'Hashes that show which cards are the same, so that one card counts once for each reviewed coach.',
    rowsOf: ({ userId }) => sql`user_id = ${userId}::uuid`,
    erasure: { text: 'Deleted.', deletes: true },
    retention: {
      text: '16 months after the card was saved, unless it is still saved.',
      isOver: sql<boolean>`saved_at < now() - interval '16 months' and stripe_payment_method_id not in (
        select stripe_payment_method_id from profiles where stripe_payment_method_id is not null)`,
    },
    columns: {
      stripePaymentMethodId: 'exported',
      userId: 'exported',
      cardHash: 'secret',
      savedAt: 'exported',
    },
  },
  coachRatings: {
    reason: 'Average ratings of coaches, calculated from published reviews.',
    retention: { text: 'Calculated when they are read.' },
    columns: {
      coachId: 'impersonal',
      reviews: 'impersonal',
      stars: 'impersonal',
      distribution: 'impersonal',
    },
  },
  moderationLog: {
    reason: 'What was done about reviews and why, without texts or names.',
    retention: { text: 'Permanently, because our moderation figures are counted from it.' },
    columns: {
      logId: 'impersonal',
      reviewId: 'impersonal',
      about: 'impersonal',
      action: 'impersonal',
      reason: 'impersonal',
      at: 'impersonal',
    },
  },
};
