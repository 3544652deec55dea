import { describeCard, refundArrival } from '../card-labels.ts';
import { formatPounds, percentageOf } from '../money.ts';
import { type CancellationPolicy, cancellationPolicy } from '../settings/contract.ts';
import { formatDay, formatTime, type Instant, toInstant } from '../time.ts';

// The policy in force is a setting (domain/settings/contract.ts). `termsOfSlot` decides the terms that a slot is booked
// under. Customers see these terms before booking (web/bookings/cancellation-terms.tsx). Holding a seat copies the
// terms to the booking (server/bookings/booking/hold-seat.ts). Everything derived from the terms is in this file.

/** The fields of the policy; the bookings table has a column for each. */
export const policyFields = Object.keys(cancellationPolicy.shape) as (keyof CancellationPolicy)[];

/** The coach's changes to a lesson since it was booked; a field is null if nothing of its kind has changed. */
type CoachsChanges = { movedFrom: object | string | null; relocatedFrom: unknown; changedTo: unknown };

/** A lesson's start and price, with the policy under which it is, or would be, booked. */
type Terms = CancellationPolicy & CoachsChanges & { amountCents: number; startTime: Instant };

/** The amount refunded before the booking is cancelled. */
type EarlierRefund = { refund?: { amountCents: number } | null };

/**
 * The terms for booking a slot now: the policy in force, the same for every slot. To give some slots a different
 * deadline, change this function.
 */
export const termsOfSlot = (
  slot: { startTime: Instant; priceCents: number },
  policyInForce: CancellationPolicy,
): Terms => ({
  ...policyInForce,
  ...{ movedFrom: null, relocatedFrom: null, changedTo: null },
  startTime: slot.startTime,
  amountCents: slot.priceCents,
});

/** True if the coach has changed the time, location or content of a booked lesson: cancelling is then free. */
export const isChanged = ({ movedFrom, relocatedFrom, changedTo }: CoachsChanges) =>
  movedFrom !== null || relocatedFrom !== null || changedTo !== null;

/** The coach's change to a booked lesson, such as "moved this lesson"; if there are several, the most serious. */
function describeCoachsChange({ movedFrom, changedTo }: CoachsChanges): string {
  if (movedFrom !== null) return 'moved this lesson';
  return changedTo !== null ? 'changed this lesson' : 'changed the location of this lesson';
}

/** The deadline for a full refund under the policy, ignoring changes by the coach, in milliseconds. */
const freeUntilOf = ({ startTime, freeUntilHours }: Terms) =>
  Date.parse(startTime) - freeUntilHours * 3_600_000;

/**
 * A customer's refund for cancelling at `now` (milliseconds), in minor units, under the booking's policy: the full
 * price until `freeUntilHours` before the start, `lateRefundPercent` of the price afterwards, and nothing if refunds
 * are switched off. Always the full price if the coach has since changed the lesson's time, location or content. Never
 * more than is left after earlier refunds of the booking.
 */
export function refundForCancelling(booking: Terms & EarlierRefund, now: number): number {
  const leftCents = booking.amountCents - (booking.refund?.amountCents ?? 0);
  return Math.min(refundUnderPolicy(booking, now), leftCents);
}

function refundUnderPolicy(booking: Terms, now: number): number {
  if (isChanged(booking)) return booking.amountCents;
  if (!booking.refundsEnabled) return 0;
  return now <= freeUntilOf(booking)
    ? booking.amountCents
    : percentageOf(booking.amountCents, booking.lateRefundPercent);
}

/**
 * The part of the platform fee, in minor units, that is returned with a refund, in proportion to the refunded part of
 * the price. `before`: earlier refunds of the same booking and the fee that they returned. The parts of several refunds
 * add up to the part for their sum.
 */
export function feeOfRefund(
  booking: { amountCents: number; feeCents: number },
  refundCents: number,
  before: { cents: number; feeCents: number } = { cents: 0, feeCents: 0 },
): number {
  if (booking.amountCents === 0) return 0;
  return (
    Math.round((booking.feeCents * (before.cents + refundCents)) / booking.amountCents) - before.feeCents
  );
}

const noRefunds = 'Nothing is refunded. Refund processing is coming soon.';
const startsSoon = ({ freeUntilHours }: Terms) =>
  `This lesson starts in less than ${hoursText(freeUntilHours)}`;
const hoursText = (hours: number) => (hours === 1 ? '1 hour' : `${hours} hours`);
const describeLate = (percent: number) =>
  percent > 0 ? `${percent}% of the price is refunded` : 'nothing is refunded';
const isAlwaysFull = ({ freeUntilHours, lateRefundPercent }: CancellationPolicy) =>
  lateRefundPercent === 100 || freeUntilHours === 0;

/**
 * Describes the terms of cancelling at `now` (milliseconds) and later, in a sentence or two. Shown before booking, on
 * the receipt, and in receipts and reminders by email.
 */
export function describePolicy(terms: Terms, now: number): string {
  if (terms.amountCents === 0) return 'You can cancel until the lesson starts.';
  if (isChanged(terms)) {
    return `The coach has ${describeCoachsChange(terms)} since you booked it, so you can cancel for a full refund until it starts.`;
  }
  const { amountCents, lateRefundPercent, refundsEnabled } = terms;
  if (!refundsEnabled) return `You can cancel until the lesson starts. ${noRefunds}`;
  if (isAlwaysFull(terms)) return 'You can cancel for a full refund until the lesson starts.';
  const late = describeLate(lateRefundPercent);
  const freeUntil = freeUntilOf(terms);
  if (now > freeUntil) return `${startsSoon(terms)}, so ${late} if you cancel.`;
  const until = toInstant(freeUntil);
  return `Cancel by ${formatDay(until, now)}, ${formatTime(until)} for a full refund of ${formatPounds(amountCents)}. After that, ${late}.`;
}

/** Describes the terms under which a booking was sold, to a reader other than its customer, such as a bank. */
export function describeSoldPolicy(policy: CancellationPolicy): string {
  if (!policy.refundsEnabled) return 'Cancelled bookings are not refunded.';
  if (isAlwaysFull(policy)) return 'A booking can be cancelled for a full refund until the lesson starts.';
  const { freeUntilHours, lateRefundPercent } = policy;
  return `A booking can be cancelled for a full refund until ${hoursText(freeUntilHours)} before the lesson; after that, ${describeLate(lateRefundPercent)}.`;
}

type BookedTerms = Terms & EarlierRefund & { card: { brand: string; lastFour: string } | null };

/** Describes the refund for cancelling at `now` (milliseconds) in a sentence or two, with the amount in minor units. */
export function describeRefund(booking: BookedTerms, now: number): { text: string; refundCents: number } {
  const refundCents = refundForCancelling(booking, now);
  return { text: describeRefundOf(booking, refundCents), refundCents };
}

function describeRefundOf(booking: BookedTerms, refundCents: number): string {
  if (booking.amountCents === 0) return 'This lesson was free, so there is nothing to refund.';
  if (booking.refund?.amountCents === booking.amountCents)
    return 'This booking has already been refunded in full.';
  const toCard = booking.card ? ` to ${describeCard(booking.card)}` : '';
  if (isChanged(booking)) {
    return `The coach has ${describeCoachsChange(booking)}, so you'll be refunded in full: ${formatPounds(refundCents)}${toCard} in ${refundArrival}.`;
  }
  if (!booking.refundsEnabled) return noRefunds;
  if (refundCents > 0) return `You'll be refunded ${formatPounds(refundCents)}${toCard} in ${refundArrival}.`;
  return `${startsSoon(booking)}, so ${formatPounds(booking.amountCents)} won't be refunded.`;
}
