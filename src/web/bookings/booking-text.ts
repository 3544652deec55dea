import type { Booking } from '#domain/bookings/contract.ts';
import { refuseCancel } from '#domain/bookings/rules.ts';
import { describeCard } from '#domain/card-labels.ts';
import { formatLocation } from '#domain/location-text.ts';
import { formatPounds } from '#domain/money.ts';
import { sports } from '#domain/sports.ts';
import { formatLessonTime } from '#domain/time.ts';

/**
 * The dependant who takes part and, if another guardian booked, that guardian; null for the viewer's own lesson.
 */
export function describeWho({
  participant,
  payerName,
}: Pick<Booking, 'participant' | 'payerName'>): string | null {
  if (payerName !== null) return `For ${participant.name}, booked by ${payerName}`;
  return participant.isSelf ? null : `For ${participant.name}`;
}

/** Whether the viewer can cancel a booking now. Only the person who booked can, and only until the lesson starts. */
export const isCancellable = (booking: Booking, now: number): boolean =>
  booking.payerName === null && refuseCancel(booking, now) === null;

/**
 * Says what the coach has changed about a booked lesson, or that the coach or the platform cancelled the
 * booking; otherwise null.
 */
export function describeChange(booking: Booking, now: number): string | null {
  const { cancelledBy, cancellationReason } = booking;
  if (cancelledBy === 'coach') {
    return `Cancelled by the coach${cancellationReason ? `: “${cancellationReason}”` : ''}.`;
  }
  if (cancelledBy === 'platform') return 'We cancelled this booking.';
  if (cancelledBy !== null) return null;
  const changes = [describeMove(booking, now), describeRelocation(booking), describeContent(booking)];
  return changes.filter(Boolean).join(' ') || null;
}

function describeMove({ movedFrom, startTime, endTime }: Booking, now: number): string | null {
  if (!movedFrom) return null;
  const isBack =
    Date.parse(movedFrom.startTime) === Date.parse(startTime) &&
    Date.parse(movedFrom.endTime) === Date.parse(endTime);
  if (isBack) return 'The coach moved this lesson back to the time you booked.';
  return `Moved from ${formatLessonTime(movedFrom.startTime, movedFrom.endTime, now)}.`;
}

function describeRelocation({ relocatedFrom, location }: Booking): string | null {
  if (!relocatedFrom) return null;
  const [before, after] = [formatLocation(relocatedFrom.location), formatLocation(location)];
  return before === after
    ? 'The coach moved this lesson back to the location you booked.'
    : `New location: ${after}. Previous location: ${before}.`;
}

/**
 * States the current title and sport, and mentions a new description, if the coach has changed them, because the row
 * shows the details as booked.
 */
function describeContent({ changedTo, title, sport, description }: Booking): string | null {
  if (!changedTo) return null;
  const changes = [
    ...(changedTo.title === title ? [] : [`title “${changedTo.title}”`]),
    ...(changedTo.sport === sport ? [] : [`sport ${sports[changedTo.sport]}`]),
    ...(changedTo.description === description ? [] : ['a new description']),
  ];
  return changes.length === 0
    ? 'The coach changed this lesson back to what you booked.'
    : `The coach changed this lesson. It now has: ${changes.join(', ')}.`;
}

/** Describes a booking's refund, or says that a paid booking was cancelled without one; null if neither applies. */
export function describeRefundState(booking: Booking): string | null {
  const { refund } = booking;
  if (!refund) return booking.status === 'cancelled' && booking.card ? 'Not refunded' : null;
  const amount = formatPounds(refund.amountCents);
  const to = booking.card ? ` to ${describeCard(booking.card)}` : '';
  if (refund.status === 'succeeded') return `${amount} refunded${to}.`;
  if (refund.status === 'pending') return `${amount} is on its way back${to}.`;
  if (refund.status === 'settled') return `${amount} refunded; we paid you back another way.`;
  return `The refund of ${amount} failed. We're working on it and will email you.`;
}

const reviewableMs = 90 * 86_400_000;

/**
 * Whether to offer a review to the payer of a past lesson. The review page makes the final decision and explains any
 * refusal.
 */
export const isReviewable = ({ status, endTime, payerName, amountCents }: Booking, now: number): boolean =>
  payerName === null &&
  amountCents > 0 &&
  (status === 'booked' || status === 'attended') &&
  Date.parse(endTime) < now &&
  Date.parse(endTime) > now - reviewableMs;
