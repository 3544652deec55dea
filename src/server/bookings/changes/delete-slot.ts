import type { Person } from '#domain/access.ts';
import { refuseDeleteSlot } from '#domain/bookings/slot-changes.ts';
import { assertAllowed } from '#domain/errors.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database } from '#server/platform/db/db.ts';
import { lockCoachSlot } from './lock-coach-slot.ts';

/**
 * Deletes a lesson of this coach if it has never been booked or held. Throws `not_found`, and `conflict` if any booking
 * refers to the lesson.
 */
export async function deleteSlot(db: Database, coach: Person, slotId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { status, startTime, endTime, priceCents } = await lockCoachSlot(tx, coach.userId, slotId);
    const booking = await tx
      .selectFrom('bookings')
      .select('bookingId')
      .where('slotId', '=', slotId)
      .executeTakeFirst();
    assertAllowed(refuseDeleteSlot({ isEverBooked: booking !== undefined }));
    await tx.deleteFrom('lessonSlots').where('slotId', '=', slotId).execute();
    await recordAudit(tx, coach, {
      action: 'slot.deleted',
      subjectType: 'lesson_slot',
      subjectId: slotId,
      before: { status, startTime, endTime, priceCents },
    });
  });
}
