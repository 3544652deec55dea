import type { Person } from '#domain/access.ts';
import { refuseCompleteSlot } from '#domain/bookings/slot-changes.ts';
import type { CoachSlotDetail } from '#domain/catalogue/slots-contract.ts';
import { assertAllowed } from '#domain/errors.ts';
import { getCoachSlot } from '#server/catalogue/queries.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/db/db.ts';
import { lockCoachSlot } from '../changes/lock-coach-slot.ts';

/**
 * Marks one of the coach's lessons as completed. If the coach does not, a job marks the lesson after it has ended.
 * Attendance and the payable date don't change. Throws `not_found`, and `conflict` before the start or if the lesson is
 * cancelled.
 */
export async function completeSlot(db: Database, coach: Person, slotId: string): Promise<CoachSlotDetail> {
  await db.transaction().execute(async (tx) => {
    const before = await lockCoachSlot(tx, coach.userId, slotId);
    assertAllowed(refuseCompleteSlot(before, Date.now()));
    if (before.status === 'completed') return;
    await tx.updateTable('lessonSlots').set({ status: 'completed' }).where('slotId', '=', slotId).execute();
    await recordAudit(tx, coach, {
      action: 'slot.completed',
      subjectType: 'lesson_slot',
      subjectId: slotId,
      before: { status: before.status },
      after: { status: 'completed' },
    });
  });
  return getCoachSlot(db, coach.userId, slotId);
}
