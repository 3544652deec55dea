import { sql } from 'kysely';
import { nameAttendee } from '#domain/bookings/attendee-status.ts';
import { AppError } from '#domain/errors.ts';
import type { LessonNotes, NotedAttendee } from '#domain/progress/progress-shapes.ts';
import { isInSight, type ProgressParts, readAnswers, readNotes } from './read-notes.ts';
import { readSkillList } from './skill-lists.ts';

type AttendeeRow = Pick<
  NotedAttendee,
  'bookingId' | 'participantId' | 'fullName' | 'knownAs' | 'attended' | 'arePicturesAllowed'
>;

/**
 * The participants in one of this coach's lessons, with the notes, levels and answers about them that the coach can
 * see. Throws `not_found` for another coach's lesson.
 */
export async function readLessonNotes(
  parts: ProgressParts,
  coachId: string,
  slotId: string,
): Promise<LessonNotes> {
  const { db } = parts;
  const { rows: lessons } = await sql<Omit<LessonNotes, 'skills' | 'attendees'>>`
    select slot.slot_id, template.title, template.sport, slot.start_time, slot.end_time,
      slot.start_time <= now() as is_started
    from lesson_slots slot join lesson_templates template using (template_id)
    where slot.slot_id = ${slotId}::uuid and slot.coach_id = ${coachId}::uuid`.execute(db);
  const [lesson] = lessons;
  if (!lesson) throw new AppError('not_found', 'Lesson not found.');
  const { rows } = await sql<AttendeeRow>`
    select booking.booking_id, booking.participant_id, name_of_participant(participant) as full_name,
      participant.known_as, booking.attended, photos_allowed(booking.participant_id) as are_pictures_allowed
    from bookings booking join participants participant using (participant_id)
    where booking.slot_id = ${slotId}::uuid and booking.status in ('booked', 'attended')
      and participant.deleted_at is null
    order by lower(name_of_participant(participant)), booking.booking_id`.execute(db);
  const bookingIds = rows.map(({ bookingId }) => bookingId);
  const notes = await readNotes(parts, bookingIds, isInSight('note', coachId));
  const answers = await readAnswers(db, bookingIds, isInSight('answer', coachId));
  const skills = (await readSkillList(db, coachId)).filter(({ sport }) => sport === lesson.sport);
  const { rows: levels } = await sql<{ participantId: string; skillId: string; level: number }>`
    select distinct on (participant_id, skill_id) participant_id, skill_id, level from assessments assessment
    where participant_id = any(${rows.map(({ participantId }) => participantId)}::uuid[])
      and skill_id = any(${skills.map(({ skillId }) => skillId)}::uuid[]) and ${isInSight('assessment', coachId)}
    order by participant_id, skill_id, at desc, assessment_id`.execute(db);
  return {
    ...lesson,
    skills,
    attendees: rows.map((row) => ({
      ...row,
      fullName: nameAttendee(row.fullName),
      notes: notes.get(row.bookingId) ?? [],
      answer: answers.get(row.bookingId) ?? null,
      levels: levels
        .filter(({ participantId }) => participantId === row.participantId)
        .map(({ skillId, level }) => ({ skillId, level })),
    })),
  };
}
