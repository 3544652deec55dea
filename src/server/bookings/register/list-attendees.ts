import { sql } from 'kysely';
import { attendeeStatuses } from '#domain/bookings/attendee-status.ts';
import type { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import type { BookingStatus } from '#domain/bookings/rules.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { DataKeys } from '#server/platform/encryption.ts';
import {
  describeAttending,
  type ParticipantRow,
  participantColumns,
  participantJoins,
} from './attending-participants.ts';

type AttendeeRow = ParticipantRow & {
  bookingId: string;
  status: BookingStatus;
  amountCents: number;
  refundedCents: number;
  attended: boolean | null;
  bookedAt: string;
  email: string;
  avatarUrl: string | null;
};

/**
 * Everyone who has booked a slot, including people who cancelled, in order of booking. Throws `not_found` for another
 * coach's slot.
 */
export async function listAttendees(
  db: Database,
  dataKeys: DataKeys,
  { coachId, slotId }: { coachId: string; slotId: string },
): Promise<OutputOf<typeof lessonsApi.listAttendees>['attendees']> {
  const slot = await db
    .selectFrom('lessonSlots')
    .select('startTime')
    .where('slotId', '=', slotId)
    .where('coachId', '=', coachId)
    .executeTakeFirst();
  if (!slot) throw new AppError('not_found', 'Lesson not found.');
  const { rows } = await sql<AttendeeRow>`
    select booking.booking_id, booking.status, booking.amount_cents, booking.refunded_cents, booking.attended,
      booking.booked_at, payer.email, case when participant.kind = 'self' then payer.avatar_url end as avatar_url,
      ${participantColumns}
    from bookings booking ${participantJoins}
    where booking.slot_id = ${slotId}::uuid and booking.status = any(${attendeeStatuses})
    order by booking.booked_at, booking.booking_id`.execute(db);
  return rows.map((row) => {
    const { bookingId, status, amountCents, refundedCents, attended, bookedAt, email, avatarUrl } = row;
    // For a cancelled or refunded booking, the participant's age, care details and consents are left out.
    const isComing = status === 'booked' || status === 'attended';
    const shown = isComing ? row : { ...row, dateOfBirth: null, careEncrypted: null, consents: null };
    return {
      ...describeAttending(dataKeys, shown, slot.startTime),
      ...{ bookingId, status, amountCents, refundedCents, attended, bookedAt, email, avatarUrl },
      fullName: row.participantName || null,
    };
  });
}
