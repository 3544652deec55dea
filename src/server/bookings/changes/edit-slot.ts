import { sql } from 'kysely';
import type { Person } from '#domain/access.ts';
import { refuseEditSlot, type SlotEdit, uncoveredLocation } from '#domain/bookings/slot-changes.ts';
import type { CoachSlotDetail } from '#domain/catalogue/slots-contract.ts';
import { AppError, assertAllowed } from '#domain/errors.ts';
import { getCoachSlot, getLocation } from '#server/catalogue/queries.ts';
import { rememberPrice } from '#server/catalogue/remember-price.ts';
import { keepMinorsCovered } from '#server/catalogue/uncovered-minors.ts';
import { recordAudit } from '#server/platform/audit.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { lockCoachSlot } from './lock-coach-slot.ts';
import { relocateBookings } from './relocate-bookings.ts';

/**
 * Changes the location, price and capacity of one of the coach's lessons. Bookings keep their price; customers are
 * notified of a new location and may cancel for a full refund until the start. Throws `not_found` for a slot or
 * location that is not the coach's own, `conflict` if the lesson has started or is cancelled or if someone under 18 has
 * booked or holds a seat and the coach's checks don't cover the new location; `unprocessable` for an invalid capacity
 * or if the template's lessons have too many different prices.
 */
export async function editSlot(
  db: Database,
  coach: Person,
  { slotId, ...edit }: SlotEdit & { slotId: string },
): Promise<CoachSlotDetail> {
  await db.transaction().execute(async (tx) => {
    // Locks the template before the slot, as a change to the template does, so that the two cannot deadlock.
    const templateId = await findTemplate(tx, coach.userId, slotId);
    await rememberPrice(tx, templateId, edit.priceCents, 'priceCents');
    // Locks the location before its lessons, as everywhere, so that its nation doesn't change in the meantime.
    await sql`select from locations where location_id = ${edit.locationId}::uuid for share`.execute(tx);
    const { locationId, priceCents, minCapacity, maxCapacity, ...slot } = await lockCoachSlot(
      tx,
      coach.userId,
      slotId,
    );
    const isElsewhere = edit.locationId !== locationId;
    if (isElsewhere && edit.locationId) await getLocation(tx, coach.userId, edit.locationId);
    assertAllowed(refuseEditSlot(slot, edit, Date.now()));
    const before = { locationId, priceCents, minCapacity, maxCapacity };
    const isSame =
      !isElsewhere &&
      edit.priceCents === priceCents &&
      edit.minCapacity === minCapacity &&
      edit.maxCapacity === maxCapacity;
    if (isSame) return;
    await keepMinorsCovered(tx, sql`slot.slot_id = ${slotId}::uuid`, uncoveredLocation, () =>
      tx.updateTable('lessonSlots').set(edit).where('slotId', '=', slotId).execute(),
    );
    if (isElsewhere) await relocateBookings(tx, { slotId });
    await recordAudit(tx, coach, {
      action: 'slot.edited',
      subjectType: 'lesson_slot',
      subjectId: slotId,
      before,
      after: edit,
    });
  });
  return getCoachSlot(db, coach.userId, slotId);
}

async function findTemplate(tx: Tx, coachId: string, slotId: string): Promise<string> {
  const slot = await tx
    .selectFrom('lessonSlots')
    .select('templateId')
    .where('slotId', '=', slotId)
    .where('coachId', '=', coachId)
    .executeTakeFirst();
  if (!slot) throw new AppError('not_found', 'Lesson not found.');
  return slot.templateId;
}
