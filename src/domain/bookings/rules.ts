import type { Refusal } from '../errors.ts';
import { percentageOf } from '../money.ts';
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

/** Which status may follow which. `released` is the end of a hold that was never paid. */
export const bookingTransitions: Record<BookingStatus, readonly BookingStatus[]> = {
  pending: ['booked', 'released'],
  booked: ['attended', 'cancelled'],
  attended: ['booked', 'cancelled'],
  cancelled: ['refunded'],
  refunded: [],
  released: [],
};

/** How long a seat is held for a customer who has not paid yet, in minutes. */
export const holdMinutes = 15;

type PolicyAtPurchase = {
  amountCents: number;
  freeUntilHours: number;
  lateRefundPercent: number;
  refundsEnabled: boolean;
};

/**
 * What a customer gets back for cancelling at `now` (milliseconds), in cents, by the policy the booking was
 * made under: everything until `freeUntilHours` before the start, `lateRefundPercent` of it after.
 */
export function refundForCancelling(booking: PolicyAtPurchase & { startTime: Instant }, now: number): number {
  if (!booking.refundsEnabled) return 0;
  const freeUntil = Date.parse(booking.startTime) - booking.freeUntilHours * 3_600_000;
  return now <= freeUntil
    ? booking.amountCents
    : percentageOf(booking.amountCents, booking.lateRefundPercent);
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

/** Why a slot cannot be booked by this person; the seat itself is taken, or refused, by the database. */
export function refuseBook(
  slot: { status: string; startTime: Instant; coachId: string },
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
  if (slot.coachId === customerUserId) {
    return { code: 'conflict', message: 'This is your own lesson, so you cannot book it.' };
  }
  return null;
}
