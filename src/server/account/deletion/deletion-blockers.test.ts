import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { deskApi } from '#domain/desk/contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { settingsApi } from '#domain/settings/contract.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { addPayableCoach } from '#server/test-support/sold-lessons.test-support.ts';
import { beforeTests, setUpTestApp, untilLockIsAwaited } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const [asking, deciding] = [beforeTests(() => app.signIn('admin')), beforeTests(() => app.signIn('admin'))];

const blockersOf = async (who: Someone) => (await app.call(who, ownAccountApi.getDeletion, {})).body.blockers;
const expectRefused = async (who: Someone, sentence: string) => {
  expect(await blockersOf(who)).toEqual([sentence]);
  const { status, error } = await app.call(who, ownAccountApi.deleteAccount, {});
  expect([status, error?.message]).toEqual([409, sentence]);
};

/** Sells a lesson, then moves it to yesterday. */
async function sell(coach: Someone = club.coach) {
  const customer = await club.join();
  const slotId = await club.publish({ coachId: coach.userId });
  const { bookingId } = (await club.bookUntilDecided(customer, slotId)).body;
  await club.putAt(slotId, -60 * 24);
  return { customer, bookingId };
}

/** Asks for a refund that waits for a second admin; returns a function that declines it. */
async function askRefund(bookingId: string, borneBy: 'coach' | 'platform') {
  await app.call(asking, settingsApi.updateRefundControl, { secondAdminAboveCents: 1000 });
  const part = { bookingId, amountCents: 2500, borneBy, reason: 'It rained', expectedLeftCents: 5000 };
  expect((await app.call(asking, deskApi.refund, part)).body).toEqual({ outcome: 'waiting' });
  const { booking } = (await app.call(deciding, deskApi.get, { bookingId })).body;
  const { refundRequestId } = booking.requests[0]!;
  return async () => {
    const decided = await app.call(deciding, deskApi.decideRequest, { refundRequestId, decision: 'decline' });
    expect(decided.status).toBe(200);
  };
}

test('refuses to delete a customer whose refund waits for a second admin [AUTH-14c]', async () => {
  const { customer, bookingId } = await sell();
  expect(await blockersOf(customer)).toEqual([]);
  const decline = await askRefund(bookingId, 'platform');
  await expectRefused(
    customer,
    "A refund of £25.00 to you is waiting for an admin's approval. Wait until it has been decided.",
  );
  await decline();
  expect(await blockersOf(customer)).toEqual([]);
});

test('refuses to delete a coach while a paid lesson may be refunded or charged back [AUTH-14c]', async () => {
  const coach = await addPayableCoach(app);
  const { bookingId } = await sell(coach);
  const { payrun } = (await app.call(asking, payoutsApi.createPayrun, { bookingIds: [bookingId] })).body;
  await app.call(asking, payoutsApi.markPayrunPaid, { payrunId: payrun.payrunId });
  expect(await blockersOf(coach)).toEqual([]);
  const sentence =
    "A lesson that you've been paid for may still be refunded or charged back. Wait until that has been decided.";

  const { paymentId } = await app.db
    .selectFrom('bookings')
    .select('paymentId')
    .where('bookingId', '=', bookingId)
    .executeTakeFirstOrThrow();
  const dispute = { disputeId: 'dp_after_payout', paymentId, amountCents: 5000, status: 'needs_response' };
  await app.db.insertInto('disputes').values(dispute).execute();
  await expectRefused(coach, sentence);
  const setDispute = (status: string) => app.db.updateTable('disputes').set({ status }).execute();
  await setDispute('lost');
  await expectRefused(coach, sentence);
  await setDispute('won');
  expect(await blockersOf(coach)).toEqual([]);

  await app.db.deleteFrom('disputes').execute();
  const declineOurs = await askRefund(bookingId, 'platform');
  expect(await blockersOf(coach), 'the club would bear this refund').toEqual([]);
  await declineOurs();
  const declineTheirs = await askRefund(bookingId, 'coach');
  await expectRefused(coach, sentence);
  await declineTheirs();
  expect(await blockersOf(coach)).toEqual([]);
});

test('refuses to delete a customer or coach while an admin is requesting a refund [AUTH-14c]', async () => {
  const coach = await addPayableCoach(app);
  const { customer, bookingId } = await sell(coach);
  const { payrun } = (await app.call(asking, payoutsApi.createPayrun, { bookingIds: [bookingId] })).body;
  await app.call(asking, payoutsApi.markPayrunPaid, { payrunId: payrun.payrunId });
  await app.call(asking, settingsApi.updateRefundControl, { secondAdminAboveCents: 1000 });

  const deletions: Promise<{ status: number }>[] = [];
  let asked: Promise<unknown> | undefined;
  await app.db.transaction().execute(async (tx) => {
    await sql`select from bookings where booking_id = ${bookingId}::uuid for update`.execute(tx);
    asked = askRefund(bookingId, 'coach');
    await untilLockIsAwaited(app.db);
    for (const who of [customer, coach]) deletions.push(app.call(who, ownAccountApi.deleteAccount, {}));
    await Promise.race([untilLockIsAwaited(app.db, 3), ...deletions]);
  });
  await asked;
  expect((await Promise.all(deletions)).map(({ status }) => status)).toEqual([409, 409]);
});
