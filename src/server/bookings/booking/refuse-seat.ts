import { refuseWithoutCare } from '#domain/accounts/care.ts';
import { refuseBook } from '#domain/bookings/rules.ts';
import { refuseAge } from '#domain/catalogue/ages.ts';
import type { Location } from '#domain/catalogue/contract.ts';
import { isSameLocation } from '#domain/catalogue/location.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { formatLocation } from '#domain/location-text.ts';
import { formatPounds } from '#domain/money.ts';
import { formatLessonTime } from '#domain/time.ts';
import { refusePausedAddress } from '#server/payments/card-limits.ts';
import type { BookingFacts, BookingParticipant } from './booking-facts.ts';

/** The details that the customer saw. If a client omits the time or the location, the current value applies. */
type Shown = {
  baseAmountCents: number;
  startTime?: string | undefined;
  location?: Location | null | undefined;
};

/** Throws if this customer can't book this slot as it was shown. */
export function refuseSlot(facts: BookingFacts, userId: string, shown: Shown): void {
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
}

/** Throws if an amount above zero can't be charged: there is no card, or the IP address's payments are paused. */
export function refuseCharge(facts: BookingFacts, amountCents: number): void {
  if (amountCents === 0) return;
  if (!facts.stripeCustomerId || !facts.stripePaymentMethodId) {
    throw new AppError('no_card', 'Add a card first, then book the lesson.');
  }
  refusePausedAddress(facts.addressWaitMs);
}

/**
 * Refuses a participant under 18 whom the coach's checks don't cover (without naming a document), a participant outside
 * the age range, and a dependant whose care details aren't up to date.
 */
export function refuseParticipant(facts: BookingFacts, participantId: string): void {
  const { participant } = facts;
  if (facts.isMinorUncovered) {
    const whom = participant?.kind === 'dependant' ? participant.name : 'people under 18';
    const message = `This coach can't teach ${whom} in this lesson at the moment. You have not been charged.`;
    throw new AppError('age_range', message, {
      details: { participantId, isDateOfBirthMissing: false, canAsk: false },
    });
  }
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

export const slotFull = () =>
  new AppError('slot_full', 'Sorry, the last place has just gone. You have not been charged.');

/** The refusal of a checkout that needs more seats in one lesson than are left. */
export const tooFewSeats = (freeSeats: number, requested: number) =>
  new AppError(
    'slot_full',
    `Sorry, this lesson has only ${freeSeats} ${freeSeats === 1 ? 'place' : 'places'} left, and you asked for ${requested}. You have not been charged.`,
    { details: { freeSeats } },
  );

/** The name of a dependant; null for the customer. */
export const dependantName = (participant: BookingParticipant | null): string | null =>
  participant?.kind === 'dependant' ? participant.name : null;
