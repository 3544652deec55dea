import { sql } from 'kysely';
import { type PlannedSlot, planSlots, refusePlan, type SlotPlan } from '#domain/catalogue/slot-plan.ts';
import type { LessonTemplate } from '#domain/catalogue/template.ts';
import { assertAllowed } from '#domain/errors.ts';
import type { Instant } from '#domain/time.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { getLocation, getTemplate, longestLesson } from './queries.ts';

/** One of the coach's scheduled lessons, which a planned lesson would overlap. */
export type Clash = { title: string; startTime: Instant; endTime: Instant };

/** A planned slot and the obstacle to it, if any; `clash` is the lesson that the slot would overlap. */
export type CheckedSlot = PlannedSlot & {
  obstacle: 'past' | 'duplicate' | 'overlap' | null;
  clash: Clash | null;
};

/**
 * Plans slots for a coach and compares them with the coach's calendar; changes nothing. `now` is in milliseconds.
 * Throws `unprocessable` for a date that is too far ahead, and `not_found` for a template or location that is deleted
 * or not the coach's own.
 */
export async function checkPlan(
  db: Database | Tx,
  coachId: string,
  plan: SlotPlan,
  now: number,
): Promise<{ template: LessonTemplate; slots: CheckedSlot[] }> {
  assertAllowed(refusePlan(plan, now));
  const template = await getTemplate(db, coachId, plan.templateId);
  if (plan.locationId) await getLocation(db, coachId, plan.locationId);
  const planned = planSlots(plan, template.durationMinutes);
  if (planned.length === 0) return { template, slots: [] };
  const { rows: standing } = await sql<Clash & { position: number; isSame: boolean }>`
    select p.position::int as position, t.title, s.start_time, s.end_time,
      (s.template_id = ${template.templateId} and s.start_time = p.start_time) as is_same
    from unnest(${planned.map((slot) => slot.startTime)}::timestamptz[],
                ${planned.map((slot) => slot.endTime)}::timestamptz[])
      with ordinality as p (start_time, end_time, position)
    join lesson_slots s on s.coach_id = ${coachId} and s.status = 'scheduled'
      and s.start_time > p.start_time - ${longestLesson} and s.start_time < p.end_time
      and s.end_time > p.start_time
    join lesson_templates t on t.template_id = s.template_id
    order by s.start_time`.execute(db);
  const slots = planned.map((slot, index): CheckedSlot => {
    if (Date.parse(slot.startTime) <= now) return { ...slot, obstacle: 'past', clash: null };
    const met = standing.filter((row) => row.position === index + 1);
    if (met.some((row) => row.isSame)) return { ...slot, obstacle: 'duplicate', clash: null };
    const clash = met[0];
    return clash ? { ...slot, obstacle: 'overlap', clash } : { ...slot, obstacle: null, clash: null };
  });
  return { template, slots };
}
