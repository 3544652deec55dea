import { afterEach, expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { slotsApi } from '#domain/catalogue/slots-contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
afterEach(() => club.expectLedgerInOrder());

const remove = (slotId: string, coach = club.coach) => app.call(coach, lessonsApi.deleteSlot, { slotId });

test('deletes a lesson that was never booked, and audits the deletion', async () => {
  const slotId = await club.publish();
  const other = await app.signIn('coach');
  expect((await remove(slotId, other)).error!.message).toBe('Lesson not found.');
  expect((await remove(slotId)).status).toBe(200);
  expect((await remove(slotId)).status).toBe(404);
  expect((await app.call(club.coach, slotsApi.getCoachSlot, { slotId })).status).toBe(404);
  const audit = await app.db
    .selectFrom('auditLog')
    .select(['action', 'actorUserId'])
    .where('subjectId', '=', slotId)
    .execute();
  expect(audit).toEqual([{ action: 'slot.deleted', actorUserId: club.coach.userId }]);
});

test('refuses to delete a lesson that has ever been booked', async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const { bookingId } = (await club.book(customer, slotId)).body;
  const refusal =
    "Someone has booked this lesson or started to book it, so it can't be deleted. You can cancel lessons until they end.";
  expect((await remove(slotId)).error).toMatchObject({ code: 'conflict', message: refusal });
  await app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents: 5000 });
  expect((await remove(slotId)).error!.message).toBe(refusal);
});

test('either books or deletes a lesson when both are requested simultaneously', async () => {
  const slotId = await club.publish();
  const customer = await club.join();
  const [booked, removed] = await Promise.all([club.book(customer, slotId), remove(slotId)]);
  expect([booked.status === 200, removed.status === 200].filter(Boolean)).toHaveLength(1);
});
