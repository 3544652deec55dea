import { sql } from 'kysely';
import type { BookingStatus } from '#domain/bookings/rules.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import type { refuseNote } from '#domain/progress/rules.ts';
import type { Tx } from '#server/platform/db/db.ts';

export type TaughtBooking = {
  bookingId: string;
  slotId: string;
  participantId: string;
  sport: string;
  status: BookingStatus;
  attended: boolean | null;
  startTime: string;
  isInPayrun: boolean;
  /** The coach's business; null if there is none. */
  businessId: string | null;
};

/**
 * Locks a booking of one of this coach's lessons, so that the participant can't be erased and no payrun can claim the
 * booking in the meantime. Throws `not_found` for another coach's booking or a deleted participant.
 */
export async function lockTaughtBooking(tx: Tx, coachId: string, bookingId: string): Promise<TaughtBooking> {
  const { rows } = await sql<TaughtBooking>`
    select booking.booking_id, booking.slot_id, booking.participant_id, booking.sport, booking.status,
      booking.attended, slot.start_time, booking.is_in_payrun, coach.business_id
    from bookings booking
    join lesson_slots slot using (slot_id)
    join coaches coach on coach.coach_id = slot.coach_id
    join participants participant on participant.participant_id = booking.participant_id
    where booking.booking_id = ${bookingId}::uuid and slot.coach_id = ${coachId}::uuid
      and participant.deleted_at is null
    for update of booking for share of participant`.execute(tx);
  if (!rows[0]) throw new AppError('not_found', 'Booking not found.');
  return rows[0];
}

/**
 * Locks a booking that its coach can write about now. Throws `not_found` like {@link lockTaughtBooking}, and the
 * `conflict` of `refuse`.
 */
export async function lockWritableBooking(
  tx: Tx,
  coachId: string,
  bookingId: string,
  refuse: typeof refuseNote,
): Promise<TaughtBooking> {
  const booking = await lockTaughtBooking(tx, coachId, bookingId);
  assertAllowed(refuse(booking, Date.now()));
  return booking;
}
