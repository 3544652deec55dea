import type { NotificationMessage } from '#domain/message.ts';

/** Invites a customer to review the coach of a lesson. Everyone who can review gets the same message. */
export function composeReviewInvitationMessage({
  bookingId,
  coachName,
  title,
  openDays,
  delayHours,
  brand,
}: {
  bookingId: string;
  coachName: string;
  title: string;
  /** Days in which the lesson can be reviewed. */
  openDays: number;
  /** Hours after which a review is public. */
  delayHours: number;
  brand: string;
}): NotificationMessage {
  return {
    subject: `How was your lesson with ${coachName}?`,
    summary: `You can review “${title}” for ${openDays} days.`,
    body: [
      `You've had a lesson with ${coachName}: “${title}”. Tell others how it was.`,
      `We ask everyone who can review a coach, at most once in 12 months. We publish good and bad reviews alike, ${delayHours} hours after you write them, and there is no reward for either.`,
      `We show only your first name and an initial, or “Parent of a junior” or “Family of a participant” if you booked for someone else. ${brand} never shows who took part.`,
    ],
    action: { label: 'Write a review', path: `/customer/reviews/${bookingId}` },
  };
}

/** Notifies a coach of a new review. */
export function composeNewReviewMessage({
  rating,
  brand,
}: {
  rating: number;
  brand: string;
}): NotificationMessage {
  const stars = rating === 1 ? 'one star' : `${rating} stars`;
  return {
    subject: `A new review with ${stars}`,
    summary: 'You can reply to it once, publicly.',
    body: [
      `There is a new review about you on ${brand}, with ${stars}.`,
      "You can reply to it once. Everyone can read the reply, so please don't name anyone. If the review breaks our rules, report it, and an admin will decide within five working days. A low rating isn't a reason to remove it.",
    ],
    action: { label: 'Read the review', path: '/coach/reviews' },
  };
}

/** Notifies the author that their review is public. */
export function composeReviewPublishedMessage({
  coachName,
  isMasked,
}: {
  coachName: string;
  isMasked: boolean;
}): NotificationMessage {
  return {
    subject: `Your review of ${coachName} has been published`,
    summary: isMasked ? 'We left out names, links or contact details.' : 'Everyone can read it now.',
    body: [
      `Everyone can read your review of ${coachName} now. Thank you.`,
      ...(isMasked
        ? [
            'Our checks found a name, a link or contact details in it. We left these out because they are private.',
          ]
        : []),
      'You can edit or delete it under “My reviews”.',
    ],
    action: { label: 'See your reviews', path: '/customer/reviews' },
  };
}
