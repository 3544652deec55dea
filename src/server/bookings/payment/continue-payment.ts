import type { Person } from '#domain/access.ts';
import { alreadyBookedText } from '#domain/bookings/rules.ts';
import { AppError } from '#domain/errors.ts';
import { consumeCardLookup } from '#server/payments/card-limits.ts';
import type { RequestedSeat } from '../booking/hold-seat.ts';
import { dependantName } from '../booking/refuse-seat.ts';
import { releaseBooking } from '../booking/release-booking.ts';
import { type BookingParts, type Settlement, settleForCustomer } from '../booking/settle-booking.ts';
import { type PaymentRecord, readPayment } from './payment-records.ts';

/** Adds the seat concerned to a refusal. */
export type NameRefusal = (
  seat: Pick<RequestedSeat, 'slotId' | 'participantId'> & Partial<Pick<RequestedSeat, 'facts'>>,
  refusal: AppError,
) => Promise<AppError>;

/**
 * Continues the payment with which the customer is already booking exactly these seats for exactly this amount. Ends
 * (`released`) any other unfinished payment for one of the seats, and a payment whose hold has expired, so that nobody
 * pays twice or more than the screen showed. The caller then reads the slots again. Null if no participant has a
 * booking in these lessons. Throws `already_booked` for a seat that is paid (unless the customer paid for exactly these
 * seats, two or more, with one payment), or that another guardian is paying for; `name` adds the seat to the message.
 * Also throws `too_many_requests`, and `unavailable` if another payment can't be ended yet.
 */
export async function continuePayment(
  parts: BookingParts,
  customer: Person,
  { seats, amountCents, ipAddress }: { seats: RequestedSeat[]; amountCents: number; ipAddress: string },
  name: NameRefusal,
): Promise<Settlement | 'released' | null> {
  const own = seats.filter(({ facts }) => facts.ownBookingId !== null);
  if (own.length === 0) return null;
  const paid = own.find(({ facts }) => facts.ownStatus !== 'pending' || !facts.isOwnPayer);
  if (paid) {
    const bookingId = paid.facts.ownBookingId!;
    if (seats.length > 1 && paid.facts.isOwnPayer) {
      const payment = await readPayment(parts.db, { bookingId });
      // The response to an earlier call was lost, or that call has only just finished.
      if (payment && isPaymentOf(payment, seats) && isBooked(payment)) {
        return { outcome: 'booked', bookingId: payment.bookings[0]!.bookingId };
      }
    }
    throw await name(paid, refuseBooked(paid));
  }
  const payments = await readPayments(parts, own);
  const [payment] = payments;
  if (payments.length === 1 && isPaymentOf(payment!, seats) && payment!.amountCents === amountCents) {
    await consumeCardLookup(parts.db, customer.userId);
    const settlement = await settleForCustomer(parts, payment!, ipAddress);
    return payment!.isHoldOver && settlement.outcome === 'failed' ? 'released' : settlement;
  }
  for (const { bookingId } of payments) await endOther(parts, customer, bookingId);
  return 'released';
}

async function readPayments({ db }: BookingParts, own: RequestedSeat[]): Promise<PaymentRecord[]> {
  const payments: PaymentRecord[] = [];
  for (const { facts } of own) {
    const bookingId = facts.ownBookingId!;
    if (payments.some(({ bookings }) => bookings.some((one) => one.bookingId === bookingId))) continue;
    const payment = await readPayment(db, { bookingId });
    if (payment) payments.push(payment);
  }
  return payments;
}

/**
 * Whether a payment's bookings are those of these seats, no more and no fewer. The facts of the seats don't show this,
 * because some of them may have been read before another call held the seats.
 */
function isPaymentOf({ bookings }: PaymentRecord, seats: RequestedSeat[]): boolean {
  const keyOf = (seat: Pick<RequestedSeat, 'slotId' | 'participantId'>) =>
    `${seat.slotId} ${seat.participantId}`;
  const paid = new Set(bookings.map(keyOf));
  return paid.size === seats.length && seats.every((seat) => paid.has(keyOf(seat)));
}

const isBooked = ({ bookings }: PaymentRecord) =>
  bookings.every(({ bookingStatus }) => bookingStatus === 'booked');

/**
 * Ends an unfinished payment. A payment that has just succeeded stays, and the caller then finds its lessons booked.
 */
async function endOther(parts: BookingParts, customer: Person, bookingId: string): Promise<void> {
  try {
    await releaseBooking(parts, customer, bookingId);
  } catch (error) {
    if (!(error instanceof AppError && error.code === 'conflict')) throw error;
  }
}

function refuseBooked({ facts }: RequestedSeat): AppError {
  const name = dependantName(facts.participant);
  if (facts.ownStatus === 'pending') {
    return new AppError(
      'already_booked',
      `Another guardian is booking this lesson for ${name} at the moment.`,
    );
  }
  const message = name ? `${name} is already booked for this lesson.` : alreadyBookedText;
  return new AppError('already_booked', message, { details: { bookingId: facts.ownBookingId! } });
}
