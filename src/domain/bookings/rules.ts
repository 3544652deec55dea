import type { Refusal } from '../errors.ts';
import { formatPounds, percentageOf } from '../money.ts';
import { formatDay, formatTime, type Instant, toInstant } from '../time.ts';

export const bookingStatuses = [
  'pending',
  'booked',
  'attended',
  'cancelled',
  'refunded',
  'released',
] as const;
export type BookingStatus = (typeof bookingStatuses)[number];

/**
 * The status of a refund. A `failed` one was given up: the card network refused it, and an admin retries it or pays
 * the customer another way (`settled`). A bank can return a successful one.
 */
export const refundStatuses = ['pending', 'succeeded', 'failed', 'settled'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

/**
 * Allowed status transitions. `released` is the end of an unpaid hold; it becomes `booked` only if the charge turns
 * up while the hold would still run and the seat is still free. A `refunded` booking is `cancelled` again while
 * another refund of it is pending, or when a bank returns one.
 */
export const bookingTransitions: Record<BookingStatus, readonly BookingStatus[]> = {
  pending: ['booked', 'released'],
  booked: ['attended', 'cancelled'],
  attended: ['booked', 'cancelled'],
  cancelled: ['refunded'],
  refunded: ['cancelled'],
  released: ['booked'],
};

/** How long a seat is held for an unpaid booking, in minutes. */
export const holdMinutes = 15;

/** The same for anyone who let a hold expire within the last day, so that one person cannot block a seat repeatedly. */
export const shortHoldMinutes = 5;

type PolicyAtPurchase = {
  amountCents: number;
  freeUntilHours: number;
  lateRefundPercent: number;
  refundsEnabled: boolean;
  /** Not null once the coach has moved the lesson after the purchase. */
  movedFrom: object | string | null;
  /** Not null once the coach has changed the location after the purchase. */
  relocatedFrom: unknown;
  /** Not null once the coach has changed title, description or sport after the purchase. */
  changedTo: unknown;
};

/** True once the coach has changed time, location or content of a booked lesson: cancelling is free then. */
export const isChanged = ({
  movedFrom,
  relocatedFrom,
  changedTo,
}: Pick<PolicyAtPurchase, 'movedFrom' | 'relocatedFrom' | 'changedTo'>) =>
  movedFrom !== null || relocatedFrom !== null || changedTo !== null;

/** The coach's change to a booked lesson, such as "moved this lesson"; the most serious of several. */
export function describeCoachsChange({
  movedFrom,
  changedTo,
}: Pick<PolicyAtPurchase, 'movedFrom' | 'changedTo'>): string {
  if (movedFrom !== null) return 'moved this lesson';
  return changedTo !== null ? 'changed this lesson' : 'changed the location of this lesson';
}

/**
 * A customer's refund for cancelling at `now` (milliseconds), in cents, by the policy of the booking: everything
 * until `freeUntilHours` before the start, `lateRefundPercent` of it after. Always everything if the coach has
 * changed its time, location or content since.
 */
export function refundForCancelling(booking: PolicyAtPurchase & { startTime: Instant }, now: number): number {
  if (isChanged(booking)) return booking.amountCents;
  if (!booking.refundsEnabled) return 0;
  return now <= freeUntilOf(booking)
    ? booking.amountCents
    : percentageOf(booking.amountCents, booking.lateRefundPercent);
}

/** The deadline for a full refund under the policy alone, in milliseconds. */
const freeUntilOf = ({ startTime, freeUntilHours }: { startTime: Instant; freeUntilHours: number }) =>
  Date.parse(startTime) - freeUntilHours * 3_600_000;

/** The part of the platform fee, in cents, returned with a refund: the same share as of the price. */
export function feeOfRefund(booking: { amountCents: number; feeCents: number }, refundCents: number): number {
  return booking.amountCents === 0 ? 0 : Math.round((booking.feeCents * refundCents) / booking.amountCents);
}

/** The terms of cancelling at `now` (milliseconds) and later, in one sentence for screen, receipt and email. */
export function describePolicy(booking: PolicyAtPurchase & { startTime: Instant }, now: number): string {
  if (isChanged(booking)) {
    return `The coach has ${describeCoachsChange(booking)} since you booked it, so you can cancel until it starts for a full refund.`;
  }
  const { amountCents, freeUntilHours, lateRefundPercent, refundsEnabled } = booking;
  if (!refundsEnabled) return 'You can cancel until the lesson starts; there is no refund.';
  if (lateRefundPercent === 100 || freeUntilHours === 0) {
    return 'Cancel until the lesson starts for a full refund.';
  }
  const late =
    lateRefundPercent > 0 ? `${lateRefundPercent}% of the price comes back` : 'nothing is refunded';
  const freeUntil = freeUntilOf(booking);
  if (now > freeUntil) {
    const hours = freeUntilHours === 1 ? '1 hour' : `${freeUntilHours} hours`;
    return `This lesson starts in less than ${hours}, so ${late} if you cancel.`;
  }
  const until = toInstant(freeUntil);
  return `Cancel by ${formatDay(until, now)}, ${formatTime(until)} and ${formatPounds(amountCents)} is refunded in full; after that ${late}.`;
}

/** A customer cancels a booked lesson until it starts. */
export function refuseCancel(booking: { status: BookingStatus; startTime: Instant }, now: number): Refusal {
  if (booking.status === 'cancelled' || booking.status === 'refunded') {
    return { code: 'conflict', message: 'This booking is already cancelled.' };
  }
  if (booking.status !== 'booked') {
    return { code: 'conflict', message: 'Only a booked lesson can be cancelled.' };
  }
  if (Date.parse(booking.startTime) <= now) {
    return {
      code: 'conflict',
      message: 'This lesson has already started, so it can no longer be cancelled.',
    };
  }
  return null;
}

/** Why this person cannot book a slot. The database decides about the seat itself. */
export function refuseBook(
  slot: { status: string; startTime: Instant; coachId: string; isCoachActive: boolean },
  customerUserId: string,
  now: number,
): Refusal {
  if (slot.status === 'cancelled') {
    return {
      code: 'slot_unavailable',
      message: 'The coach has cancelled this lesson. You have not been charged.',
    };
  }
  if (slot.status !== 'scheduled' || Date.parse(slot.startTime) <= now) {
    return {
      code: 'slot_unavailable',
      message: 'This lesson has already started. You have not been charged.',
    };
  }
  if (!slot.isCoachActive) {
    return {
      code: 'slot_unavailable',
      message: "This coach isn't taking bookings at the moment. You have not been charged.",
    };
  }
  if (slot.coachId === customerUserId) {
    return { code: 'conflict', message: 'This is your own lesson, so you cannot book it.' };
  }
  return null;
}

/** A coach marks attendance from the lesson's start; only people with a seat can be marked. */
export function refuseMarkAttendance(
  booking: { status: BookingStatus; startTime: Instant },
  now: number,
): Refusal {
  if (booking.status === 'cancelled' || booking.status === 'refunded') {
    return { code: 'conflict', message: "This booking was cancelled, so you can't record attendance." };
  }
  if (booking.status !== 'booked' && booking.status !== 'attended') {
    return { code: 'conflict', message: "This booking isn't paid, so you can't record attendance." };
  }
  if (now < Date.parse(booking.startTime)) {
    return { code: 'conflict', message: 'You can record attendance once the lesson has started.' };
  }
  return null;
}
