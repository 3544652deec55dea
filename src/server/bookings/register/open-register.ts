import { type RawBuilder, sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { CareReader } from '#domain/accounts/care-contract.ts';
import { nameAttendee } from '#domain/bookings/attendee-status.ts';
import { refuseOpenRegister, registerHours, registerWindowOf } from '#domain/bookings/register.ts';
import type { RegisterEntry, RegisteredLesson, registerApi } from '#domain/bookings/register-contract.ts';
import type { OutputOf } from '#domain/endpoint.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import type { CareParts } from '#server/accounts/care/care-details.ts';
import { recordCareReads } from '#server/accounts/care/care-reads.ts';
import { locationObject } from '#server/catalogue/location-columns.ts';
import { longestLesson } from '#server/catalogue/queries.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import type { DataKeys } from '#server/platform/encryption.ts';
import {
  describeAttending,
  type ParticipantRow,
  participantColumns,
  participantJoins,
  readRowCare,
} from './attending-participants.ts';

type LessonRow = RegisteredLesson & { status: string; role: Exclude<CareReader, 'admin'> | null };

/** SQL: the role in which this person may open the registers of the slot `slot`; null if they may not. */
const roleOf = (userId: string) => sql`
  case when slot.coach_id = ${userId}::uuid then 'coach' else (
    select case when mine.business_role = 'owner' then 'owner' when mine.is_welfare_officer then 'welfare_officer' end
    from coaches mine join coaches theirs using (business_id)
    where mine.coach_id = ${userId}::uuid and theirs.coach_id = slot.coach_id
  ) end`;

const selectLessons = (userId: string, which: RawBuilder<unknown>) => sql<LessonRow>`
  select slot.slot_id, template.title, coach_public_name(coach) as coach_name, slot.start_time, slot.end_time,
    slot.status, ${locationObject('location')} as location, ${roleOf(userId)} as role
  from lesson_slots slot
  join lesson_templates template using (template_id)
  join profiles coach on coach.user_id = slot.coach_id
  left join locations location on location.location_id = slot.location_id
  where ${which} order by slot.start_time, slot.slot_id limit 500`;

const toLesson = ({ status: _, role: __, ...lesson }: LessonRow): RegisteredLesson => lesson;

/**
 * Everyone with a seat in a lesson, with their care details, for its coach and for the owners and welfare officers of
 * the coach's business. Records who opened whose care details. Throws `not_found` for anyone else, and `conflict` if
 * the lesson is cancelled, starts in more than 7 days or ended more than 24 hours ago.
 */
export function openRegister(
  { db, config }: CareParts,
  reader: Person,
  slotId: string,
): Promise<OutputOf<typeof registerApi.open>> {
  const { userId } = reader;
  return db.transaction().execute(async (tx) => {
    const { rows } = await selectLessons(userId, sql`slot.slot_id = ${slotId}::uuid`).execute(tx);
    const [lesson] = rows;
    if (!lesson?.role) throw new AppError('not_found', 'Lesson not found.');
    assertAllowed(refuseOpenRegister(lesson, Date.now()));
    const entries = await readEntries(tx, config.dataKeys, lesson);
    const opened = entries.filter(({ care }) => care !== null).map(({ participantId }) => participantId);
    await recordCareReads(tx, { userId, role: lesson.role, slotId }, opened);
    return { lesson: toLesson(lesson), visibleUntil: registerWindowOf(lesson).until, entries };
  });
}

async function readEntries(
  tx: Tx,
  dataKeys: DataKeys,
  { slotId, startTime }: RegisteredLesson,
): Promise<RegisterEntry[]> {
  const { rows } = await sql<ParticipantRow & { bookingId: string; attended: boolean | null }>`
    select booking.booking_id, booking.attended, ${participantColumns}
    from bookings booking ${participantJoins}
    where booking.slot_id = ${slotId}::uuid and booking.status in ('booked', 'attended')
    order by lower(name_of_participant(participant)), booking.booking_id`.execute(tx);
  return rows.map((row) => {
    const care = readRowCare(dataKeys, row);
    return {
      ...describeAttending(dataKeys, row, startTime),
      bookingId: row.bookingId,
      fullName: nameAttendee(row.participantName),
      firstAid: row.consents?.first_aid ?? null,
      attended: row.attended,
      care: care && { ...care, confirmedAt: row.careConfirmedAt! },
    };
  });
}

/** Colleagues' booked lessons whose registers this person can open now, in order of start. */
export async function listTeamRegisters(db: Database, userId: string): Promise<RegisteredLesson[]> {
  const { before, after } = registerHours;
  const { rows } = await selectLessons(
    userId,
    sql`slot.coach_id in (
        select theirs.coach_id from coaches mine join coaches theirs using (business_id)
        where mine.coach_id = ${userId}::uuid and theirs.coach_id <> mine.coach_id
          and (mine.business_role = 'owner' or mine.is_welfare_officer))
      and slot.status <> 'cancelled' and slot.booked_count > 0
      and slot.start_time <= now() + interval '1 hour' * ${sql.lit(before)}
      and slot.start_time > now() - interval '1 hour' * ${sql.lit(after)} - ${longestLesson}
      and slot.end_time >= now() - interval '1 hour' * ${sql.lit(after)}`,
  ).execute(db);
  return rows.map(toLesson);
}
