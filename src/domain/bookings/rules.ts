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
 * How a refund stands. A `failed` one was given up: the card network refused it, and an admin tries it again or pays the
 * customer another way (`settled`). A bank can send back what had succeeded.
 */
export const refundStatuses = ['pending', 'succeeded', 'failed', 'settled'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

/**
 * Which status may follow which. `released` is the end of a hold that was not paid; it becomes `booked` only
 * where the charge turns up after all while the hold would still run and the place is still free. A `refunded` booking is
 * `cancelled` again while another refund of it is on its way, or when a bank sent one back.
 */
export const bookingTransitions: Record<BookingStatus, readonly BookingStatus[]> = {
  pending: ['booked', 'released'],
  booked: ['attended', 'cancelled'],
  attended: ['booked', 'cancelled'],
  cancelled: ['refunded'],
  refunded: ['cancelled'],
  released: ['booked'],
};

/** How long a seat is held for a customer who has not paid yet, in minutes. */
export const holdMinutes = 15;

/** The same for somebody who let a hold run out within the last day: a seat is not kept from others again and again. */
export const shortHoldMinutes = 5;

type PolicyAtPurchase = {
  amountCents: number;
  freeUntilHours: number;
  lateRefundPercent: number;
  refundsEnabled: boolean;
  /** Not null once the coach has moved the lesson after it was bought. */
  movedFrom: object | string | null;
  /** Not null once the coach has changed its location after it was bought. */
  relocatedFrom: unknown;
  /** Not null once the coach has changed title, description or sport after it was bought. */
  changedTo: unknown;
};

/** True once the coach has changed time, location or content of a booked lesson: cancelling is free then. */
export const isChanged = ({
  movedFrom,
  relocatedFrom,
  changedTo,
}: Pick<PolicyAtPurchase, 'movedFrom' | 'relocatedFrom' | 'changedTo'>) =>
  movedFrom !== null || relocatedFrom !== null || changedTo !== null;

/** What the coach did to a booked lesson: "moved this lesson". The gravest of several changes. */
export function describeCoachsChange({
  movedFrom,
  changedTo,
}: Pick<PolicyAtPurchase, 'movedFrom' | 'changedTo'>): string {
  if (movedFrom !== null) return 'moved this lesson';
  return changedTo !== null ? 'changed what this lesson is' : 'changed the place of this lesson';
}

/**
 * What a customer gets back for cancelling at `now` (milliseconds), in cents, by the policy the booking was
 * made under: everything until `freeUntilHours` before the start, `lateRefundPercent` of it after. Everything,
 * always, where the coach has changed its time, location or content since.
 */
export function refundForCancelling(booking: PolicyAtPurchase & { startTime: Instant }, now: number): number {
  if (isChanged(booking)) return booking.amountCents;
  if (!booking.refundsEnabled) return 0;
  return now <= freeUntilOf(booking)
    ? booking.amountCents
    : percentageOf(booking.amountCents, booking.lateRefundPercent);
}

/** Until when cancelling gives everything back by the policy alone, in milliseconds. */
const freeUntilOf = ({ startTime, freeUntilHours }: { startTime: Instant; freeUntilHours: number }) =>
  Date.parse(startTime) - freeUntilHours * 3_600_000;

/** The part of the platform fee, in cents, that goes back with a refund: the same share as of the price. */
export function feeOfRefund(booking: { amountCents: number; feeCents: number }, refundCents: number): number {
  return booking.amountCents === 0 ? 0 : Math.round((booking.feeCents * refundCents) / booking.amountCents);
}

/** What cancelling means at `now` (milliseconds) and later, in one sentence for screen, receipt and email. */
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

/** Why a slot cannot be booked by this person; the seat itself is taken, or refused, by the database. */
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
      message: 'This coach takes no bookings at the moment. You have not been charged.',
    };
  }
  if (slot.coachId === customerUserId) {
    return { code: 'conflict', message: 'This is your own lesson, so you cannot book it.' };
  }
  return null;
}

/** A coach marks who came from the moment the lesson starts; only people who have a place can be marked. */
export function refuseMarkAttendance(
  booking: { status: BookingStatus; startTime: Instant },
  now: number,
): Refusal {
  if (booking.status === 'cancelled' || booking.status === 'refunded') {
    return { code: 'conflict', message: 'This booking was cancelled, so there is nobody to mark.' };
  }
  if (booking.status !== 'booked' && booking.status !== 'attended') {
    return { code: 'conflict', message: 'This booking is not paid, so there is nobody to mark.' };
  }
  if (now < Date.parse(booking.startTime)) {
    return { code: 'conflict', message: 'You can mark who came once the lesson has started.' };
  }
  return null;
}
