import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { lessonsApi } from '#domain/bookings/lessons-contract.ts';
import { disputesApi } from '#domain/payments/disputes-contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { outputOf, type Someone } from '#server/test-support/contract-client.test-support.ts';
import { addPayableCoach } from '#server/test-support/sold-lessons.test-support.ts';
import { changeInStripe } from '#server/test-support/stripe-simulator.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { bookTogether } from '../booking/checkouts.test-support.ts';
import { auditLedger } from '../checks/audit-ledger.ts';
import { refundBooking } from '../refunds/refund-booking.ts';

let ended = 0;
const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const admin = beforeTests(() => app.signIn('admin'));
afterEach(() => app.stripeSimulator.control({ errorRate: 0 }));

/** Books and pays for lessons of these coaches with one payment, then moves the lessons into the past. */
async function buy(
  coaches: Someone[],
  priceCents = 5000,
): Promise<{ customer: Someone; bookingIds: string[] }> {
  const customer = await club.join();
  const slotIds = [];
  for (const { userId: coachId } of coaches) slotIds.push(await club.publish({ coachId, priceCents }));
  const { bookings } = await bookTogether(app, customer, slotIds);
  for (const slotId of slotIds) {
    ended += 1;
    await club.putAt(slotId, -120 * ended);
  }
  return {
    customer,
    bookingIds: slotIds.map((slotId) => bookings.find((one) => one.slotId === slotId)!.bookingId),
  };
}

/** Disputes the payment of a booking at the bank, and waits until the product knows. Returns the dispute's id. */
async function disputePayment(bookingId: string, reason = 'product_not_received'): Promise<string> {
  const { intent } = await app.db
    .selectFrom('bookings')
    .innerJoin('payments', 'payments.paymentId', 'bookings.paymentId')
    .select('stripePaymentIntentId as intent')
    .where('bookingId', '=', bookingId)
    .executeTakeFirstOrThrow();
  const { id } = await changeInStripe(app, 'disputes', { payment_intent: intent, reason });
  // Stripe sends two events, and each makes the product read the dispute again.
  await eventually(async () => {
    const events = app.db.selectFrom('webhookEvents').select('eventId').where('objectId', '=', id);
    return (await events.where('handledAt', 'is not', null).execute()).length === 2;
  });
  expect((await list('open')).map(({ disputeId }) => disputeId)).toContain(id);
  return id;
}

const list = async (view: 'open' | 'done') =>
  (await outputOf(app.call(admin, disputesApi.listDisputes, { view }))).disputes;
const read = async (disputeId: string) =>
  (await outputOf(app.call(admin, disputesApi.getDispute, { disputeId }))).dispute;
const send = (disputeId: string, statement = '') =>
  app.call(admin, disputesApi.sendEvidence, { disputeId, statement });
const book = (
  disputeId: string,
  borneBy: 'coach' | 'platform',
  lines?: { bookingId: string; cents: number }[],
) => app.call(admin, disputesApi.recordLoss, { disputeId, borneBy, ...(lines && { lines }) });
async function decide(disputeId: string, status: 'won' | 'lost') {
  await changeInStripe(app, `disputes/${disputeId}`, { status });
  await eventually(async () => (await read(disputeId)).status === status);
}
const earningsOf = (coach: Someone) => outputOf(app.call(coach, earningsApi.getEarnings, {}));
async function listReady(coach: Someone) {
  const { bookings } = await outputOf(app.call(admin, payoutsApi.listPayableBookings, { limit: 100 }));
  return bookings
    .filter(({ coachId, isDisputed }) => coachId === coach.userId && !isDisputed)
    .map(({ bookingId, amountCents }) => ({ bookingId, amountCents }));
}

test('lists disputes by the day on which evidence is due [CONNECT-2a]', async () => {
  const coach = await addPayableCoach(app);
  const [first, second] = [await buy([coach]), await buy([coach])];
  const ids = [
    await disputePayment(first.bookingIds[0]!),
    await disputePayment(second.bookingIds[0]!, 'fraudulent'),
  ];
  // Uses whole seconds, because PostgreSQL omits trailing zeros of a fraction.
  const days = [9, 3].map(
    (count) => `${new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 19)}Z`,
  );
  for (const [index, disputeId] of ids.entries()) {
    await app.db
      .updateTable('disputes')
      .set({ evidenceDueBy: days[index]! })
      .where('disputeId', '=', disputeId)
      .execute();
  }
  const open = (await list('open')).filter(({ disputeId }) => ids.includes(disputeId));
  expect(open).toMatchObject([
    {
      ...{ disputeId: ids[1], status: 'needs_response', reason: 'fraudulent', amountCents: 5000 },
      ...{ evidenceDueBy: days[1], evidenceState: 'none', titles: ['Tennis basics'], borneBy: null },
    },
    { disputeId: ids[0], reason: 'product_not_received', evidenceDueBy: days[0] },
  ]);
  await decide(ids[0]!, 'won');
  expect((await list('open')).map(({ disputeId }) => disputeId)).not.toContain(ids[0]);
  expect((await list('done'))[0]).toMatchObject({ disputeId: ids[0], status: 'won' });
  // A lost dispute stays in the list until its loss is recorded.
  await decide(ids[1]!, 'lost');
  expect((await list('open')).map(({ disputeId }) => disputeId)).toContain(ids[1]);
  await outputOf(book(ids[1]!, 'platform'));
  expect((await list('open')).map(({ disputeId }) => disputeId)).not.toContain(ids[1]);
  expect((await list('done'))[0]).toMatchObject({ disputeId: ids[1], status: 'lost', borneBy: 'platform' });
});

test('gathers evidence from our records, and sends it to Stripe only once [CONNECT-2b, CONNECT-2c]', async () => {
  const coach = await addPayableCoach(app);
  const { customer, bookingIds } = await buy([coach]);
  const [bookingId] = bookingIds as [string];
  await eventually(async () => (await app.emailsTo(customer.email)).length > 0);
  await outputOf(app.call(coach, lessonsApi.markAttendance, { bookingId, attended: true }));
  await app.db.transaction().execute((tx) => refundBooking(tx, { bookingId, cents: 500, borneBy: 'coach' }));
  const disputeId = await disputePayment(bookingId);
  const { evidence, ...dispute } = await read(disputeId);
  expect(dispute).toMatchObject({
    ...{ paymentCents: 5000, card: { brand: 'visa', lastFour: '4242' }, evidenceState: 'none' },
    bookings: [{ bookingId, state: 'Completed', paidCents: 5000, leftCents: 4500, payout: 'none' }],
  });
  expect(evidence!.customerEmail).toBe(customer.email);
  expect(evidence!.productDescription).toContain('Sports lesson “Tennis basics” with');
  expect(evidence!.cancellationPolicy).toMatch(/full refund until \d+ hours before the lesson/);
  const { createdAt } = await app.db
    .selectFrom('bookings')
    .select('createdAt')
    .where('bookingId', '=', bookingId)
    .executeTakeFirstOrThrow();
  const when = `${formatDay(createdAt, 0)}, ${formatTime(createdAt)}`;
  expect(evidence!.cancellationPolicy).toContain(`The customer accepted these terms by booking on ${when}.`);
  expect(evidence!.history).toMatch(/Attendance of booking \w+: Completed\./);
  expect(evidence!.history).toMatch(/email “.*” to .*, accepted by the mail server\./);
  expect(evidence!.history).toContain('refund of £5.00 to the card');

  await app.stripeSimulator.control({ errorRate: 0.5 });
  const answers = await Promise.all([1, 2, 3, 4].map(() => send(disputeId, 'She came and played.')));
  await app.stripeSimulator.control({ errorRate: 0 });
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
  expect(answers.find(({ status }) => status === 409)!.error!.message).toBe(
    'The evidence has already been sent. A bank accepts evidence only once.',
  );
  await eventually(async () => (await read(disputeId)).evidenceState === 'sent', 60_000);
  const atStripe = await app.cards.disputes.retrieve(disputeId);
  expect(atStripe.evidence_details.submission_count).toBe(1);
  expect(atStripe.status).toBe('under_review');
  expect(atStripe.evidence).toMatchObject({
    ...{ customer_email_address: customer.email, service_date: evidence!.serviceDate },
    uncategorized_text: expect.stringMatching(/^She came and played\.\n\n/),
  });
  expect((await read(disputeId)).evidence).toMatchObject({ statement: 'She came and played.' });
  expect((await send(disputeId)).status).toBe(409);
});

test('refuses evidence after the deadline, and shows the admin a refusal by Stripe [CONNECT-2c]', async () => {
  const coach = await addPayableCoach(app);
  const [late, closed] = [await buy([coach]), await buy([coach])];
  const lateId = await disputePayment(late.bookingIds[0]!);
  await app.db
    .updateTable('disputes')
    .set({ evidenceDueBy: new Date(Date.now() - 60_000).toISOString() })
    .where('disputeId', '=', lateId)
    .execute();
  expect((await send(lateId)).error!.message).toBe('The last day for sending evidence has passed.');
  // The bank decides while the evidence is on its way, before the product learns of the decision.
  const closedId = await disputePayment(closed.bookingIds[0]!);
  await app.stripeSimulator.control({ webhooksOff: true });
  // Otherwise, the recurring job that reads missed events would record the decision.
  await sql`update health set events_read_until = now() + interval '1 hour'`.execute(app.db);
  await changeInStripe(app, `disputes/${closedId}`, { status: 'lost' });
  await outputOf(send(closedId));
  await eventually(async () => (await read(closedId)).evidenceState === 'refused');
  expect((await read(closedId)).evidenceRefusal).toContain('already closed');
  await app.stripeSimulator.control({ webhooksOff: false });
  expect((await app.call(admin, disputesApi.getDispute, { disputeId: 'du_none' })).status).toBe(404);
});

test('lists a lost dispute until its loss is recorded, then makes the booking payable [CONNECT-2a, CONNECT-2d]', async () => {
  const coach = await addPayableCoach(app);
  const { bookingIds } = await buy([coach]);
  const disputeId = await disputePayment(bookingIds[0]!);
  expect((await book(disputeId, 'platform')).error!.message).toBe(
    'You can record a loss only for a lost dispute.',
  );
  await decide(disputeId, 'lost');
  expect(await listReady(coach)).toEqual([]);
  const isIn = async (view: 'open' | 'done') =>
    (await list(view)).some((dispute) => dispute.disputeId === disputeId);
  expect([await isIn('open'), await isIn('done')]).toEqual([true, false]);
  const answers = await Promise.all([1, 2, 3].map(() => book(disputeId, 'platform')));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  expect([await isIn('open'), await isIn('done')]).toEqual([false, true]);
  expect(await read(disputeId)).toMatchObject({ borneBy: 'platform', lossCents: 5000 });
  expect(await earningsOf(coach)).toMatchObject({ netCents: 4900, toComeCents: 4900 });
  expect(await listReady(coach)).toEqual([{ bookingId: bookingIds[0], amountCents: 4900 }]);
  const left = await app.db
    .transaction()
    .execute(async (tx) =>
      refundBooking(tx, { bookingId: bookingIds[0]!, cents: 1, borneBy: 'platform' }).catch(
        ({ message }) => message,
      ),
    );
  expect(left).toBe('Only £0.00 of this booking can still be refunded.');
  const findings = await auditLedger(app.db, app.cards);
  expect(findings.filter(({ rows }) => JSON.stringify(rows).includes(disputeId))).toEqual([]);
});

test('deducts a loss borne by the coach from a later payout, and emails the coach [CONNECT-2d]', async () => {
  const coach = await addPayableCoach(app);
  const { bookingIds } = await buy([coach]);
  const { payrun } = await outputOf(app.call(admin, payoutsApi.createPayrun, { bookingIds }));
  await outputOf(app.call(admin, payoutsApi.markPayrunPaid, { payrunId: payrun.payrunId }));
  const disputeId = await disputePayment(bookingIds[0]!);
  await decide(disputeId, 'lost');
  await outputOf(book(disputeId, 'coach'));
  expect(await earningsOf(coach)).toMatchObject({ netCents: 0, paidOutCents: 4900, toComeCents: -4900 });
  const email = await eventually(async () =>
    (await app.emailsTo(coach.email)).find(({ subject }) => subject.includes('disputed payment was lost')),
  );
  expect(email.text).toContain('Tennis basics');
  const next = await buy([coach], 10_000);
  const { payrun: second } = await outputOf(
    app.call(admin, payoutsApi.createPayrun, { bookingIds: next.bookingIds }),
  );
  expect(second.totalAmountCents).toBe(9800 - 4900);
});

test('divides the loss on a joint payment among its bookings [CONNECT-2e]', async () => {
  const [coach, other] = [await addPayableCoach(app), await addPayableCoach(app)];
  const { bookingIds } = await buy([coach, other]);
  const [first, second] = bookingIds as [string, string];
  const disputeId = await disputePayment(first);
  // Until the bank decides, all bookings of the payment wait.
  expect(await listReady(coach)).toEqual([]);
  expect(await listReady(other)).toEqual([]);
  // The bank takes only £50 of the £100.
  await sql`update disputes set amount_cents = 5000 where dispute_id = ${disputeId}`.execute(app.db);
  await sql`update disputes set status = 'lost' where dispute_id = ${disputeId}`.execute(app.db);
  const undivided = await book(disputeId, 'coach');
  expect([undivided.status, undivided.error!.message]).toEqual([
    422,
    'Enter how much of each booking went back to the customer.',
  ]);
  const wrong = await book(disputeId, 'coach', [{ bookingId: first, cents: 4000 }]);
  expect(wrong.error!.message).toBe('The parts must add up to £50.00.');
  const foreign = (await buy([coach])).bookingIds[0]!;
  const strange = await book(disputeId, 'coach', [{ bookingId: foreign, cents: 5000 }]);
  expect(strange.error!.message).toBe('One of these bookings is not part of the disputed payment.');
  await outputOf(
    book(disputeId, 'coach', [
      { bookingId: first, cents: 5000 },
      { bookingId: second, cents: 0 },
    ]),
  );
  expect(await earningsOf(coach)).toMatchObject({ netCents: 4900 });
  expect(await earningsOf(other)).toMatchObject({ netCents: 4900, toComeCents: 4900 });
  expect(await listReady(other)).toEqual([{ bookingId: second, amountCents: 4900 }]);
  const lost = await read(disputeId);
  expect(lost.bookings.map(({ leftCents }) => leftCents)).toEqual([0, 5000]);
});
