import { type RawBuilder, sql } from 'kysely';
import type { BookingStatus } from '#domain/bookings/rules.ts';
import { AppError } from '#domain/errors.ts';
import type { Goal, Progress, ProgressLesson, SkillProgress } from '#domain/progress/progress-shapes.ts';
import { refuseAnswer } from '#domain/progress/rules.ts';
import { assertMayActFor } from '#server/accounts/participants/read-participants.ts';
import type { Database } from '#server/platform/db/db.ts';
import { cutPage, readPageCursor, rowsOfPage } from '#server/platform/db/page-cursor.ts';
import { isInSight, type ProgressParts, readAnswers, readNotes } from './read-notes.ts';

type Page = { participantId: string; cursor?: string | undefined; limit: number };

/**
 * The parts of a participant's progress that a reader sees, as SQL conditions on the aliases `slot`, `goal`,
 * `assessment`, `note` and `answer`.
 */
type Sight = {
  lessons: RawBuilder<unknown>;
  written: (row: string) => RawBuilder<unknown>;
  notes: RawBuilder<unknown>;
  answers: RawBuilder<unknown>;
};

/** A page of a participant's progress for the participant or a guardian; throws `not_found` for anyone else. */
export async function readFamilyProgress(
  parts: ProgressParts,
  userId: string,
  page: Page,
): Promise<Progress> {
  await assertMayActFor(parts.db, userId, page.participantId);
  const progress = await readProgress(parts, page, {
    lessons: sql`true`,
    written: () => sql`true`,
    notes: sql`note.is_shared`,
    answers: sql`true`,
  });
  return progress;
}

/**
 * A page of a participant's progress for a coach: the coach's own lessons with what the coach wrote, including private
 * notes, and the family's answers. Throws `not_found` for a participant without a booking of the coach's lessons, past
 * or upcoming.
 */
export async function readTaughtProgress(
  parts: ProgressParts,
  coachId: string,
  page: Page,
): Promise<Progress> {
  const { rows } = await sql`
    select from bookings booking join lesson_slots slot using (slot_id)
    join participants participant using (participant_id)
    where booking.participant_id = ${page.participantId}::uuid and slot.coach_id = ${coachId}::uuid
      and booking.status in ('booked', 'attended') and participant.deleted_at is null limit 1`.execute(
    parts.db,
  );
  if (!rows[0]) throw new AppError('not_found', "You haven't taught this person.");
  const progress = await readProgress(parts, page, {
    lessons: sql`slot.coach_id = ${coachId}::uuid`,
    written: (row) => isInSight(row, coachId),
    notes: isInSight('note', coachId),
    answers: isInSight('answer', coachId),
  });
  return {
    ...progress,
    lessons: progress.lessons.map((lesson) => ({ ...lesson, isAnswerable: false })),
  };
}

type LessonRow = Omit<ProgressLesson, 'notes' | 'answer' | 'isAnswerable'> & {
  status: BookingStatus;
  pageTime: string;
};

async function readProgress(
  parts: ProgressParts,
  { participantId, cursor, limit }: Page,
  sight: Sight,
): Promise<Progress> {
  const { db } = parts;
  const after = readPageCursor(cursor);
  const { rows } = await sql<LessonRow>`
    select booking.booking_id, booking.slot_id, coalesce(booking.changed_to ->> 'title', booking.title) as title,
      booking.sport, slot.start_time, slot.end_time, booking.coach_name, booking.attended, booking.status,
      lower(booking.during) as page_time
    from bookings booking join lesson_slots slot using (slot_id)
    where booking.participant_id = ${participantId}::uuid and booking.status in ('booked', 'attended')
      and lower(booking.during) <= now() and ${sight.lessons}
      ${after ? sql`and (lower(booking.during), booking.booking_id) < (${after.time}::timestamptz, ${after.id}::uuid)` : sql``}
    order by lower(booking.during) desc, booking.booking_id desc
    limit ${rowsOfPage(limit)}`.execute(db);
  const { page, nextCursor } = cutPage(rows, limit, ({ pageTime, bookingId }) => ({
    time: pageTime,
    id: bookingId,
  }));
  const bookingIds = page.map(({ bookingId }) => bookingId);
  const notes = await readNotes(parts, bookingIds, sight.notes);
  const answers = await readAnswers(db, bookingIds, sight.answers);
  const now = Date.now();
  return {
    participantId,
    name: await readName(db, participantId),
    goals: await readGoals(db, participantId, sight.written('goal')),
    skills: await readSkills(db, participantId, sight.written('assessment')),
    lessons: page.map(({ status, pageTime: _, ...lesson }) => ({
      ...lesson,
      notes: notes.get(lesson.bookingId) ?? [],
      answer: answers.get(lesson.bookingId) ?? null,
      isAnswerable: refuseAnswer({ ...lesson, status }, now) === null,
    })),
    nextCursor,
  };
}

async function readName(db: Database, participantId: string): Promise<string> {
  const { rows } = await sql<{ name: string }>`
    select coalesce(known_as, name_of_participant(participant)) as name from participants participant
    where participant_id = ${participantId}::uuid`.execute(db);
  return rows[0]!.name;
}

async function readGoals(
  db: Database,
  participantId: string,
  condition: RawBuilder<unknown>,
): Promise<Goal[]> {
  const { rows } = await sql<Goal>`
    select goal.goal_id, goal.sport, goal.title, to_char(goal.due_on, 'YYYY-MM-DD') as due_on, goal.status,
      goal.created_at, goal.decided_at, coach_public_name(coach) as coach_name
    from goals goal join profiles coach on coach.user_id = goal.coach_id
    where goal.participant_id = ${participantId}::uuid and ${condition}
    order by goal.status <> 'open', coalesce(goal.decided_at, goal.created_at) desc, goal.goal_id
    limit 100`.execute(db);
  return rows;
}

type AssessmentRow = SkillProgress['assessments'][number] &
  Pick<SkillProgress, 'sport' | 'name'> & { skill: string };

async function readSkills(
  db: Database,
  participantId: string,
  condition: RawBuilder<unknown>,
): Promise<SkillProgress[]> {
  const { rows } = await sql<AssessmentRow>`
    select * from (
      select assessment.sport, coalesce(skill.name, assessment.skill_name) as name, assessment.level, assessment.at,
        coach_public_name(coach) as coach_name, assessment.assessment_id,
        coalesce(assessment.skill_id::text, lower(assessment.skill_name)) as skill,
        row_number() over (
          partition by assessment.sport, coalesce(assessment.skill_id::text, lower(assessment.skill_name))
          order by assessment.at desc, assessment.assessment_id) as number
      from assessments assessment
      join profiles coach on coach.user_id = assessment.coach_id
      left join skills skill using (skill_id)
      where assessment.participant_id = ${participantId}::uuid and ${condition}
    ) newest
    where number <= 100
    order by sport, lower(name), skill, at, assessment_id
    limit 5000`.execute(db);
  const skills = new Map<string, SkillProgress>();
  for (const { sport, name, skill, level, at, coachName } of rows) {
    const known = skills.get(`${sport} ${skill}`) ?? { sport, name, assessments: [] };
    known.assessments.push({ level, at, coachName });
    skills.set(`${sport} ${skill}`, known);
  }
  return [...skills.values()];
}
