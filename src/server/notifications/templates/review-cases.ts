import type { NotificationMessage } from '#domain/message.ts';
import { formatDay, formatTime, type Instant } from '#domain/time.ts';

const subjects = {
  check: 'A review needs your decision',
  report: 'A review was reported',
  appeal: 'Someone has appealed against a decision about a review',
  attendance: 'A customer has contested an absence',
};

/** Asks an admin to decide a case about a review. */
export function composeReviewCaseMessage({
  kind,
  caseId,
  dueAt,
  workingDays,
  brand,
}: {
  kind: keyof typeof subjects;
  caseId: string;
  dueAt: Instant;
  workingDays: number;
  brand: string;
}): NotificationMessage {
  const due = formatDay(dueAt, Date.now());
  const why =
    kind === 'check'
      ? `Please decide by ${due}, ${formatTime(dueAt)}. If nobody has decided by then, the review will be published without what the checks found.`
      : `Please decide by ${due}: our rules promise a decision within ${workingDays} working days.`;
  return {
    subject: `${subjects[kind]} at ${brand}`,
    summary: `Please decide by ${due}.`,
    body: [`${subjects[kind]}. ${why}`],
    action: { label: 'Open the case', path: `/admin/reviews/${caseId}` },
  };
}

/** Reminds an admin of a case about a review that must be decided within a day or is overdue. */
export function composeReviewCaseDueMessage({
  caseId,
  brand,
}: {
  caseId: string;
  brand: string;
}): NotificationMessage {
  return {
    subject: `Please decide today: a case about a review on ${brand}`,
    summary: 'Nobody has decided yet.',
    body: [
      "Nobody has decided this case yet. It must be decided within a day, or is already overdue. Any admin who isn't involved in it can decide.",
    ],
    action: { label: 'Open the case', path: `/admin/reviews/${caseId}` },
  };
}

/** Notifies the author of a review or reply, or the person who reported it, of an admin's decision. */
export function composeReviewDecidedMessage({
  reviewId,
  about,
  reason,
  role,
  appealDays,
}: {
  reviewId: string;
  about: 'review' | 'reply';
  /** Why the review or reply was removed, as a label; null if it stays. */
  reason: string | null;
  role: 'author' | 'reporter';
  /** Days in which the person can appeal; null if they can't. */
  appealDays: number | null;
}): NotificationMessage {
  const which = role === 'author' ? `your ${about}` : `the ${about} that you reported`;
  const subject = reason ? `We removed ${which}` : `We decided to show ${which}`;
  const why = reason ? `Reason: ${reason}.` : "It doesn't break our rules for reviews.";
  return {
    subject,
    summary: why,
    body: [
      `An admin has looked at ${which}. ${reason ? 'We removed it.' : 'We decided to show it.'}`,
      why,
      appealDays
        ? `If you think that this is wrong, you can appeal once within ${appealDays} days.`
        : 'This decision is final.',
    ],
    action: { label: 'See the decision', path: `/reviews/${reviewId}/decision` },
  };
}

/** Notifies a customer of the decision on their claim "We were there". */
export function composeClaimDecidedMessage({
  bookingId,
  title,
  isAccepted,
}: {
  bookingId: string;
  title: string;
  isAccepted: boolean;
}): NotificationMessage {
  return {
    subject: isAccepted ? `You were there: ${title}` : `Your lesson stays marked as missed: ${title}`,
    summary: isAccepted ? 'You can now review the lesson.' : "We couldn't establish that you were there.",
    body: [
      isAccepted
        ? `An admin has decided that you were at “${title}”. You can now review it.`
        : `An admin has looked at “${title}”, and the lesson stays marked as missed. You can't review it.`,
    ],
    action: { label: 'Open the lesson', path: `/customer/reviews/${bookingId}` },
  };
}
