import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import type { OutputOf, ParsedInputOf } from '#domain/endpoint.ts';
import { AppError } from '#domain/errors.ts';
import type { Skill } from '#domain/progress/progress-shapes.ts';
import type { PayoutNeeds } from '#domain/progress/rules.ts';
import type { skillsApi } from '#domain/progress/skills-contract.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';

/** The skills that a coach assesses: those of the coach's business or, without a business, the coach's own. */
export async function readSkillList(db: Database | Tx, coachId: string): Promise<Skill[]> {
  const { rows } = await sql<Skill>`
    select skill.skill_id, skill.sport, skill.name from skills skill, coaches coach
    where coach.coach_id = ${coachId}::uuid
      and case when coach.business_id is null then skill.coach_id = coach.coach_id
        else skill.business_id = coach.business_id end
    order by skill.sport, skill.position, skill.skill_id`.execute(db);
  return rows;
}

type Owner = { businessId: string | null; canEdit: boolean; payoutNeeds: PayoutNeeds | null };

/**
 * The coach's business, whether the coach can edit its lists, and what it requires before a payout. `isLocked` locks
 * the row of the business, because its other owners may save the same list, and then the coach's row. Changes to a team
 * lock in the same order.
 */
async function readOwner(db: Database | Tx, coachId: string, { isLocked = false } = {}): Promise<Owner> {
  if (isLocked) {
    await sql`
      select from coaching_businesses
      where business_id = (select business_id from coaches where coach_id = ${coachId}::uuid)
      for update`.execute(db);
  }
  const { rows } = await sql<Owner>`
    select coach.business_id, coach.business_id is null or coach.business_role = 'owner' as can_edit,
      (select payout_needs from coaching_businesses business where business.business_id = coach.business_id)
        as payout_needs
    from coaches coach where coach.coach_id = ${coachId}::uuid ${isLocked ? sql`for update` : sql``}`.execute(
    db,
  );
  return rows[0] ?? { businessId: null, canEdit: true, payoutNeeds: null };
}

/** The lists of a coach, whether the coach may change them, and what the business requires before a payout. */
export async function readSkillLists(
  db: Database,
  coachId: string,
): Promise<OutputOf<typeof skillsApi.getLists>> {
  const { canEdit, payoutNeeds } = await readOwner(db, coachId);
  return { skills: await readSkillList(db, coachId), canEdit, payoutNeeds };
}

/**
 * Replaces the skills of a sport. Throws `forbidden` for a coach of a business who isn't one of its owners, `not_found`
 * for a skill from another list or one given twice, and `unprocessable` for a name that occurs twice.
 */
export function saveSkills(
  db: Database,
  coach: Person,
  { sport, skills }: ParsedInputOf<typeof skillsApi.saveList>,
): Promise<Skill[]> {
  const names = skills.map(({ name }) => name.toLowerCase());
  const twice = names.findIndex((name, index) => names.indexOf(name) < index);
  if (twice >= 0) {
    const message = 'This skill is already in the list.';
    throw new AppError('unprocessable', message, { fields: { [`skills.${twice}.name`]: message } });
  }
  return db.transaction().execute(async (tx) => {
    const { businessId, canEdit } = await readOwner(tx, coach.userId, { isLocked: true });
    if (!canEdit) throw new AppError('forbidden', 'Only the owners of your business can change its skills.');
    const before = (await readSkillList(tx, coach.userId)).filter((skill) => skill.sport === sport);
    const known = new Set(before.map(({ skillId }) => skillId));
    const kept = skills.flatMap(({ skillId }) => (skillId ? [skillId] : []));
    if (kept.some((skillId) => !known.has(skillId)) || new Set(kept).size < kept.length) {
      throw new AppError('not_found', "This skill isn't in the list. Please reload the page.");
    }
    const gone = before.map(({ skillId }) => skillId).filter((skillId) => !kept.includes(skillId));
    await sql`delete from skills where skill_id = any(${gone}::uuid[])`.execute(tx);
    // The unique index would refuse two skills that swap names, so each name is first set to the skill's id.
    await sql`update skills set name = skill_id::text where skill_id = any(${kept}::uuid[])`.execute(tx);
    for (const [position, { skillId, name }] of skills.entries()) {
      if (skillId) {
        await tx.updateTable('skills').set({ name, position }).where('skillId', '=', skillId).execute();
      } else {
        const owner = businessId ? { businessId } : { coachId: coach.userId };
        await tx
          .insertInto('skills')
          .values({ ...owner, sport, name, position })
          .execute();
      }
    }
    await recordAudit(tx, coach, {
      ...{ action: 'skills.changed', subjectType: 'coach', subjectId: coach.userId },
      after: { businessId, sport, count: skills.length },
    });
    return readSkillList(tx, coach.userId);
  });
}

/**
 * Sets what a business requires before its lessons are paid out. Throws `forbidden` for anyone who isn't one of its
 * owners.
 */
export function savePayoutNeeds(
  db: Database,
  coach: Person,
  { payoutNeeds }: ParsedInputOf<typeof skillsApi.savePayoutNeeds>,
): Promise<void> {
  return db.transaction().execute(async (tx) => {
    const {
      businessId,
      canEdit,
      payoutNeeds: before,
    } = await readOwner(tx, coach.userId, { isLocked: true });
    if (!businessId || !canEdit) {
      throw new AppError('forbidden', 'Only the owners of a business can decide what a payout requires.');
    }
    if (before === payoutNeeds) return;
    await tx
      .updateTable('coachingBusinesses')
      .set({ payoutNeeds })
      .where('businessId', '=', businessId)
      .execute();
    await recordAudit(tx, coach, {
      ...{ action: 'payout_needs.changed', subjectType: 'business', subjectId: businessId },
      ...{ before: { payoutNeeds: before }, after: { payoutNeeds } },
    });
  });
}
