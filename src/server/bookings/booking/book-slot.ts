import type { Person } from '#domain/access.ts';
import { refuseWithoutCare } from '#domain/accounts/care.ts';
import { refuseBook } from '#domain/bookings/rules.ts';
import { refuseAge } from '#domain/catalogue/ages.ts';
import type { Location } from '#domain/catalogue/contract.ts';
import { isSameLocation } from '#domain/catalogue/location.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { formatLocation } from '#domain/location-text.ts';
import { formatPounds } from '#domain/money.ts';
import { formatLessonTime } from '#domain/time.ts';
import { noParticipant } from '#server/accounts/participants/read-participants.ts';
import { consumeCardLookup, refusePausedAddress } from '#server/payments/card-limits.ts';
import { readDatabaseFailure } from '#server/platform/db/database-failure.ts';
import { type Database, isViolation } from '#server/platform/db/db.ts';
import type { BookingFacts, BookingParticipant, ReadBookingFacts } from './booking-facts.ts';
import { holdSeat, type RequestedSeat } from './hold-seat.ts';
import { type PaymentRecord, readPayment } from './payment-records.ts';
import { type BookingParts, type Settlement, settleForCustomer } from './settle-booking.ts';

/** The details that the customer was shown. If a client omits the time or the location, the current value applies. */
type Shown = {
  baseAmountCents: number;
  startTime?: string | undefined;
  location?: Location | null | undefined;
};

/**
 * Books a slot for the customer or a dependant: takes the seat, charges the saved card and confirms the booking. A
 * second call for a slot that the customer is already booking for the same participant continues that booking.
 * `baseAmountCents`, `startTime` and `location` are the values that the customer was shown. Throws `not_found`,
 * `slot_unavailable`, `conflict` for the coach's own lesson, `time_changed`, `price_changed` (details.priceCents),
 * `slot_full`, `location_changed`, `no_card`, `overlap`, `already_booked` (details.bookingId), `age_range`,
 * `care_needed`, and `too_many_requests` after many bookings, failed payments or unfinished payments.
 */
export async function bookSlot(
  parts: BookingParts & { readFacts: ReadBookingFacts },
  customer: Person,
  {
    slotId,
    participantId = customer.userId,
    ipAddress,
    ...shown
  }: { slotId: string; participantId?: string | undefined; ipAddress: string } & Shown,
): Promise<Settlement> {
  const { db, readFacts } = parts;
  const { userId } = customer;
  for (let attempt = 1; ; attempt++) {
    const facts = await readFacts({ slotId, userId, participantId, ipAddress });
    if (!facts) throw new AppError('not_found', 'Lesson not found.');
    if (participantId !== userId && !facts.participant) throw noParticipant();
    if (facts.ownBookingId) {
      const continued = await continueBooking(parts, facts, facts.ownBookingId, ipAddress);
      if (continued) return continued;
    }
    refuse(facts, userId, shown);
    refuseParticipant(facts, participantId);
    const payment = await tryToHold(db, userId, { slotId, participantId, facts });
    if (payment) return settleForCustomer(parts, payment, ipAddress);
    // The slot or the customer's bookings changed after they were read and before the conditional update. The next pass
    // reads them again and reports the change.
    if (attempt === 3) throw slotFull();
  }
}

function refuse(facts: BookingFacts, userId: string, shown: Shown): void {
  assertAllowed(refuseBook(facts, userId, Date.now()));
  const { priceCents, startTime, endTime, location } = facts;
  if (shown.startTime && Date.parse(shown.startTime) !== Date.parse(startTime)) {
    const when = formatLessonTime(startTime, endTime, Date.now());
    throw new AppError(
      'time_changed',
      `The coach has moved this lesson to ${when} (London time). You have not been charged.`,
      { details: { startTime, endTime } },
    );
  }
  if (priceCents !== shown.baseAmountCents) {
    throw new AppError(
      'price_changed',
      `The price of this lesson is now ${formatPounds(priceCents)}. You have not been charged.`,
      { details: { priceCents } },
    );
  }
  if (!facts.isOpen) throw slotFull();
  if (shown.location !== undefined && !isSameLocation(shown.location, location)) {
    throw new AppError(
      'location_changed',
      `The coach has changed the location of this lesson. New location: ${formatLocation(location)}. You have not been charged.`,
      { details: { location } },
    );
  }
  const hasCard = facts.stripeCustomerId && facts.stripePaymentMethodId;
  if (priceCents > 0 && !hasCard) {
    throw new AppError('no_card', 'Add a card first, then book the lesson.');
  }
  if (priceCents > 0) refusePausedAddress(facts.addressWaitMs);
}

/** Refuses a participant outside the age range, and a dependant whose care details are not up to date. */
function refuseParticipant(facts: BookingFacts, participantId: string): void {
  const { participant } = facts;
  if (!participant) return;
  const refusal = participant.isLetIn ? null : refuseAge(participant, facts);
  if (refusal) {
    const isDateOfBirthMissing = participant.dateOfBirth === null;
    throw new AppError(refusal.code, refusal.message, {
      details: { participantId, isDateOfBirthMissing, canAsk: !isDateOfBirthMissing },
    });
  }
  const careRefusal = refuseWithoutCare(participant, Date.now());
  if (careRefusal) throw new AppError(careRefusal.code, careRefusal.message, { details: { participantId } });
}

const slotFull = () =>
  new AppError('slot_full', 'Sorry, the last place has just gone. You have not been charged.');

/**
 * Continues the customer's booking of this slot for this participant. Returns null if its hold has expired and the
 * booking was released, so that the caller can make a new booking.
 */
async function continueBooking(
  parts: BookingParts,
  facts: BookingFacts,
  bookingId: string,
  ipAddress: string,
): Promise<Settlement | null> {
  if (!facts.isOwnPayer && facts.ownStatus === 'pending') {
    throw new AppError(
      'already_booked',
      `${facts.participant!.name} is being booked by another guardian just now.`,
    );
  }
  if (facts.ownStatus !== 'pending') {
    const message =
      facts.participant && isDependant(facts.participant)
        ? `${facts.participant.name} is already booked for this lesson.`
        : "You've already booked this lesson.";
    throw new AppError('already_booked', message, { details: { bookingId } });
  }
  const payment = (await readPayment(parts.db, { bookingId }))!;
  await consumeCardLookup(parts.db, payment.customerUserId);
  const settlement = await settleForCustomer(parts, payment, ipAddress);
  return facts.isOwnHoldOver && settlement.outcome === 'failed' ? null : settlement;
}

/**
 * Tries to hold a seat. Returns null if the caller must read the slot again and retry, because the seat could not be
 * held or another request from the same customer came first.
 */
async function tryToHold(db: Database, userId: string, seat: RequestedSeat): Promise<PaymentRecord | null> {
  try {
    return await holdSeat(db, userId, seat);
  } catch (error) {
    if (isViolation(error, 'bookings_one_active_per_slot')) return null;
    // PostgreSQL has aborted this transaction because of a deadlock, perhaps with a late payment by the same customer
    // that was taking its seat again.
    if ((error as { code?: string }).code === '40P01') return null;
    if (!isViolation(error, 'bookings_customer_never_overlap')) {
      // Nothing is charged before the seat is held.
      throw readDatabaseFailure(error, 'You have not been charged.') ?? error;
    }
    const clash = await findClash(db, seat);
    if (!clash || clash.slotId === seat.slotId) return null;
    const { participant } = seat.facts;
    const who =
      participant && isDependant(participant) ? `${participant.name} already has` : 'You already have';
    const when = formatLessonTime(clash.startTime, clash.endTime, Date.now());
    throw new AppError(
      'overlap',
      `${who} “${clash.title}” on ${when} (London time), which is at the same time. You have not been charged.`,
      { details: { bookingId: clash.bookingId } },
    );
  }
}

const isDependant = ({ kind }: BookingParticipant) => kind === 'dependant';

function findClash(db: Database, { slotId, participantId }: RequestedSeat) {
  return db
    .selectFrom('bookings as booking')
    .innerJoin('lessonSlots as slot', 'slot.slotId', 'booking.slotId')
    .innerJoin('lessonSlots as wanted', (join) =>
      join
        .onRef('slot.startTime', '<', 'wanted.endTime')
        .onRef('slot.endTime', '>', 'wanted.startTime')
        .on('wanted.slotId', '=', slotId),
    )
    .select(['booking.bookingId', 'slot.slotId', 'slot.startTime', 'slot.endTime', 'booking.title'])
    .where('booking.participantId', '=', participantId)
    .where('booking.isActive', '=', true)
    .orderBy('slot.startTime')
    .executeTakeFirst();
}
