import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { BookingStatus } from '#domain/bookings/rules.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import type { progressApi } from '#domain/progress/contract.ts';
import { refuseAnswer } from '#domain/progress/rules.ts';
import { participantsOf } from '#server/accounts/participants/read-participants.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/db/db.ts';

type Row = {
  participantId: string;
  coachId: string;
  businessId: string | null;
  status: BookingStatus;
  attended: boolean | null;
  endTime: string;
};

/**
 * Saves or replaces a family's answer about how a lesson went. Outside the family, only the lesson's coach sees it.
 * Throws `not_found` unless the person is the participant or a guardian, and `conflict` before the lesson ends, for a
 * booking that was cancelled or never paid, or if the coach marked the participant as absent.
 */
export function answerLesson(
  db: Database,
  person: Person,
  { bookingId, rating, body }: ParsedInputOf<typeof progressApi.answer>,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<Row>`
      select booking.participant_id, slot.coach_id, coach.business_id, booking.status, booking.attended, slot.end_time
      from bookings booking
      join lesson_slots slot using (slot_id)
      join coaches coach on coach.coach_id = slot.coach_id
      join participants participant on participant.participant_id = booking.participant_id
      where booking.booking_id = ${bookingId}::uuid and participant.deleted_at is null
        and booking.participant_id = any(${participantsOf(person.userId)})
      for share of participant`.execute(tx);
    if (!rows[0]) throw new AppError('not_found', 'Booking not found.');
    const { participantId, coachId, businessId, ...lesson } = rows[0];
    assertAllowed(refuseAnswer(lesson, Date.now()));
    const answer = { rating, body, answeredBy: person.userId, answeredAt: sql<string>`now()` };
    await tx
      .insertInto('lessonAnswers')
      .values({ bookingId, participantId, coachId, businessId, ...answer })
      .onConflict((conflict) => conflict.column('bookingId').doUpdateSet(answer))
      .execute();
    await recordAudit(tx, person, {
      action: 'lesson.answered',
      subjectType: 'booking',
      subjectId: bookingId,
    });
  });
}
