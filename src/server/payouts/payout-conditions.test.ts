import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { businessesApi } from '#domain/businesses/contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import type { PayoutNeeds } from '#domain/progress/rules.ts';
import { skillsApi } from '#domain/progress/skills-contract.ts';
import { auditLedger } from '#server/bookings/checks/audit-ledger.ts';
import { setUpTaught } from '#server/progress/progress.test-support.ts';
import { outputOf, type Someone } from '#server/test-support/contract-client.test-support.ts';
import { beforeTests } from '#server/test-support/test-app.test-support.ts';

const { app, club, taught, teach, end, save } = setUpTaught();
const admin = beforeTests(() => app.signIn('admin'));

/** Puts the coach into a business with these requirements for payouts; returns its owner. */
async function demand(payoutNeeds: PayoutNeeds): Promise<Someone> {
  const owner = await app.signIn('coach');
  const { business } = await outputOf(
    app.call(owner, businessesApi.saveBusiness, { businessName: 'Leeds Tennis' }),
  );
  const { businessId } = business!;
  await app.db
    .updateTable('coaches')
    .set({ businessId })
    .where('coachId', '=', taught.coach.userId)
    .execute();
  await outputOf(app.call(owner, skillsApi.savePayoutNeeds, { payoutNeeds }));
  return owner;
}

const mark = (attended: boolean | null, bookingId = taught.bookingId) =>
  outputOf(app.call(taught.coach, lessonsApi.markAttendance, { bookingId, attended }));
const waitsFor = async (bookingId = taught.bookingId) => {
  const { bookings } = await outputOf(app.call(admin, payoutsApi.listPayableBookings, { limit: 100 }));
  const found = bookings.find((booking) => booking.bookingId === bookingId);
  return found ? found.waitsFor : 'not payable';
};
const waiting = async () => (await outputOf(app.call(taught.coach, earningsApi.listWaiting, {}))).lessons;
const pay = (bookingIds = [taught.bookingId]) => app.call(admin, payoutsApi.createPayrun, { bookingIds });

test('lets only the owner require nothing, attendance, or attendance and a note [PROGRESS-5a]', async () => {
  expect(await waitsFor()).toBeNull();
  const owner = await demand('attendance');
  expect(await waitsFor()).toBe('attendance');
  await mark(true);
  expect(await waitsFor()).toBeNull();
  await outputOf(app.call(owner, skillsApi.savePayoutNeeds, { payoutNeeds: 'note' }));
  expect(await waitsFor()).toBe('note');
  await outputOf(save({ isShared: false }));
  expect(await waitsFor()).toBeNull();
  await mark(null);
  expect(await waitsFor()).toBe('attendance');
  await outputOf(app.call(owner, skillsApi.savePayoutNeeds, { payoutNeeds: 'none' }));
  expect(await waitsFor()).toBeNull();
  for (const who of [taught.coach, await app.signIn('coach')]) {
    expect((await app.call(who, skillsApi.savePayoutNeeds, { payoutNeeds: 'none' })).status).toBe(403);
  }
});

test('makes a lesson without a note payable after 7 days, and an absence immediately [PROGRESS-5b, PROGRESS-5c]', async () => {
  await demand('note');
  await club.putAt(taught.slotId, -7 * 24 * 60 - 60 + 2);
  expect(await waitsFor()).toBe('attendance');
  await club.putAt(taught.slotId, -7 * 24 * 60 - 60 - 2);
  expect(await waitsFor()).toBeNull();
  const absent = await teach();
  await end(absent.slotId, 3);
  expect(await waitsFor(absent.bookingId)).toBe('attendance');
  await mark(false, absent.bookingId);
  expect(await waitsFor(absent.bookingId)).toBeNull();
  expect((await pay([taught.bookingId, absent.bookingId])).status).toBe(200);
});

test('shows a coach which payouts are waiting, why, how much they are and until when [PROGRESS-5d]', async () => {
  expect(await waiting()).toEqual([]);
  await demand('note');
  const { endTime } = await club.readSlot(taught.slotId);
  const lesson = {
    bookingId: taught.bookingId,
    title: 'Tennis basics',
    participantName: 'Mia Morgan',
    amountCents: 4900,
  };
  expect(await waiting()).toMatchObject([{ ...lesson, waitsFor: 'attendance' }]);
  expect(Date.parse((await waiting())[0]!.payableAt)).toBe(Date.parse(endTime) + 7 * 24 * 3_600_000);
  await mark(true);
  expect(await waiting()).toMatchObject([{ ...lesson, waitsFor: 'note' }]);
  expect(await outputOf(app.call(taught.coach, earningsApi.getEarnings, {}))).toMatchObject({
    ...{ waitingCount: 1, waitingCents: 4900 },
  });
  await outputOf(save());
  expect(await waiting()).toEqual([]);
  expect(await outputOf(app.call(taught.coach, earningsApi.getEarnings, {}))).toMatchObject({
    waitingCount: 0,
  });
});

test('leaves waiting bookings out of payruns; keeps the notes of bookings in a payrun [PROGRESS-5a]', async () => {
  await demand('note');
  await mark(true);
  const refused = await pay();
  expect([refused.status, refused.error?.details]).toEqual([409, { bookingIds: [taught.bookingId] }]);
  const { coaches } = await outputOf(app.call(admin, payoutsApi.listPayableCoaches, {}));
  expect(coaches.find(({ coachId }) => coachId === taught.coach.userId)).toMatchObject({
    ...{ bookingCount: 0, waitingCount: 1 },
  });
  const matching = { matching: { coachIds: [taught.coach.userId] } };
  expect((await app.call(admin, payoutsApi.previewPayrun, matching)).status).toBe(409);
  const { note } = await outputOf(save());
  const { payrun } = await outputOf(pay());
  expect((await save({ body: '', seenAt: note!.updatedAt })).error?.message).toContain('being paid out');
  expect(await auditLedger(app.db, app.cards)).toEqual([]);
  const waits = await teach();
  await end(waits.slotId, 5);
  const inserted = sql`insert into payrun_items (payrun_id, coach_id, booking_id, kind, amount_cents)
    values (${payrun.payrunId}::uuid, ${taught.coach.userId}::uuid, ${waits.bookingId}::uuid, 'lesson', 4900)`;
  await expect(inserted.execute(app.db)).rejects.toThrow('is not payable yet');
});
