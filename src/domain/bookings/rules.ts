import type { Refusal } from '../errors.ts';
import type { Instant } from '../time.ts';

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
 * The status of a refund. `failed`: Stripe permanently refused it, or a bank returned it, so an admin retries it or
 * pays the customer another way (`settled`). A bank can return even a successful refund.
 */
export const refundStatuses = ['pending', 'succeeded', 'failed', 'settled'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

/**
 * Allowed status transitions. `released` is the end of an unpaid hold; it becomes `booked` only if the charge arrives
 * before the hold would have expired and the seat is still free. A `refunded` booking is `cancelled` again while
 * another of its refunds is pending, or when a bank returns a refund. An admin can book a cancelled or refunded
 * booking again.
 */
export const bookingTransitions: Record<BookingStatus, readonly BookingStatus[]> = {
  pending: ['booked', 'released'],
  booked: ['attended', 'cancelled'],
  attended: ['booked', 'cancelled'],
  cancelled: ['refunded', 'booked'],
  refunded: ['cancelled', 'booked'],
  released: ['booked'],
};

/** How long a seat is held for an unpaid booking, in minutes. */
export const holdMinutes = 15;

/** The maximum number of bookings that one payment can pay for. */
export const maxBookingsPerPayment = 6;

/** The message for a customer who already has a seat in this lesson. */
export const alreadyBookedText = "You've already booked this lesson.";

/** The hold in minutes for anyone with an expired hold in the last 24 hours; limits repeated blocking of a seat. */
export const shortHoldMinutes = 5;

/** Why a booking with this status can't be cancelled; null for one that is `booked`. */
const uncancellable: Record<BookingStatus, string | null> = {
  pending: "This booking is still waiting for payment, so it can't be cancelled yet.",
  booked: null,
  attended: 'This lesson is marked as attended, so it can no longer be cancelled.',
  cancelled: 'This booking is already cancelled.',
  refunded: 'This booking is already cancelled.',
  released: 'This booking was never paid, so there is nothing to cancel.',
};

/** Refuses to cancel a booking that is not `booked`, or whose lesson has started. */
export function refuseCancel(booking: { status: BookingStatus; startTime: Instant }, now: number): Refusal {
  const message = uncancellable[booking.status];
  if (message) return { code: 'conflict', message };
  if (Date.parse(booking.startTime) <= now) {
    return {
      code: 'conflict',
      message: 'This lesson has already started, so it can no longer be cancelled.',
    };
  }
  return null;
}

/** Why this person cannot book a slot; null if they can. The database decides whether a seat is free. */
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
    return { code: 'conflict', message: "This is your own lesson, so you can't book it." };
  }
  return null;
}

/** Refuses an attendance mark before the lesson starts, or for a person without a seat. */
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
