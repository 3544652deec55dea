import type { BookingStatus } from '../bookings/rules.ts';
import type { Refusal } from '../errors.ts';
import { formatPounds } from '../money.ts';
import type { Instant } from '../time.ts';

/**
 * The amount of a booking that one admin alone can still refund, in minor units; null for no limit. `limitCents` is the
 * setting.
 */
export const singleAdminCents = (limitCents: number | null, refundedAloneCents: number): number | null =>
  limitCents === null ? null : Math.max(limitCents - refundedAloneCents, 0);

type Refundable = {
  status: BookingStatus;
  chargedCents: number;
  refundedCents: number;
  disputedCents: number;
  /** Refunds made in Stripe that nobody has entered, in minor units. */
  unenteredCents: number;
  /** Whether a refund of the booking waits for a second admin. */
  isWaiting: boolean;
};

/** Why an admin can't refund any part of this booking now; null if they can. */
export function refuseDeskRefund(booking: Refundable): Refusal {
  const { chargedCents, refundedCents } = booking;
  if (booking.status === 'pending' || booking.status === 'released') {
    return { code: 'conflict', message: "This booking isn't paid, so there is nothing to refund." };
  }
  if (chargedCents === 0) return { code: 'conflict', message: 'This lesson was free.' };
  if (refundedCents >= chargedCents) {
    return { code: 'conflict', message: 'This booking has already been refunded in full.' };
  }
  if (booking.disputedCents > 0) {
    return {
      code: 'conflict',
      message: "The customer disputes this payment. You can't refund it here until the dispute is over.",
    };
  }
  if (booking.unenteredCents > 0) {
    return {
      code: 'conflict',
      message: `${formatPounds(booking.unenteredCents)} of this payment was refunded in Stripe. Enter that refund first.`,
    };
  }
  if (booking.isWaiting) {
    return { code: 'conflict', message: 'A refund of this booking is already waiting for a second admin.' };
  }
  return null;
}

/** Why an admin can't decide on a waiting refund; null if they can. */
export function refuseDecision(
  request: { askedBy: string },
  adminId: string,
  decision: 'approve' | 'decline',
): Refusal {
  if (decision === 'decline' || request.askedBy !== adminId) return null;
  return { code: 'conflict', message: 'You asked for this refund. Another admin has to approve it.' };
}

type Movable = {
  status: BookingStatus;
  slotId: string;
  startTime: Instant;
  isInPayrun: boolean;
  chargedCents: number;
  refundedCents: number;
};

/** Why a booking can't move to another date or be booked again; null if it can. */
export function refuseMoveBooking(booking: Movable, now: number): Refusal {
  const refuse = (message: string): Refusal => ({ code: 'conflict', message });
  const { status, chargedCents, refundedCents } = booking;
  const isCancelled = status === 'cancelled' || status === 'refunded';
  if (status !== 'booked' && !isCancelled) return refuse('Only a booked or cancelled booking can move.');
  if (booking.isInPayrun) {
    return refuse("This booking is in a payrun, so it can't move. You can refund it instead.");
  }
  if (status === 'booked' && Date.parse(booking.startTime) <= now) {
    return refuse("This lesson has already started, so the booking can't move. You can refund it instead.");
  }
  if (isCancelled && chargedCents > 0 && refundedCents >= chargedCents) {
    return refuse('This booking was refunded in full. Only the customer can book and pay again.');
  }
  return null;
}

/** Why a booking can't move to this date; null if it can. The database decides whether a seat is free. */
export function refuseDate(
  booking: Pick<Movable, 'status' | 'slotId'>,
  date: { slotId: string; status: string; startTime: Instant; isSameLesson: boolean; isOpen: boolean },
  now: number,
): Refusal {
  if (!date.isSameLesson) {
    return { code: 'conflict', message: 'A booking can only move to another date of the same lesson.' };
  }
  if (booking.status === 'booked' && booking.slotId === date.slotId) {
    return { code: 'conflict', message: 'This booking is already on that date.' };
  }
  if (date.status !== 'scheduled' || Date.parse(date.startTime) <= now) {
    return { code: 'slot_unavailable', message: 'That date can no longer be booked.' };
  }
  if (!date.isOpen) return { code: 'slot_full', message: 'That date is full.' };
  return null;
}
