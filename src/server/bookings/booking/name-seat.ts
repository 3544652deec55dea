import { sql } from 'kysely';
import { AppError } from '#domain/errors.ts';
import { formatLessonTime } from '#domain/time.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { BookingFacts } from './booking-facts.ts';
import { dependantName } from './refuse-seat.ts';

type NamedSeat = { slotId: string; participantId: string; facts?: BookingFacts };

/**
 * Adds the seat to a refusal: the lesson and the dependant in the message, and the ids of the lesson and the
 * participant in the details.
 */
export async function nameSeat(db: Database, seat: NamedSeat, refusal: AppError): Promise<AppError> {
  const { slotId, participantId, facts } = seat;
  const details = { ...refusal.details, slotId, participantId };
  const lesson = await readLesson(db, seat);
  if (!lesson) return new AppError(refusal.code, refusal.message, { details });
  const name = dependantName(facts?.participant ?? null);
  const when = formatLessonTime(lesson.startTime, lesson.endTime, Date.now());
  const message = `“${lesson.title}” on ${when}${name ? ` for ${name}` : ''}: ${refusal.message}`;
  return new AppError(refusal.code, message, { details });
}

async function readLesson(db: Database, { slotId, facts }: NamedSeat) {
  if (facts?.title) return { ...facts, title: facts.title };
  return db
    .selectFrom('lessonSlots as slot')
    .innerJoin('lessonTemplates as template', 'template.templateId', 'slot.templateId')
    .select(['template.title', 'slot.startTime', 'slot.endTime'])
    .where('slotId', '=', slotId)
    .executeTakeFirst();
}

/** A lesson of a participant at the time of a requested seat. `index` is the position of that seat, from 0. */
type Clash = {
  index: number;
  bookingId: string;
  slotId: string;
  startTime: string;
  endTime: string;
  title: string;
};

/** Finds the first active booking that overlaps one of these seats and has the same participant. */
export async function findClash(db: Database, seats: NamedSeat[]): Promise<Clash | undefined> {
  const { rows } = await sql<Clash>`
    select request.position::int - 1 as index, booking.booking_id, booking.slot_id, slot.start_time, slot.end_time,
      booking.title
    from unnest(${seats.map(({ slotId }) => slotId)}::uuid[],
        ${seats.map(({ participantId }) => participantId)}::uuid[])
      with ordinality as request (slot_id, participant_id, position)
    join lesson_slots requested on requested.slot_id = request.slot_id
    join bookings booking on booking.participant_id = request.participant_id and booking.is_active
      and booking.during && tstzrange(requested.start_time, requested.end_time)
    join lesson_slots slot on slot.slot_id = booking.slot_id
    order by request.position, slot.start_time limit 1`.execute(db);
  return rows[0];
}

/** The refusal of a seat whose participant has another lesson at that time. */
export function refuseClash(seat: Required<NamedSeat>, { bookingId, title, startTime, endTime }: Clash) {
  const name = dependantName(seat.facts.participant);
  const when = formatLessonTime(startTime, endTime, Date.now());
  return new AppError(
    'overlap',
    `${name ? `${name} already has` : 'You already have'} “${title}” on ${when} (London time), which is at the same time. You have not been charged.`,
    { details: { bookingId } },
  );
}

/** The refusal of a checkout in which one person has two lessons at the same time, or the same lesson twice. */
export function refuseOverlap([one, other]: [Required<NamedSeat>, Required<NamedSeat>]): AppError {
  const { slotId, participantId } = other;
  const name = dependantName(other.facts.participant);
  const titles = [one, other].map(({ facts }) => `“${facts.title}”`).join(' and ');
  const message =
    one.slotId === slotId
      ? `You can book “${other.facts.title}” only once for ${name ?? 'yourself'}.`
      : `${titles} are at the same time, so ${name ?? 'you'} can't take part in both.`;
  return new AppError('overlap', `${message} You have not been charged.`, {
    details: { slotId, participantId },
  });
}
