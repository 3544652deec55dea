import type { Refusal } from '../errors.ts';
import { addDays, wallTimeOf, weekdayOf } from '../time.ts';

/** Times for inviting, publishing and deciding on reviews; docs/decisions/0103 has the reasons. */
export const reviewTimes = {
  /** Hours after a lesson at which the customer is invited, if the lesson can be reviewed by then. */
  invitedAfterHours: 24,
  /** Hours after a lesson at which unmarked attendance counts as attended. */
  unmarkedCountsAfterHours: 48,
  /** Days after a lesson during which it can be reviewed. */
  openDays: 90,
  /** Hours before publication. The same for every number of stars. */
  publishedAfterHours: 24,
  /**
   * Hours after which a review that the checks held is published without what they found, unless an admin decides
   * earlier.
   */
  publishedWithinHours: 72,
  decidedWithinWorkingDays: 5,
  appealDays: 30,
};

/** The length of a review's text, in characters. */
export const reviewLength = { min: 20, max: 1000 };

/** How many reviews a coach needs before stars are shown. */
export const reviewsUntilStars = 3;

/** Why an admin may remove a review. A low rating isn't a reason. */
export const removalReasons = {
  not_a_customer: 'The author was not a customer',
  unlawful: 'Unlawful, such as a false claim that harms someone',
  private_data: 'Names a child or contains private data',
  abusive: 'Abusive',
  off_topic: 'Not about the coaching',
} as const;
export type RemovalReason = keyof typeof removalReasons;
export const removalReasonNames = Object.keys(removalReasons) as [RemovalReason, ...RemovalReason[]];

/** What the automatic checks find, as a sentence for admins. */
export const findingNames = {
  link: 'The text contains a link.',
  contact: 'The text contains contact details.',
  name: 'The text names someone who takes part in the lesson.',
} as const;
export type Finding = keyof typeof findingNames;

/** The facts that decide whether a lesson can be reviewed. */
export type ReviewFacts = {
  status: string;
  attended: boolean | null;
  endTime: string;
  /** Whether the customer was never charged. A refund makes no difference; docs/decisions/0114 has the reasons. */
  isFree: boolean;
  /** An admin's decision about "We were there"; `open` until there is one. */
  claim: 'open' | 'accepted' | 'declined' | null;
  claimDecidedAt: string | null;
  /** Whether the customer belongs to the coach's team. */
  isOfTeam: boolean;
  /** Whether someone in the coach's team has also saved the card that paid. */
  isTeamCard: boolean;
  /** Whether someone else's review of a lesson paid for with the same card already counts. */
  isCardUsed: boolean;
};

const hourMs = 3_600_000;

const freeLesson = {
  code: 'conflict',
  message: "Free lessons can't be reviewed. You can review the coach after a lesson that you've paid for.",
} as const;

/** The last moment at which a lesson can be reviewed, in ms. An accepted claim restarts the 90 days. */
export const reviewableUntil = ({
  endTime,
  claim,
  claimDecidedAt,
}: Pick<ReviewFacts, 'endTime' | 'claim' | 'claimDecidedAt'>): number =>
  Math.max(Date.parse(endTime), claim === 'accepted' && claimDecidedAt ? Date.parse(claimDecidedAt) : 0) +
  reviewTimes.openDays * 24 * hourMs;

/** Refuses a review if the customer can't review the lesson now; `now` is in ms. */
export function refuseReview(facts: ReviewFacts, now: number): Refusal {
  const { status, attended, endTime, claim } = facts;
  const conflict = (message: string) => ({ code: 'conflict' as const, message });
  if (status !== 'booked' && status !== 'attended') {
    return conflict("You can only review a lesson that you've paid for and that wasn't cancelled.");
  }
  if (facts.isFree) return freeLesson;
  if (Date.parse(endTime) > now) return conflict('You can review this lesson once it is over.');
  if (facts.isOfTeam) return conflict("Coaches and their teams can't review each other.");
  if (facts.isTeamCard)
    return conflict(
      "This lesson was paid for with a card belonging to the coach's team, so it can't be reviewed.",
    );
  if (attended === false && claim !== 'accepted') {
    return conflict(
      'The coach marked this lesson as missed. If you were there, tell us and an admin will decide.',
    );
  }
  const countsFrom = Date.parse(endTime) + reviewTimes.unmarkedCountsAfterHours * hourMs;
  if (attended === null && claim !== 'accepted' && now < countsFrom) {
    return conflict(
      'You can review this lesson once the coach has marked attendance, or 48 hours after it ended.',
    );
  }
  if (now > reviewableUntil(facts))
    return conflict('This lesson was too long ago. Reviews are open for 90 days.');
  if (facts.isCardUsed) {
    return conflict(
      'Someone has already reviewed this coach with the same card. A card counts only once in 12 months.',
    );
  }
  return null;
}

/**
 * Refuses "We were there" if the lesson isn't marked as missed, was free, ended over 90 days ago or already has a
 * claim.
 */
export function refuseClaim(facts: ReviewFacts, now: number): Refusal {
  if (facts.attended !== false) {
    return { code: 'conflict', message: "The coach hasn't marked this lesson as missed." };
  }
  if (facts.isFree) return freeLesson;
  if (facts.claim) {
    const message =
      facts.claim === 'open'
        ? "You've already told us. An admin will decide."
        : 'An admin has already decided.';
    return { code: 'conflict', message };
  }
  return now > reviewableUntil(facts)
    ? { code: 'conflict', message: 'This lesson was too long ago. Reviews are open for 90 days.' }
    : null;
}

const links =
  /\b(?:https?:\/\/|www\.)\S+|\b[a-z0-9-]+(?:\.[a-z0-9-]+)*\.(?:com|co\.uk|org|net|uk|io|me|app|info|biz|shop|club|ly|co|xyz|online|site)\b(?:\/\S*)?/giu;
const contacts =
  /[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+|(?<![\p{L}\p{N}])@[\p{L}\p{N}_.]{3,}|(?:\+|\(0|\b0)\d?[\d\s().-]{7,}\d/giu;

/** Replaces what the public must not read. */
const mask = '[…]';

/**
 * A pattern for the words of names that a text must not contain: those of participants, except the coach's own name.
 */
function patternOf(names: readonly string[], coachName: string): RegExp | null {
  const partsOf = (name: string) => name.toLowerCase().match(/[\p{L}\p{M}’']{2,}/gu) ?? [];
  const allowed = new Set(partsOf(coachName));
  const parts = [...new Set(names.flatMap(partsOf))].filter((part) => !allowed.has(part));
  if (parts.length === 0) return null;
  const longestFirst = parts.sort((a, b) => b.length - a.length).join('|');
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${longestFirst})(?![\\p{L}\\p{N}])`, 'giu');
}

/**
 * Checks a text for links, contact details and the names of those who take part. `maskedText` is the text with each of
 * these masked; null if nothing was found.
 */
export function checkText(
  text: string,
  { names, coachName }: { names: readonly string[]; coachName: string },
): { findings: Finding[]; maskedText: string | null } {
  const named = patternOf(names, coachName);
  const patterns: [Finding, RegExp | null][] = [
    ['contact', contacts],
    ['link', links],
    ['name', named],
  ];
  let masked = text;
  const findings: Finding[] = [];
  for (const [finding, pattern] of patterns) {
    if (!pattern) continue;
    const next = masked.replace(pattern, mask);
    if (next !== masked) findings.push(finding);
    masked = next;
  }
  return { findings, maskedText: findings.length > 0 ? masked : null };
}

/** The London date that is this many working days (Monday to Friday) after an instant in ms. */
export function workingDaysAfter(now: number, days: number): string {
  let { date } = wallTimeOf(now);
  for (let left = days; left > 0; ) {
    date = addDays(date, 1);
    if (weekdayOf(date) <= 5) left -= 1;
  }
  return date;
}

/** How the public sees the author: the first name and an initial, or that they are a participant's family. */
export function nameAuthor(shortName: string, writtenFor: 'self' | 'junior' | 'dependant'): string {
  if (writtenFor === 'junior') return 'Parent of a junior';
  return writtenFor === 'dependant' ? 'Family of a participant' : shortName;
}

/**
 * The mean of the stars to one decimal place, rounded half up; null for fewer than {@link reviewsUntilStars} reviews.
 */
export const meanOf = ({ reviews, stars }: { reviews: number; stars: number }): number | null =>
  reviews < reviewsUntilStars ? null : Math.round((stars * 10) / reviews) / 10;
