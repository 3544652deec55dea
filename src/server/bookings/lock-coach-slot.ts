import { AppError } from '#domain/errors.ts';
import type { Tx } from '#server/platform/db.ts';

/** Locks one of the coach's own slots, before anything else of it is touched; throws `not_found` for any other. */
export async function lockCoachSlot(tx: Tx, coachId: string, slotId: string) {
  const slot = await tx
    .selectFrom('lessonSlots')
    .select([
      'slotId',
      'status',
      'startTime',
      'endTime',
      'lessonType',
      'minCapacity',
      'maxCapacity',
      'priceCents',
      'bookedCount',
      'locationId',
    ])
    .where('slotId', '=', slotId)
    .where('coachId', '=', coachId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!slot) throw new AppError('not_found', 'Lesson not found');
  return slot;
}
