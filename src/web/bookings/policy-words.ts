import type { Booking } from '#domain/bookings/contract.ts';
import { refundForCancelling } from '#domain/bookings/rules.ts';
import { formatPounds } from '#domain/money.ts';
import type { CancellationPolicy } from '#domain/settings/contract.ts';
import { formatDay, formatTime, type Instant } from '#domain/time.ts';
import { describeCard } from '#web/payments/saved-card.tsx';

const comingSoon = 'Refund processing is coming soon.';

/** What cancelling will mean, in one sentence, before somebody books. `now` in milliseconds. */
export function describePolicy(
  policy: CancellationPolicy,
  startTime: Instant,
  priceCents: number,
  now: number,
): string {
  if (!policy.refundsEnabled) return comingSoon;
  const freeUntil = Date.parse(startTime) - policy.freeUntilHours * 3_600_000;
  const late =
    policy.lateRefundPercent > 0
      ? `${policy.lateRefundPercent}% of the price comes back`
      : 'nothing is refunded';
  if (now > freeUntil) {
    return `This lesson starts in less than ${policy.freeUntilHours} hours, so ${late} if you cancel.`;
  }
  const until = new Date(freeUntil).toISOString();
  return `Cancel by ${formatDay(until, now)}, ${formatTime(until)} and ${formatPounds(priceCents)} is refunded in full; after that ${late}.`;
}

/** What cancelling a booking now gives back, in one sentence and in cents. `now` in milliseconds. */
export function describeRefund(booking: Booking, now: number): { words: string; refundCents: number } {
  const refundCents = refundForCancelling(booking, now);
  if (booking.amountCents === 0)
    return { words: 'This lesson was free, so there is nothing to refund.', refundCents };
  if (!booking.refundsEnabled) return { words: comingSoon, refundCents };
  const to = booking.card ? ` to ${describeCard(booking.card)}` : '';
  if (refundCents > 0) {
    return { words: `You'll be refunded ${formatPounds(refundCents)}${to} in 5 to 10 days.`, refundCents };
  }
  return {
    words: `The lesson starts in less than ${booking.freeUntilHours} hours, so ${formatPounds(booking.amountCents)} will not be refunded.`,
    refundCents,
  };
}

/** What happened to the money of a cancelled booking; null where there is nothing to say. */
export function describeRefundState(booking: Booking): string | null {
  const { refund } = booking;
  if (!refund) return null;
  const amount = formatPounds(refund.amountCents);
  const to = booking.card ? ` to ${describeCard(booking.card)}` : '';
  if (refund.status === 'succeeded') return `${amount} refunded${to}.`;
  if (refund.status === 'pending') return `${amount} is on its way back${to}.`;
  return `The refund of ${amount} did not go through. We are on it and will write to you.`;
}
