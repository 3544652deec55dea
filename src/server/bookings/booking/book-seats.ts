import type { Person } from '#domain/access.ts';
import { findOverlap } from '#domain/bookings/checkout.ts';
import type { SeatToBook } from '#domain/bookings/checkout-contract.ts';
import { AppError } from '#domain/errors.ts';
import { noParticipant } from '#server/accounts/participants/read-participants.ts';
import { readDatabaseFailure } from '#server/platform/db/database-failure.ts';
import { type Database, isViolation } from '#server/platform/db/db.ts';
import { continuePayment, type NameRefusal } from '../payment/continue-payment.ts';
import type { PaymentRecord } from '../payment/payment-records.ts';
import type { BookingFacts, ReadBookingFacts } from './booking-facts.ts';
import { holdSeats } from './hold-seat.ts';
import { findClash, nameSeat, refuseClash, refuseOverlap } from './name-seat.ts';
import { refuseCharge, refuseParticipant, refuseSlot, slotFull, tooFewSeats } from './refuse-seat.ts';
import { type BookingParts, type Settlement, settleForCustomer } from './settle-booking.ts';

type Parts = BookingParts & { readFacts: ReadBookingFacts };
/** A seat as requested, with the facts read about it. */
type Seat = Omit<SeatToBook, 'participantId'> & { participantId: string; facts: BookingFacts };

/**
 * Books up to six seats for the customer and dependants with one payment, all or none: takes the seats, charges the
 * saved card and confirms the bookings. A second call for the same seats continues their payment; a seat that the
 * customer is already paying for with another payment is released first. `baseAmountCents`, `startTime` and `location`
 * of a seat are the values that the customer saw. Throws `not_found`, `slot_unavailable`, `conflict` for the coach's
 * own lesson, `time_changed`, `price_changed` (details.priceCents), `slot_full`, `location_changed`, `no_card`,
 * `overlap`, `already_booked` (details.bookingId), `age_range`, `care_needed`, `unavailable` if another unfinished
 * payment for a seat can't be ended yet, and `too_many_requests` after many bookings, failed payments or unfinished
 * payments. If there are several seats, a refusal that concerns one of them names that seat.
 */
export async function bookSeats(
  parts: Parts,
  customer: Person,
  requested: SeatToBook[],
  ipAddress: string,
): Promise<Settlement> {
  const { db } = parts;
  const { userId } = customer;
  const amountCents = requested.reduce((sum, { baseAmountCents }) => sum + baseAmountCents, 0);
  const name: NameRefusal = async (seat, refusal) =>
    requested.length > 1 ? nameSeat(db, seat, refusal) : refusal;
  let seats: Seat[] = [];
  for (let attempt = 1; attempt <= 3; attempt++) {
    seats = await readSeats(parts, userId, requested, ipAddress, name);
    const continued = await continuePayment(parts, customer, { seats, amountCents, ipAddress }, name);
    if (continued === 'released') continue;
    if (continued) return continued;
    await refuse(seats, userId, amountCents, name);
    const payment = await tryToHold(db, userId, seats, name);
    if (payment) return settleForCustomer(parts, payment, ipAddress);
    // A slot or the customer's bookings changed after they were read and before the conditional update. The next pass
    // reads them again and reports the change.
  }
  const scarcest = seats.reduce((one, other) => (other.facts.freeSeats < one.facts.freeSeats ? other : one));
  throw await name(scarcest, slotFull());
}

function readSeats(
  { readFacts }: Parts,
  userId: string,
  requested: SeatToBook[],
  ipAddress: string,
  name: NameRefusal,
): Promise<Seat[]> {
  return Promise.all(
    requested.map(async ({ participantId = userId, ...seat }) => {
      const facts = await readFacts({ slotId: seat.slotId, userId, participantId, ipAddress });
      if (!facts)
        throw await name({ ...seat, participantId }, new AppError('not_found', 'Lesson not found.'));
      if (participantId !== userId && !facts.participant) throw noParticipant();
      return { ...seat, participantId, facts };
    }),
  );
}

/**
 * Throws for the first seat that can't be booked, if the total can't be charged, or if one person's lessons overlap.
 */
async function refuse(seats: Seat[], userId: string, amountCents: number, name: NameRefusal): Promise<void> {
  for (const [index, seat] of seats.entries()) {
    const { slotId, participantId, facts } = seat;
    try {
      refuseSlot(facts, userId, seat);
      const inSlot = seats.filter((other) => other.slotId === slotId);
      if (inSlot.length > 1 && inSlot.indexOf(seat) >= facts.freeSeats) {
        throw tooFewSeats(facts.freeSeats, inSlot.length);
      }
      if (index === 0) refuseCharge(facts, amountCents);
      refuseParticipant(facts, participantId);
    } catch (error) {
      throw error instanceof AppError && !isOfCharge(error) ? await name(seat, error) : error;
    }
  }
  const overlap = findOverlap(
    seats.map((seat) => ({ ...seat, startTime: seat.facts.startTime, endTime: seat.facts.endTime })),
  );
  if (overlap) throw refuseOverlap(overlap);
}

/** Whether a refusal concerns the whole charge and not one seat. */
const isOfCharge = ({ code }: AppError): boolean => code === 'no_card' || code === 'too_many_requests';

/**
 * Tries to hold the seats. Returns null if the caller must read the slots again and retry, because the seats could not
 * be held or another request from the same customer came first.
 */
async function tryToHold(
  db: Database,
  userId: string,
  seats: Seat[],
  name: NameRefusal,
): Promise<PaymentRecord | null> {
  try {
    return await holdSeats(db, userId, seats);
  } catch (error) {
    if (isViolation(error, 'bookings_one_active_per_slot')) return null;
    // PostgreSQL has aborted this transaction because of a deadlock. The other transaction may be retaking a seat for a
    // late payment by the same customer, or be another guardian's checkout for the same children.
    if ((error as { code?: string }).code === '40P01') return null;
    if (!isViolation(error, 'bookings_customer_never_overlap')) {
      // Nothing is charged before the seats are held.
      throw readDatabaseFailure(error, 'You have not been charged.') ?? error;
    }
    const clash = await findClash(db, seats);
    const seat = clash && seats[clash.index]!;
    if (!seat || clash.slotId === seat.slotId) return null;
    throw await name(seat, refuseClash(seat, clash));
  }
}
