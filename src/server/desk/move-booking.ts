import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { BookingStatus } from '#domain/bookings/rules.ts';
import { type AgeRange, refuseAge } from '#domain/catalogue/ages.ts';
import type { deskApi } from '#domain/desk/contract.ts';
import type { OtherDate } from '#domain/desk/desk-booking.ts';
import { refuseDate, refuseMoveBooking } from '#domain/desk/rules.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { locationObject } from '#server/catalogue/location-columns.ts';
import { isMinorUncovered } from '#server/catalogue/uncovered-minors.ts';
import { recordAudit } from '#server/platform/audit.ts';
import { type Database, isViolation, type Tx } from '#server/platform/db/db.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { takesBookings } from '#server/verification/seat-conditions.ts';

type Move = ParsedInputOf<typeof deskApi.move>;

/**
 * Moves a booking to another date of the same lesson, at the price that was paid. A cancelled booking that was not
 * refunded in full is booked again. Seats, booking and the job for the emails commit together. Throws `not_found`,
 * `slot_full`, `slot_unavailable`, `already_booked`, `overlap`, `age_range`, and `conflict` if the booking can't move.
 */
export async function moveBooking(db: Database, admin: Person, move: Move): Promise<void> {
  try {
    await db.transaction().execute((tx) => tryToMove(tx, admin, move));
  } catch (error) {
    if (isViolation(error, 'bookings_one_active_per_slot')) {
      throw new AppError('already_booked', 'This person already has a place on that date.');
    }
    if (isViolation(error, 'bookings_customer_never_overlap')) {
      throw new AppError('overlap', 'This person has another lesson at that time.');
    }
    throw error;
  }
}

async function tryToMove(tx: Tx, admin: Person, { bookingId, slotId }: Move): Promise<void> {
  // Slots are locked in ascending order everywhere.
  const { rows: locked } = await sql<{ slotId: string }>`
    select slot_id from lesson_slots
    where slot_id in (${slotId}::uuid, (select slot_id from bookings where booking_id = ${bookingId}::uuid))
    order by slot_id for no key update`.execute(tx);
  const booking = await lockBooking(tx, bookingId);
  if (!booking) throw new AppError('not_found', 'Booking not found.');
  if (!locked.some((slot) => slot.slotId === booking.slotId)) {
    throw new AppError('conflict', 'This booking has just moved. Please check it again.');
  }
  const now = Date.now();
  assertAllowed(refuseMoveBooking(booking, now));
  if (!(await lockParticipant(tx, booking.participantId))) {
    throw new AppError('conflict', "This person's details have been deleted, so they can't take part.");
  }
  const date = await readDate(tx, bookingId, slotId);
  if (!date) throw new AppError('not_found', 'Lesson not found.');
  assertAllowed(refuseDate(booking, date, now));
  const isRebooked = booking.status !== 'booked';
  refuseParticipant(date, isRebooked);
  await writeMove(tx, booking, slotId);
  const from = { startTime: booking.startTime, endTime: booking.endTime };
  const { rows } = await sql<{ version: string }>`select now()::text as version`.execute(tx);
  await enqueue(tx, 'bookings.moved-by-admin', { bookingId, from, isRebooked, version: rows[0]!.version });
  await recordAudit(tx, admin, {
    action: isRebooked ? 'booking.rebooked' : 'booking.moved',
    subjectType: 'booking',
    subjectId: bookingId,
    before: { status: booking.status, slotId: booking.slotId, startTime: booking.startTime },
    after: { status: 'booked', slotId, startTime: date.startTime },
  });
}

type Locked = {
  bookingId: string;
  slotId: string;
  participantId: string;
  status: BookingStatus;
  startTime: string;
  endTime: string;
  isInPayrun: boolean;
  chargedCents: number;
  refundedCents: number;
};

async function lockBooking(tx: Tx, bookingId: string): Promise<Locked | undefined> {
  const { rows } = await sql<Locked>`
    select booking_id, slot_id, participant_id, status, lower(during) as start_time, upper(during) as end_time, is_in_payrun,
      charged_cents, refunded_cents
    from bookings where booking_id = ${bookingId}::uuid for update`.execute(tx);
  return rows[0];
}

/** Locks the participant, so that they are not deleted before the commit. False if they have been deleted already. */
async function lockParticipant(tx: Tx, participantId: string): Promise<boolean> {
  const { rows } = await sql`
    select participant_id from participants where participant_id = ${participantId}::uuid and deleted_at is null
    for key share`.execute(tx);
  return rows.length > 0;
}

async function readDate(tx: Tx, bookingId: string, slotId: string) {
  const { rows } = await sql<
    AgeRange & {
      slotId: string;
      status: string;
      startTime: string;
      isOpen: boolean;
      isSameLesson: boolean;
      isMinorUncovered: boolean;
      takesBookings: boolean;
      participant: { name: string; dateOfBirth: string | null };
      isLetIn: boolean;
    }
  >`
    select date.slot_id, date.status, date.start_time, date.is_open,
      (date.template_id, date.coach_id) = (slot.template_id, slot.coach_id) as is_same_lesson,
      ${isMinorUncovered('coach', 'date', sql`booking.participant_id`)} as is_minor_uncovered,
      ${takesBookings('coach')} as takes_bookings, date.min_age, date.max_age, date.age_date,
      jsonb_build_object('name', name_of_participant(participant), 'dateOfBirth', participant.date_of_birth) as participant,
      exists (select from age_requests where age_requests.template_id = date.template_id
        and age_requests.participant_id = participant.participant_id and age_requests.status = 'allowed') as is_let_in
    from lesson_slots date join coaches coach on coach.coach_id = date.coach_id,
      bookings booking join lesson_slots slot using (slot_id) join participants participant using (participant_id)
    where date.slot_id = ${slotId}::uuid and booking.booking_id = ${bookingId}::uuid`.execute(tx);
  return rows[0];
}

/**
 * Applies a new booking's checks of the coach and of the participant's age. A booking that only moves is not new, so
 * its coach doesn't have to be taking bookings.
 */
function refuseParticipant(
  date: NonNullable<Awaited<ReturnType<typeof readDate>>>,
  isRebooked: boolean,
): void {
  if (isRebooked && !date.takesBookings) {
    throw new AppError('slot_unavailable', "This coach isn't taking bookings at the moment.");
  }
  if (date.isMinorUncovered) {
    throw new AppError('age_range', "This coach can't teach people under 18 on that date at the moment.");
  }
  // An admin reads about the person by name, even if the person booked for themselves.
  if (!date.isLetIn) assertAllowed(refuseAge({ ...date.participant, kind: 'dependant' }, date));
}

/** Both slots and the booking must be locked. */
async function writeMove(tx: Tx, booking: Locked, slotId: string): Promise<void> {
  if (booking.status === 'booked') {
    await sql`
      update lesson_slots set booked_count = booked_count - 1 where slot_id = ${booking.slotId}::uuid`.execute(
      tx,
    );
  }
  // A calendar invitation after a cancellation needs a higher sequence number, even if the date is the same.
  const { rows } = await sql`
    with slot as (
      update lesson_slots set booked_count = booked_count + 1
      where slot_id = ${slotId}::uuid and status = 'scheduled' and start_time > now() and booked_count < max_capacity
        and exists (select from coaches coach where coach.coach_id = lesson_slots.coach_id
          and (${booking.status === 'booked'} or ${takesBookings('coach')})
          and not ${isMinorUncovered('coach', 'lesson_slots', sql`${booking.participantId}::uuid`)})
      returning slot_id, start_time, end_time, location_id
    )
    update bookings booking
    set slot_id = slot.slot_id, status = 'booked', during = tstzrange(slot.start_time, slot.end_time),
      location = (select describe_location(held_at) from locations held_at
        where held_at.location_id = slot.location_id),
      moved_from = null, relocated_from = null, cancelled_at = null, cancelled_by = null, attended = null,
      sequence = booking.sequence + 1
    from slot
    where booking.booking_id = ${booking.bookingId}::uuid
    returning booking.booking_id`.execute(tx);
  if (rows.length === 0) throw new AppError('conflict', 'That date has just changed. Please check it again.');
}

/**
 * The next 50 dates of a booking's lesson that have a free seat; a cancelled booking's own date can be one of them.
 * Throws `not_found`.
 */
export async function listOtherDates(
  db: Database,
  bookingId: string,
): Promise<OutputOf<typeof deskApi.listOtherDates>> {
  const booking = await db
    .selectFrom('bookings')
    .innerJoin('lessonSlots as slot', 'slot.slotId', 'bookings.slotId')
    .select(['slot.slotId', 'slot.templateId', 'slot.coachId', 'bookings.isActive'])
    .where('bookingId', '=', bookingId)
    .executeTakeFirst();
  if (!booking) throw new AppError('not_found', 'Booking not found.');
  const { rows } = await sql<OtherDate>`
    select slot.slot_id, slot.start_time, slot.end_time, slot.price_cents,
      slot.max_capacity - slot.booked_count as seats_left,
      (select ${locationObject('locations')} from locations where location_id = slot.location_id) as location
    from lesson_slots slot
    where slot.template_id = ${booking.templateId}::uuid and slot.coach_id = ${booking.coachId}::uuid
      and slot.status = 'scheduled' and slot.is_open and slot.start_time > now()
      and (not ${booking.isActive}::boolean or slot.slot_id <> ${booking.slotId}::uuid)
    order by slot.start_time
    limit 50`.execute(db);
  return { dates: rows };
}
