import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import { type GoalStatus, refuseAssessment } from '#domain/progress/rules.ts';
import type { skillsApi } from '#domain/progress/skills-contract.ts';
import { describeChange, recordAudit } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/db/db.ts';
import { isInSight } from './read-notes.ts';
import { readSkillList } from './skill-lists.ts';
import { lockTaughtBooking, lockWritableBooking } from './taught-booking.ts';

/** The most open goals that one coach can have for one participant. */
const maxOpenGoals = 20;

/**
 * Adds a goal for the participant of a booking. Throws `not_found` for another coach's booking, and `conflict` if
 * {@link maxOpenGoals} are open.
 */
export function addGoal(
  db: Database,
  coach: Person,
  { bookingId, title, dueOn }: ParsedInputOf<typeof skillsApi.addGoal>,
): Promise<string> {
  return db.transaction().execute(async (tx) => {
    const { participantId, businessId, sport } = await lockTaughtBooking(tx, coach.userId, bookingId);
    const { rows } = await sql<{ open: number }>`
      select count(*)::int as open from goals
      where participant_id = ${participantId}::uuid and coach_id = ${coach.userId}::uuid and status = 'open'`.execute(
      tx,
    );
    if (rows[0]!.open >= maxOpenGoals) {
      throw new AppError('conflict', `${maxOpenGoals} goals are open. Mark one as reached or drop one.`);
    }
    const goal = { participantId, coachId: coach.userId, businessId, sport, title, dueOn };
    const { goalId } = await tx
      .insertInto('goals')
      .values(goal)
      .returning('goalId')
      .executeTakeFirstOrThrow();
    await recordAudit(tx, coach, { action: 'goal.added', subjectType: 'booking', subjectId: bookingId });
    return goalId;
  });
}

/** Changes a goal that this coach set and can still see; throws `not_found` for any other. */
export function updateGoal(
  db: Database,
  coach: Person,
  { goalId, ...goal }: ParsedInputOf<typeof skillsApi.updateGoal>,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{
      title: string;
      dueOn: string | null;
      status: GoalStatus;
      participantId: string;
    }>`
      select title, to_char(due_on, 'YYYY-MM-DD') as due_on, status, participant_id from goals goal
      where goal_id = ${goalId}::uuid and ${isInSight('goal', coach.userId)} for update`.execute(tx);
    if (!rows[0]) throw new AppError('not_found', 'Goal not found.');
    const { participantId, ...before } = rows[0];
    const change = describeChange(before, goal, ['status']);
    if (!change) return;
    const decided = goal.status === 'open' ? null : sql<string>`coalesce(decided_at, now())`;
    await tx
      .updateTable('goals')
      .set({ ...goal, decidedAt: decided })
      .where('goalId', '=', goalId)
      .execute();
    const subject = { subjectType: 'participant', subjectId: participantId };
    await recordAudit(tx, coach, { ...subject, action: 'goal.changed', ...change });
  });
}

/**
 * Adds an assessment of a skill from the coach's list. Repeating the newest level at the same lesson adds nothing.
 * Throws `not_found` for a skill from another list or sport and for another coach's booking, and the `conflict` of
 * {@link refuseAssessment}.
 */
export function assessSkill(
  db: Database,
  coach: Person,
  { bookingId, skillId, level }: ParsedInputOf<typeof skillsApi.assess>,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const { participantId, businessId, sport } = await lockWritableBooking(
      tx,
      coach.userId,
      bookingId,
      refuseAssessment,
    );
    const skills = await readSkillList(tx, coach.userId);
    const skill = skills.find((known) => known.skillId === skillId && known.sport === sport);
    if (!skill) throw new AppError('not_found', "This skill isn't in the list. Please reload the page.");
    const { rows } = await sql<{ level: number; bookingId: string }>`
      select level, booking_id from assessments
      where participant_id = ${participantId}::uuid and skill_id = ${skillId}::uuid
        and coach_id = ${coach.userId}::uuid
      order by at desc, assessment_id limit 1`.execute(tx);
    if (rows[0]?.level === level && rows[0].bookingId === bookingId) return;
    await tx
      .insertInto('assessments')
      .values({
        ...{ participantId, skillId, skillName: skill.name, sport, level, bookingId, businessId },
        ...{ coachId: coach.userId, at: sql<string>`clock_timestamp()` },
      })
      .execute();
    await recordAudit(tx, coach, { action: 'skill.assessed', subjectType: 'booking', subjectId: bookingId });
  });
}
