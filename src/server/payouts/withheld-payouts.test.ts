import { sql } from 'kysely';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { ownAccountApi } from '#domain/account/contract.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { bookTogether } from '#server/bookings/booking/checkouts.test-support.ts';
import { auditLedger } from '#server/bookings/checks/audit-ledger.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { addPayableCoach } from '#server/test-support/sold-lessons.test-support.ts';
import { changeInStripe } from '#server/test-support/stripe-simulator.test-support.ts';
import {
  beforeTests,
  eventually,
  ownProof,
  setUpTestApp,
  type TestApp,
} from '#server/test-support/test-app.test-support.ts';
import { parseStrictly } from './payruns/payrun-file.test-support.ts';

let admins: Someone[];
let coach: Someone;
const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
beforeAll(async () => {
  admins = [await app.signIn('admin'), await app.signIn('admin')];
});
beforeEach(async () => {
  coach = await addPayableCoach(app);
});

/** Sells a lesson of the coach and moves it into the past. */
async function sellEnded() {
  const slotId = await club.publish({ coachId: coach.userId });
  const { bookingId } = (await club.book(await club.join(), slotId)).body;
  await club.putAt(slotId, -90 - 120 * sold++);
  const { stripePaymentIntentId } = (await club.readBookings(slotId))[0]!;
  return { bookingId, intentId: stripePaymentIntentId! };
}
let sold = 0;

const as = <E extends Parameters<TestApp['call']>[1]>(
  endpoint: E,
  input: Parameters<typeof app.call<E>>[2],
) => app.call(admins[0]!, endpoint, input);
const createPayrun = async (...bookingIds: string[]) =>
  (await as(payoutsApi.createPayrun, { bookingIds })).body.payrun;
const readPayrun = async (payrunId: string) =>
  (await as(payoutsApi.listPayruns, { limit: 50 })).body.payruns.find((one) => one.payrunId === payrunId)!;
const findPayable = async (bookingId: string) =>
  (await as(payoutsApi.listPayableBookings, { limit: 100 })).body.bookings.find(
    (booking) => booking.bookingId === bookingId,
  );
const auditRows = async (rule: string) =>
  (await auditLedger(app.db, app.cards))
    .filter((finding) => finding.rule.startsWith(rule))
    .flatMap(({ rows }) => rows);

test('withholds bookings refunded or disputed in Stripe, and shows the amounts', async () => {
  const [refunded, disputed, fine] = [await sellEnded(), await sellEnded(), await sellEnded()];
  await app.cards.refunds.create({ payment_intent: refunded.intentId, amount: 1500 });
  await changeInStripe(app, 'disputes', { payment_intent: disputed.intentId });
  await eventually(async () => (await findPayable(refunded.bookingId))?.refundedOutsideCents === 1500);
  await eventually(async () => (await findPayable(disputed.bookingId))?.disputedCents === 5000);
  const { notifications } = (await app.call(admins[0]!, notificationsApi.listNotifications, {})).body;
  expect(notifications.filter(({ kind }) => kind === 'dispute')).toMatchObject([
    { title: 'A payment of £50.00 is disputed', path: expect.stringMatching(/^\/admin\/disputes\/\w+$/) },
  ]);
  expect(await findPayable(fine.bookingId)).toMatchObject({ disputedCents: 0, refundedOutsideCents: 0 });
  const refused = await as(payoutsApi.createPayrun, {
    bookingIds: [refunded.bookingId, disputed.bookingId, fine.bookingId],
  });
  expect(refused.error!.details!.bookingIds).toHaveLength(2);
  expect(await auditRows('Every refund made in Stripe')).toContainEqual(
    expect.objectContaining({ bookingId: refunded.bookingId, refundedOutsideCents: 1500, payrunId: null }),
  );
  expect(await auditRows('No payout is withheld')).toContainEqual(
    expect.objectContaining({ bookingId: disputed.bookingId, disputedCents: 5000 }),
  );
});

test('withholds all bookings of a payment disputed or refunded in Stripe [BASE-7b, CONNECT-2e]', async () => {
  const slotIds = [
    await club.publish({ coachId: coach.userId }),
    await club.publish({ coachId: coach.userId }),
  ];
  const { bookings, paymentId } = await bookTogether(app, await club.join(), slotIds);
  for (const slotId of slotIds) await club.putAt(slotId, -90 - 120 * sold++);
  const [first, second] = bookings.map(({ bookingId }) => bookingId);
  const stripePaymentIntentId = (await club.readBookings(slotIds[0]!))[0]!.stripePaymentIntentId!;
  const { id } = await changeInStripe(app, 'disputes', { payment_intent: stripePaymentIntentId });
  await eventually(async () => (await findPayable(first!))?.disputedCents === 5000);
  expect(await findPayable(second!)).toMatchObject({ isDisputed: true, disputedCents: 5000 });
  const refused = await as(payoutsApi.createPayrun, { bookingIds: [first!, second!] });
  expect(refused.error!.details!.bookingIds).toHaveLength(2);
  await changeInStripe(app, `disputes/${id}`, { status: 'won' });
  await eventually(async () => !(await findPayable(second!))?.isDisputed);

  await app.cards.refunds.create({ payment_intent: stripePaymentIntentId, amount: 1500 });
  await eventually(async () => (await findPayable(second!))?.refundedOutsideCents === 1500);
  expect(await findPayable(first!)).toMatchObject({ refundedOutsideCents: 1500 });
  const withheld = await as(payoutsApi.createPayrun, { bookingIds: [first!, second!] });
  expect(withheld.error!.details!.bookingIds).toHaveLength(2);
  const entered = await app.db
    .selectFrom('externalRefunds')
    .select(['amountCents', 'refundId'])
    .where('paymentId', '=', paymentId)
    .execute();
  expect(entered).toEqual([{ amountCents: 1500, refundId: null }]);
});

test('leaves withheld bookings out of a payrun created from a filter [ADM-3c]', async () => {
  const [refunded, disputed, fine] = [await sellEnded(), await sellEnded(), await sellEnded()];
  const matching = { coachIds: [coach.userId] };
  const shownBefore = (await as(payoutsApi.previewPayrun, { matching })).body;
  expect(shownBefore).toMatchObject({ bookingCount: 3, totalAmountCents: 3 * 4900 });
  await app.cards.refunds.create({ payment_intent: refunded.intentId, amount: 1 });
  await changeInStripe(app, 'disputes', { payment_intent: disputed.intentId });
  await eventually(async () => (await findPayable(refunded.bookingId))?.refundedOutsideCents === 1);
  await eventually(async () => (await findPayable(disputed.bookingId))?.isDisputed);

  const { body: byCoach } = await as(payoutsApi.listPayableCoaches, {});
  expect(byCoach.coaches.find(({ coachId }) => coachId === coach.userId)).toMatchObject({
    bookingCount: 1,
    amountCents: 4900,
    waitingCount: 2,
  });
  const { fingerprint } = shownBefore;
  const changed = await as(payoutsApi.createPayrun, { matching, fingerprint });
  expect([changed.status, changed.error!.code]).toEqual([409, 'selection_changed']);
  const shown = (await as(payoutsApi.previewPayrun, { matching })).body;
  expect(shown).toMatchObject({ bookingCount: 1, totalAmountCents: 4900 });
  const created = await as(payoutsApi.createPayrun, { matching, fingerprint: shown.fingerprint });
  expect(created.body.payrun).toMatchObject({
    bookingCount: 1,
    totalAmountCents: 4900,
    withheldBookings: [],
  });
  const { payrunId } = created.body.payrun;
  const items = await app.db
    .selectFrom('payrunItems')
    .select('bookingId')
    .where('payrunId', '=', payrunId)
    .execute();
  expect(items).toEqual([{ bookingId: fine.bookingId }]);
  const rest = await as(payoutsApi.createPayrun, { matching, fingerprint: shown.fingerprint });
  expect([rest.status, rest.error!.message]).toEqual([409, 'None of the matching bookings can be paid now.']);
});

test("finds refunds and disputes without webhooks, from Stripe's events or the audit", async () => {
  const [swept, audited] = [
    [await sellEnded(), await sellEnded()],
    [await sellEnded(), await sellEnded()],
  ];
  await app.stripeSimulator.control({ webhookDropRate: 1 });
  try {
    for (const [refunded, disputed] of [swept!, audited!]) {
      await app.cards.refunds.create({ payment_intent: refunded!.intentId, amount: 700 });
      await changeInStripe(app, 'disputes', { payment_intent: disputed!.intentId });
      const find =
        disputed === audited![1]
          ? () => auditLedger(app.db, app.cards)
          : () => enqueue(app.db, 'payments.read-missed-events', {});
      await find();
      await eventually(async () => (await findPayable(refunded!.bookingId))?.refundedOutsideCents === 700);
      await eventually(async () => (await findPayable(disputed!.bookingId))?.isDisputed);
    }
  } finally {
    await app.stripeSimulator.control({ webhookDropRate: 0 });
  }
});

test('marks a payrun with a withheld booking as paid only after confirmation', async () => {
  const [kept, gone] = [await sellEnded(), await sellEnded()];
  const { payrunId } = await createPayrun(kept.bookingId, gone.bookingId);
  await app.cards.refunds.create({ payment_intent: gone.intentId });
  const { withheldBookings } = await eventually(async () => {
    const payrun = await readPayrun(payrunId);
    return payrun.withheldBookings.length > 0 ? payrun : null;
  });
  expect(withheldBookings).toMatchObject([
    { bookingId: gone.bookingId, refundedOutsideCents: 5000, disputedCents: 0 },
  ]);
  expect(await auditRows('Every refund made in Stripe')).toContainEqual(
    expect.objectContaining({ bookingId: gone.bookingId, payrunId, payrunStatus: 'pending' }),
  );
  const refused = await as(payoutsApi.markPayrunPaid, { payrunId });
  expect([refused.status, refused.error!.details]).toEqual([409, { bookingIds: [gone.bookingId] }]);
  expect(refused.error!.message).toContain('One booking in this payrun was refunded or disputed.');
  // The bank has already sent the money, so the ledger must record it.
  const paid = await as(payoutsApi.markPayrunPaid, { payrunId, despiteWithheld: true });
  expect(paid.body.payrun).toMatchObject({ status: 'paid', withheldBookings: [] });
  const { after } = await app.db
    .selectFrom('auditLog')
    .select('after')
    .where('subjectId', '=', payrunId)
    .where('action', '=', 'payrun.paid')
    .executeTakeFirstOrThrow();
  expect(after).toMatchObject({ wasExported: false, withheldBookings: [gone.bookingId] });
});

test('cancels a pending payrun, which makes its bookings payable again [ADM-5]', async () => {
  const bookings = [await sellEnded(), await sellEnded()];
  const bookingIds = bookings.map(({ bookingId }) => bookingId);
  const first = await createPayrun(...bookingIds);
  const { payrunId } = first;
  // An admin other than the one who created the payrun.
  const canceller = admins[1]!;
  const cancel = (reason: string, isFileUnused?: boolean) =>
    app.call(canceller, payoutsApi.cancelPayrun, {
      ...{ payrunId, reason },
      ...(isFileUnused && { isFileUnused }),
    });
  expect((await cancel(' ')).error!.fields).toEqual({ reason: 'Enter a reason for cancelling the payrun.' });
  await as(payoutsApi.getPayrunCsvRows, { payrunId });
  expect((await readPayrun(payrunId)).exportedAt).not.toBeNull();
  const unsure = await cancel('Wrong reference');
  expect([unsure.status, unsure.error!.message]).toEqual([
    409,
    "This payrun's file was downloaded. Confirm that no bank has used the file and that you have deleted it.",
  ]);
  const answers = await Promise.all([1, 2, 3].map(() => cancel('Wrong reference', true)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
  const { body } = answers.find(({ status }) => status === 200)!;
  expect(body.payrun).toMatchObject({ status: 'cancelled', cancellationReason: 'Wrong reference' });
  for (const { email } of admins) {
    const received = await eventually(async () =>
      (await app.emailsTo(email)).find(({ subject }) => subject.startsWith(`Payrun ${payrunId.slice(0, 8)}`)),
    );
    expect(received.text).toContain('“Wrong reference”');
    expect(received.text).toContain("Delete the file and make sure that the bank doesn't pay it");
  }
  const paid = await as(payoutsApi.markPayrunPaid, { payrunId });
  expect([paid.status, paid.error!.message]).toEqual([409, 'This payrun has already been cancelled.']);
  const file = await as(payoutsApi.getPayrunCsvRows, { payrunId });
  expect([file.status, file.error!.message]).toEqual([
    409,
    'This payrun has been cancelled, so its file is no longer available.',
  ]);
  const logged = app.db.selectFrom('auditLog').selectAll().where('subjectId', '=', payrunId);
  const noted = await logged.orderBy('auditId').execute();
  expect(noted.at(-1)).toMatchObject({ action: 'payrun.cancelled', after: { wasExported: true } });
  const { body: own } = await app.call(canceller, ownAccountApi.getOwnData, ownProof);
  expect(own.records.find(({ table }) => table === 'payruns')!.rows).toContainEqual(
    expect.objectContaining({ payrunId, status: 'cancelled' }),
  );

  const second = await createPayrun(...bookingIds);
  expect(second).toMatchObject({ totalAmountCents: 9800, bookingCount: 2 });
  await as(payoutsApi.markPayrunPaid, { payrunId: second.payrunId });
  const late = await as(payoutsApi.cancelPayrun, { payrunId: second.payrunId, reason: 'Too late' });
  expect(late.error!.message).toBe('This payrun has already been marked as paid.');
  const earnings = (await app.call(coach, earningsApi.getEarnings, {})).body;
  expect(earnings).toMatchObject({ paidOutCents: 9800, toComeCents: 0 });
  expect(await auditRows('A booking has at most one payrun item')).toEqual([]);
  expect(await auditRows('The ledger agrees with paid payruns')).toEqual([]);
});

test('makes the database refuse to reopen a cancelled payrun or pay a booking twice [ADM-5]', async () => {
  const { bookingId } = await sellEnded();
  const { payrunId } = await createPayrun(bookingId);
  const run = (text: string) => sql.raw(text.replace('$', payrunId)).execute(app.db);
  await expect(run(`update payrun_items set is_cancelled = true where payrun_id = '$'`)).rejects.toThrow(
    'append-only',
  );
  await as(payoutsApi.cancelPayrun, { payrunId, reason: 'A test' });
  for (const status of ['paid', 'pending']) {
    await expect(
      run(
        `update payruns set status = '${status}', paid_at = now(), cancelled_at = null where payrun_id = '$'`,
      ),
    ).rejects.toThrow('a cancelled payrun cannot change its status');
  }
  await expect(run(`update payrun_items set is_cancelled = false where payrun_id = '$'`)).rejects.toThrow(
    'append-only',
  );
  const second = await createPayrun(bookingId);
  await expect(
    sql`insert into payrun_items (payrun_id, coach_id, booking_id, kind, amount_cents)
      select payrun_id, coach_id, booking_id, kind, amount_cents from payrun_items
      where payrun_id = ${second.payrunId}::uuid on conflict do nothing`.execute(app.db),
  ).resolves.toMatchObject({ numAffectedRows: 0n });
  await expect(
    sql`with copy as (
        insert into payruns (total_amount_cents, payment_reference, created_by)
        select total_amount_cents, 'COPY', created_by from payruns where payrun_id = ${second.payrunId}::uuid
        returning payrun_id
      ), recipient as (
        insert into payrun_recipients
        select copy.payrun_id, coach_id, amount_cents, account_name, account_number_encrypted, sort_code_encrypted,
          recipient_type, bank_country, bank_details_at
        from payrun_recipients, copy where payrun_recipients.payrun_id = ${second.payrunId}::uuid returning payrun_id
      )
      insert into payrun_items (payrun_id, coach_id, booking_id, kind, amount_cents)
      select copy.payrun_id, coach_id, booking_id, kind, amount_cents from payrun_items, copy, recipient
      where payrun_items.payrun_id = ${second.payrunId}::uuid`.execute(app.db),
  ).rejects.toThrow('payrun_items_one_live_lesson');
});

test('writes identical payrun files in the Revolut Business layout each time [ADM-4c]', async () => {
  const firm = await app.signIn('coach');
  const account = { accountName: 'Smith & Sons', sortCode: '089999', accountNumber: '66374958' };
  await app.call(firm, payoutsApi.saveBankDetails, { ...account, recipientType: 'Business' });
  const own = await sellEnded();
  coach = firm;
  const { payrunId } = await createPayrun(own.bookingId, (await sellEnded()).bookingId);
  const download = async (layout: 'standard' | 'revolut') =>
    (await as(payoutsApi.getPayrunCsvRows, { payrunId, layout })).body;
  const [file, again, standard] = [
    await download('revolut'),
    await download('revolut'),
    await download('standard'),
  ];
  expect(Buffer.from(file.csv)).toEqual(Buffer.from(again.csv));
  expect([file.fileName, standard.fileName]).toEqual([
    `payrun-${payrunId.slice(0, 8)}-revolut.csv`,
    `payrun-${payrunId.slice(0, 8)}.csv`,
  ]);
  const [header, ...lines] = file.csv.split('\r\n');
  expect(header).toBe(
    'Name,Recipient type,Account number,Sort code,Recipient bank country,Currency,Amount,Payment reference',
  );
  expect(lines.sort()).toEqual([
    '',
    expect.stringMatching(/^Ana Souza,Individual,66374958,089999,GB,GBP,49\.00,PAYRUN /),
    expect.stringMatching(/^Smith & Sons,Company,66374958,089999,GB,GBP,49\.00,PAYRUN /),
  ]);
  expect(parseStrictly(standard.csv).flat()).toContain('Business');
  expect(standard.csv.split('\r\n')[0]).toMatch(/^name,recipient_type,/);
  const odd = await app.call(admins[0]!, payoutsApi.getPayrunCsvRows, { payrunId, layout: 'odd' as never });
  expect(odd.error!.fields).toHaveProperty('layout');
});
