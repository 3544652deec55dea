import { sql } from 'kysely';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { wallTimeOf } from '#domain/time.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { callEndpoint, type Someone } from '#server/test-support/contract-client.test-support.ts';
import { startKillableProduct } from '#server/test-support/killed-process.test-support.ts';
import { setUpGatedApp } from '#server/test-support/stripe-gate.test-support.ts';
import { beforeTests, eventually } from '#server/test-support/test-app.test-support.ts';
import { testCards } from '#server/test-support/test-cards.test-support.ts';
import { bookTogether, holdTogether } from '../booking/checkouts.test-support.ts';

const { app, gate } = setUpGatedApp();
const club = beforeTests(() => openClub(app));
afterEach(() => club.expectLedgerInOrder());

const publish = (...seats: number[]) =>
  Promise.all(seats.map((number, index) => club.publish({ seats: number, priceCents: 3000 + 1000 * index })));
const settle = (customer: Someone, bookingId: string) =>
  app.call(customer, bookingsApi.settle, { bookingId });
const bookingsOf = async (slotIds: string[]) => (await Promise.all(slotIds.map(club.readBookings))).flat();
const statusesOf = async (slotIds: string[]) => (await bookingsOf(slotIds)).map(({ status }) => status);
const seatsOf = (slotIds: string[]) =>
  Promise.all(slotIds.map(async (slotId) => (await club.readSlot(slotId)).bookedCount));
const chargesOf = async (paymentId: string) =>
  (await app.stripeSimulator.ledger()).filter(({ metadata }) => metadata.payment_id === paymentId);
const isPaidBack = async (paymentId: string) => {
  const [charge] = await chargesOf(paymentId);
  return charge!.refunds.reduce((sum, { amount }) => sum + amount, 0) === charge!.amount;
};
const cancel = (customer: Someone, bookingId: string, expectedRefundCents: number) =>
  app.call(customer, bookingsApi.cancel, { bookingId, expectedRefundCents });

test('books three lessons with one charge and a payment line for each [BASE-1, BASE-7a]', async () => {
  const slotIds = await publish(4, 4, 4);
  const customer = await club.join();
  const { paymentId, bookings } = await bookTogether(app, customer, slotIds);
  const charges = await chargesOf(paymentId);
  expect(charges).toMatchObject([{ amount: 12_000, metadata: { payment_id: paymentId } }]);
  expect(charges[0]!.metadata).not.toHaveProperty('booking_id');
  expect(await statusesOf(slotIds)).toEqual(['booked', 'booked', 'booked']);
  expect(await seatsOf(slotIds)).toEqual([1, 1, 1]);
  const lines = await app.db
    .selectFrom('paymentLines')
    .select(['lineNo', 'bookingId', 'amountCents'])
    .where('paymentId', '=', paymentId)
    .orderBy('lineNo')
    .execute();
  expect(lines).toEqual(
    bookings.map(({ bookingId }, index) => ({
      ...{ lineNo: index + 1, bookingId, amountCents: 3000 + 1000 * index },
    })),
  );
  const sources = await app.db
    .selectFrom('ledgerEntries')
    .select('sourceId')
    .where(
      'bookingId',
      'in',
      bookings.map(({ bookingId }) => bookingId),
    )
    .execute();
  expect(new Set(sources.map(({ sourceId }) => sourceId))).toEqual(new Set([paymentId]));
  await eventually(async () => (await app.emailsTo(customer.email)).length === 3);
});

test('takes no seats of a checkout if one of its lessons is full [BASE-2b]', async () => {
  const slotIds = await publish(2, 1, 2);
  await club.book(await club.join(), slotIds[1]!, 4000);
  const customer = await club.join();
  expect(await holdTogether(app, customer, slotIds)).toBeNull();
  expect(await seatsOf(slotIds)).toEqual([0, 1, 0]);
  expect(await statusesOf([slotIds[0]!, slotIds[2]!])).toEqual([]);
});

test('sells each seat once when simultaneous checkouts order lessons differently [BASE-2b]', async () => {
  const slotIds = await publish(3, 4, 5, 4);
  const customers = await Promise.all(Array.from({ length: 24 }, () => club.join()));
  const held = await Promise.all(
    customers.map(async (customer, index) => {
      const first = index % 2;
      const own = slotIds.slice(first, first + 3);
      const payment = await holdTogether(app, customer, index % 4 < 2 ? own : own.toReversed());
      return payment && { customer, payment };
    }),
  );
  const buyers = held.filter((one) => one !== null);
  const answers = await Promise.all(
    buyers.map(({ customer, payment }) => settle(customer, payment.bookingId)),
  );
  expect(answers.map(({ body }) => body?.outcome)).toEqual(buyers.map(() => 'booked'));
  const seats = await seatsOf(slotIds);
  expect(seats.every((count, index) => count <= [3, 4, 5, 4][index]!)).toBe(true);
  expect(seats.reduce((sum, count) => sum + count, 0)).toBe(3 * buyers.length);
  // Both middle lessons are in every checkout, so the smaller of them is sold out.
  expect(seats[1]).toBe(4);
});

test('releases all seats when the card is declined [BASE-2a]', async () => {
  const slotIds = await publish(2, 2);
  const customer = await club.join(testCards.declinedOnPaying);
  const payment = (await holdTogether(app, customer, slotIds))!;
  expect((await settle(customer, payment.bookings[1]!.bookingId)).status).toBe(402);
  expect(await statusesOf(slotIds)).toEqual(['released', 'released']);
  expect(await seatsOf(slotIds)).toEqual([0, 0]);
});

test('confirms all lessons after one 3-D Secure check; releases all if a hold expires [BASE-2a]', async () => {
  const [paid, left] = [await publish(2, 2, 2), await publish(2, 2, 2)];
  const careful = await club.join(testCards.asksAlways);
  const first = (await holdTogether(app, careful, paid))!;
  const { body } = await settle(careful, first.bookingId);
  if (body.outcome !== 'requiresAction') throw new Error('expected a challenge');
  await club.authenticate(body.clientSecret, 'succeeded');
  await eventually(async () => (await statusesOf(paid)).every((status) => status === 'booked'));

  const second = (await holdTogether(app, careful, left))!;
  expect((await settle(careful, second.bookingId)).body.outcome).toBe('requiresAction');
  await app.db
    .updateTable('bookings')
    .set({ holdExpiresAt: new Date(0).toISOString() })
    .where('bookingId', '=', second.bookings[2]!.bookingId)
    .execute();
  await club.sweep();
  await eventually(async () => (await statusesOf(left)).every((status) => status === 'released'));
  expect(await seatsOf(left)).toEqual([0, 0, 0]);
});

test('releases all seats of a checkout when the customer releases one', async () => {
  const slotIds = await publish(2, 2);
  const customer = await club.join(testCards.asksAlways);
  const payment = (await holdTogether(app, customer, slotIds))!;
  await settle(customer, payment.bookingId);
  const { bookingId } = payment.bookings[1]!;
  expect((await app.call(customer, bookingsApi.release, { bookingId })).status).toBe(200);
  expect(await statusesOf(slotIds)).toEqual(['released', 'released']);
  expect(await seatsOf(slotIds)).toEqual([0, 0]);
});

test.each(['cancels', 'moves'] as const)(
  'releases all seats of a checkout when the coach %s one lesson [BASE-2c, BASE-3]',
  async (change) => {
    const slotIds = await publish(2, 2, 2);
    const customer = await club.join();
    const payment = (await holdTogether(app, customer, slotIds))!;
    const stop = gate.stopNext('POST /v1/payment_intents', 'before');
    const answer = settle(customer, payment.bookingId);
    await stop.arrived;
    const slotId = slotIds[1]!;
    const done =
      change === 'cancels'
        ? await app.call(club.coach, lessonsApi.cancelSlot, { slotId, reason: '' })
        : await app.call(club.coach, lessonsApi.moveSlot, {
            slotId,
            ...wallTimeOf(Date.now() + 60 * 86_400_000),
          });
    expect(done.error?.message).toBeUndefined();
    expect(await statusesOf(slotIds)).toEqual(['released', 'released', 'released']);
    expect(await seatsOf(slotIds)).toEqual([0, 0, 0]);
    // The charge succeeds afterwards and is refunded in full, with a line for each lesson.
    stop.pass();
    expect((await answer).status).toBe(402);
    await eventually(() => isPaidBack(payment.paymentId));
    const lines = await app.db
      .selectFrom('refundLines')
      .innerJoin('refunds', 'refunds.refundId', 'refundLines.refundId')
      .select(['refunds.refundId', 'refundLines.bookingId', 'refundLines.amountCents'])
      .where('paymentId', '=', payment.paymentId)
      .orderBy('refundLines.amountCents')
      .execute();
    const { refundId } = lines[0]!;
    expect(lines).toEqual(
      payment.bookings.map(({ bookingId }, index) => ({
        ...{ refundId, bookingId, amountCents: 3000 + 1000 * index },
      })),
    );
  },
);

test('confirms a checkout with a late charge only if all its seats are still free [BASE-2c]', async () => {
  const [free, taken] = [await publish(1, 1), await publish(1, 1)];
  for (const slotIds of [free, taken]) {
    const [customer, other] = [await club.join(), await club.join()];
    const payment = (await holdTogether(app, customer, slotIds))!;
    const stop = gate.stopNext('POST /v1/payment_intents', 'before');
    const answer = settle(customer, payment.bookingId);
    await stop.arrived;
    await club.agePayment(slotIds[0]!, 60);
    await club.sweep();
    await eventually(async () => (await statusesOf(slotIds)).every((status) => status === 'released'));
    if (slotIds === taken) await club.book(other, taken[1]!, 4000);
    stop.pass();
    expect((await answer).status).toBe(slotIds === taken ? 402 : 200);
    if (slotIds === taken) await eventually(() => isPaidBack(payment.paymentId));
  }
  expect(await statusesOf(free)).toEqual(['booked', 'booked']);
  expect(await seatsOf(taken)).toEqual([0, 1]);
});

test.each(['before', 'after'] as const)(
  'books all lessons or none when a process is killed %s the charge [BASE-2a]',
  async (side) => {
    const product = await startKillableProduct(app, gate.url);
    const slotIds = await publish(2, 2, 2);
    const customer = await club.join();
    const payment = (await holdTogether(app, customer, slotIds))!;
    const stop = gate.stopNext('POST /v1/payment_intents', side);
    const { bookingId } = payment;
    const lost = callEndpoint(product.url, customer, bookingsApi.settle, { bookingId }).catch(() => 'lost');
    await stop.arrived;
    await product.kill();
    stop.lose();
    expect(await lost).toBe('lost');
    await club.agePayment(slotIds[0]!, 60);
    await club.sweep();
    const expected = side === 'after' ? 'booked' : 'released';
    await eventually(async () => (await statusesOf(slotIds)).every((status) => status === expected));
    expect(await seatsOf(slotIds)).toEqual(slotIds.map(() => (side === 'after' ? 1 : 0)));
  },
);

test('refunds each cancelled lesson of a checkout at its own price [BASE-3]', async () => {
  const slotIds = await publish(2, 2, 2);
  const customer = await club.join();
  const { paymentId, bookings } = await bookTogether(app, customer, slotIds);
  const [first, second] = bookings;
  const answer = await cancel(customer, first!.bookingId, 3000);
  // The job may already have made the refund.
  const status = expect.stringMatching(/^(cancelled|refunded)$/);
  expect(answer.body.booking).toMatchObject({ status, refund: { amountCents: 3000 } });
  await eventually(async () => (await statusesOf(slotIds))[0] === 'refunded');
  expect(await statusesOf(slotIds)).toEqual(['refunded', 'booked', 'booked']);
  expect(await seatsOf(slotIds)).toEqual([0, 1, 1]);
  await app.call(club.coach, lessonsApi.cancelSlot, { slotId: slotIds[1]!, reason: '' });
  await eventually(async () => (await statusesOf(slotIds))[1] === 'refunded');
  const [charge] = await chargesOf(paymentId);
  expect(charge!.refunds.map(({ amount }) => amount)).toEqual([3000, 4000]);
  const shown = await app.call(customer, bookingsApi.getMine, { bookingId: second!.bookingId });
  expect(shown.body.booking.refund).toEqual({ amountCents: 4000, status: 'succeeded' });
});

test('confirms or releases all bookings of a payment in one statement [BASE-2a]', async () => {
  const [booked, declined] = [await publish(2, 2, 2), await publish(2, 2, 2)];
  // Records how many bookings each statement settles.
  await sql`create table settled (statement_no serial, status text, bookings integer)`.execute(app.db);
  await sql`
    create function record_settled() returns trigger language plpgsql as $$
    begin
      insert into settled (status, bookings)
        select changed.status, count(*) from changed join former using (booking_id)
        where former.status = 'pending' and changed.status <> 'pending' group by changed.status;
      return null;
    end $$`.execute(app.db);
  await sql`create trigger record_settled after update on bookings referencing old table as former new table as changed
    for each statement execute function record_settled()`.execute(app.db);
  onTestFinished(async () => {
    await sql`drop trigger record_settled on bookings`.execute(app.db);
  });
  await bookTogether(app, await club.join(), booked);
  const customer = await club.join(testCards.declinedOnPaying);
  const payment = (await holdTogether(app, customer, declined))!;
  expect((await settle(customer, payment.bookingId)).status).toBe(402);
  expect(await statusesOf([...booked, ...declined])).toEqual([
    ...['booked', 'booked', 'booked'],
    ...['released', 'released', 'released'],
  ]);
  const { rows } = await sql`select status, bookings from settled order by statement_no`.execute(app.db);
  expect(rows).toEqual([
    { status: 'booked', bookings: 3 },
    { status: 'released', bookings: 3 },
  ]);
});

test('makes the database refuse to settle a payment that has a pending booking [BASE-2a]', async () => {
  const slotIds = await publish(2, 2);
  const customer = await club.join();
  const payment = (await holdTogether(app, customer, slotIds))!;
  // The statements of the previous version, which knows only payments for one booking.
  for (const [ended, settled] of [
    ['booked', 'succeeded'],
    ['released', 'failed'],
  ] as const) {
    const half = sql`
      with booking as (
        update bookings set status = ${ended}, booked_at = case when ${ended} = 'booked' then now() end
        where booking_id = ${payment.bookingId}::uuid and status = 'pending' returning payment_id
      )
      update payments set status = ${settled}, stripe_payment_intent_id = 'pi_half'
      from booking where payments.payment_id = booking.payment_id`;
    await expect(half.execute(app.db), settled).rejects.toThrow('is still pending');
    expect(await statusesOf(slotIds), settled).toEqual(['pending', 'pending']);
  }
  expect((await settle(customer, payment.bookingId)).body.outcome).toBe('booked');
});
