import type { ReviewCase } from '#domain/reviews/moderation-contract.ts';
import type { OwnReview } from '#domain/reviews/review.ts';
import { removalReasonNames, removalReasons } from '#domain/reviews/rules.ts';
import { formatDay, formatTime } from '#domain/time.ts';

/** The reasons for a report or a removal, as options of a choice. */
export const reasonOptions = removalReasonNames.map((value) => ({ value, label: removalReasons[value] }));

/** The state of the author's review: a label with its tone, and a sentence on what happens next. */
export function describeOwnReview(review: OwnReview): {
  label: string;
  tone: 'neutral' | 'success' | 'warning' | 'destructive';
  sentence: string;
} {
  const by = `${formatDay(review.publishedBy, Date.now())}, ${formatTime(review.publishedBy)}`;
  if (review.status === 'removed') {
    const why = review.removedFor ? ` Reason: ${removalReasons[review.removedFor]}.` : '';
    return { label: 'Removed', tone: 'destructive', sentence: `An admin removed it.${why}` };
  }
  if (review.status === 'held') {
    return {
      label: 'Being checked',
      tone: 'warning',
      sentence: `It may contain a name, a link or contact details, so an admin is looking at it. It will be public by ${by}; without a decision, we'll leave those parts out. You can also edit it.`,
    };
  }
  if (review.status === 'pending') {
    return { label: 'Not public yet', tone: 'neutral', sentence: `It will become public after ${by}.` };
  }
  return {
    label: 'Published',
    tone: 'success',
    sentence: review.isMasked ? 'We left out names, links or contact details.' : 'Everyone can read it.',
  };
}

/** The label of a case, for admins. */
export function describeCase({ kind, about }: Pick<ReviewCase, 'kind' | 'about'>): string {
  if (kind === 'attendance') return '“We were there”';
  if (kind === 'check') return 'Held by the checks';
  return `${about === 'reply' ? 'Reply' : 'Review'} ${kind === 'report' ? 'reported' : 'appealed'}`;
}

export const outcomeLabels = {
  shown: 'Shown',
  removed: 'Removed',
  accepted: 'Accepted',
  declined: 'Declined',
  closed: 'Closed',
} as const;

/** Labels for the actions in the moderation log. */
export const actionLabels = {
  submitted: 'Written',
  held: 'Held by the checks',
  published: 'Published',
  masked: 'Published without what the checks found',
  withdrawn: 'Deleted by the author',
  reported: 'Reported',
  kept: 'Kept',
  removed: 'Removed',
  appealed: 'Appealed',
  restored: 'Restored',
} as const;
