import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import type { InputOf } from '#domain/endpoint.ts';
import { notificationsApi } from '#domain/notifications/contract.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { wallTimeOf } from '#domain/time.ts';
import { auditLedger } from '#server/bookings/checks/audit-ledger.ts';
import { packageRoot } from '#server/platform/package-root.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { writeRefund } from '#server/test-support/lessons.test-support.ts';
import { changeInStripe } from '#server/test-support/stripe-simulator.test-support.ts';
import { beforeTests, eventually, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { parseStrictly, sumAmounts } from './payrun-file.test-support.ts';

let ended = 0;
const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const admin = beforeTests(() => app.signIn('admin'));
afterEach(() => club.expectLedgerInOrder());

const account = {
  accountName: 'Ana Souza',
  sortCode: '08-99-99',
  accountNumber: '66374958',
  recipientType: 'Individual',
} as const;

/** Adds a coach, with bank details by default. */
async function addCoach(details: Partial<typeof account> | { accountName: string } | null = {}) {
  const coach = await app.signIn('coach');
  if (details) {
    const { error } = await app.call(coach, payoutsApi.saveBankDetails, { ...account, ...details });
    expect(error).toBeUndefined();
  }
  return coach;
}

/** Books and pays for a lesson of this coach through the API, then moves it into the past. */
async function bookEnded(coach: Someone, priceCents = 5000): Promise<string> {
  const slotId = await club.publish({ coachId: coach.userId, priceCents });
  const { bookingId } = (await club.book(await club.join(), slotId, priceCents)).body;
  ended += 1;
  await club.putAt(slotId, -120 * ended);
  return bookingId;
}

/** Records a refund of a paid-out lesson in our database and in the Stripe simulator. */
async function refundLater(bookingId: string, refundCents: number, feeCents: number) {
  await sql`
    with booking as (
      update bookings set status = 'refunded', cancelled_at = now(), cancelled_by = 'platform'
      where booking_id = ${bookingId}::uuid returning *
    ), seat as (
      update lesson_slots set booked_count = booked_count - 1 from booking
      where lesson_slots.slot_id = booking.slot_id
    )
    select from booking`.execute(app.db);
  const refundId = await writeRefund(app.db, bookingId, { cents: refundCents, feeCents });
  const { payment } = await app.db
    .selectFrom('bookings')
    .innerJoin('payments', 'payments.paymentId', 'bookings.paymentId')
    .select('stripePaymentIntentId as payment')
    .where('bookingId', '=', bookingId)
    .executeTakeFirstOrThrow();
  await app.cards.refunds.create({
    ...{ payment_intent: payment!, amount: refundCents },
    metadata: { refund_id: refundId },
  });
}

async function listPayable(limit = 100) {
  const bookings = [];
  let cursor: string | null | undefined;
  do {
    const { body } = await app.call(admin, payoutsApi.listPayableBookings, {
      limit,
      ...(cursor && { cursor }),
    });
    expect(body.bookings.length).toBeLessThanOrEqual(limit);
    bookings.push(...body.bookings);
    cursor = body.nextCursor;
  } while (cursor);
  return bookings;
}

const create = (input: InputOf<typeof payoutsApi.createPayrun>) =>
  app.call(admin, payoutsApi.createPayrun, input);
const markPaid = (payrunId: string) => app.call(admin, payoutsApi.markPayrunPaid, { payrunId });
const exportFile = (payrunId: string) => app.call(admin, payoutsApi.getPayrunCsvRows, { payrunId });

test('lists ended lessons as payable, less the fee, page by page [ADM-3a, ADM-3b]', async () => {
  const [paid, unpayable] = [await addCoach(), await addCoach(null)];
  const bookings = [];
  for (const coach of [paid, paid, unpayable]) bookings.unshift(await bookEnded(coach));
  await club.book(await club.join(), await club.publish({ coachId: paid.userId }));
  await club.book(await club.join(), await club.publish({ coachId: paid.userId, priceCents: 0 }), 0);
  const listed = await listPayable(2);
  expect(listed.map(({ bookingId }) => bookingId)).toEqual(bookings);
  expect(listed).toMatchObject([
    { coachId: unpayable.userId, hasBankDetails: false, amountCents: 4900, title: 'Tennis basics' },
    { coachId: paid.userId, hasBankDetails: true, amountCents: 4900 },
    { coachId: paid.userId, hasBankDetails: true, amountCents: 4900 },
  ]);
  const facts = await app.db
    .selectFrom('bookings')
    .innerJoin('lessonSlots', 'lessonSlots.slotId', 'bookings.slotId')
    .innerJoin('profiles as coach', 'coach.userId', 'lessonSlots.coachId')
    .innerJoin('profiles as customer', 'customer.userId', 'bookings.customerUserId')
    .select(['coach.fullName as coachName', 'customer.fullName as customerName', 'lessonSlots.endTime'])
    .where('bookingId', 'in', bookings)
    .orderBy('lessonSlots.endTime')
    .execute();
  expect(listed.map(({ endTime }) => Date.parse(endTime))).toEqual(
    facts.map(({ endTime }) => Date.parse(endTime)),
  );
  expect(listed).toMatchObject(facts.map(({ coachName, customerName }) => ({ coachName, customerName })));
  const ready = await app.call(admin, payoutsApi.listPayableBookings, { readyOnly: 'true' });
  expect(ready.body.bookings.map(({ bookingId }) => bookingId)).toEqual(bookings.slice(1));
  const refused = await create({ bookingIds: bookings });
  expect([refused.status, refused.error!.details]).toEqual([409, { bookingIds: [bookings[0]] }]);
  expect(refused.error!.message).toMatch(/^Person \d+ has not added bank details yet/);
  expect(await listPayable()).toHaveLength(3);

  const none = await create({ bookingIds: [] });
  expect([none.status, none.error!.message]).toEqual([422, 'No bookings selected']);
  const formula = await create({ bookingIds: [bookings[1]!], paymentReference: '=1+1' });
  expect(formula.error!.fields).toHaveProperty('paymentReference');
  const odd = await app.call(admin, payoutsApi.listPayableBookings, { cursor: "x' or 1=1" });
  expect(odd.status).toBe(422);
  for (const who of [paid, await app.signIn('customer')]) {
    expect((await app.call(who, payoutsApi.listPayableBookings, {})).status).toBe(403);
    expect((await app.call(who, payoutsApi.createPayrun, { bookingIds: bookings })).status).toBe(403);
  }
  const euros = { bookingIds: [bookings[1]!], currency: 'EUR' as 'GBP' };
  expect((await create(euros)).error!.fields).toEqual({ currency: 'We can only pay in pounds.' });
  const { payrun } = (await create({ bookingIds: bookings.slice(1) })).body;
  expect(payrun).toMatchObject({
    ...{ bookingCount: 2, totalAmountCents: 9800, currency: 'GBP' },
    paymentReference: expect.stringMatching(/^PAYRUN /),
  });
  const items = app.db.selectFrom('payrunItems').select('bookingId').where('payrunId', '=', payrun.payrunId);
  const paying = (await items.execute()).map(({ bookingId }) => bookingId);
  expect(paying.sort()).toEqual(bookings.slice(1).sort());
  const left = await listPayable();
  expect(left.map(({ bookingId }) => bookingId)).toEqual([bookings[0]]);
  const more = [await bookEnded(paid)];
  const named = await create({ bookingIds: more, paymentReference: 'JUNE 27', currency: 'GBP' });
  expect(named.body.payrun).toMatchObject({ paymentReference: 'JUNE 27', currency: 'GBP' });
});

test('withholds a disputed booking until the dispute is won', async () => {
  const coach = await addCoach();
  const [disputed, fine] = [await bookEnded(coach), await bookEnded(coach)];
  const { intent } = await app.db
    .selectFrom('bookings')
    .innerJoin('payments', 'payments.paymentId', 'bookings.paymentId')
    .select('stripePaymentIntentId as intent')
    .where('bookingId', '=', disputed)
    .executeTakeFirstOrThrow();
  const find = async (bookingId: string) =>
    (await listPayable()).find((booking) => booking.bookingId === bookingId);
  const { id } = await changeInStripe(app, 'disputes', { payment_intent: intent });
  await eventually(async () => (await find(disputed))?.isDisputed);
  expect(await find(fine)).toMatchObject({ isDisputed: false });
  const refused = await create({ bookingIds: [disputed, fine] });
  expect([refused.status, refused.error!.details]).toEqual([409, { bookingIds: [disputed] }]);
  expect(refused.error!.message).toContain('disputed');
  expect((await create({ bookingIds: [fine] })).body.payrun.totalAmountCents).toBe(4900);
  await changeInStripe(app, `disputes/${id}`, { status: 'won' });
  await eventually(async () => (await find(disputed))?.isDisputed === false);
  expect((await create({ bookingIds: [disputed] })).status).toBe(200);
});

test('writes the same file from a snapshot every time, with a row for each coach [ADM-4a, ADM-4b, NOTE-1b]', async () => {
  const ana = await addCoach();
  const firm = await addCoach({ accountName: "O'Neil, Smith & Sons", recipientType: 'Business' } as never);
  const [one, two, three] = [await bookEnded(ana), await bookEnded(ana, 7555), await bookEnded(firm, 12592)];
  const { body, status } = await create({
    bookingIds: [three!, one!, two!],
    paymentReference: 'COACHING NOV',
  });
  expect(status).toBe(200);
  const { payrun } = body;
  expect(payrun).toMatchObject({
    status: 'pending',
    totalAmountCents: 4900 + 7404 + 12340,
    currency: 'GBP',
    paymentReference: 'COACHING NOV',
    bookingCount: 3,
    coachCount: 2,
    changedBankDetails: [],
    paidAt: null,
  });
  const file = (await exportFile(payrun.payrunId)).body;
  expect(file.fileName).toBe(`payrun-${payrun.payrunId.slice(0, 8)}.csv`);
  // docs/payrun-csv.md shows this payrun as its example, with lines in the order of the coaches' ids.
  const document = await readFile(join(packageRoot, 'docs/payrun-csv.md'), 'utf8');
  const [header, anas, firms] = /```csv\n([^`]+)```/.exec(document)![1]!.split('\n');
  const lines = ana.userId < firm.userId ? [header, anas, firms] : [header, firms, anas];
  expect(Buffer.from(file.csv)).toEqual(Buffer.from(lines.map((line) => `${line}\r\n`).join('')));
  expect(sumAmounts(file.csv)).toBe(payrun.totalAmountCents);
  expect(parseStrictly(file.csv)).toEqual([
    header!.split(','),
    ...file.rows.map((row) => Object.values(row)),
  ]);

  // The coach changes their bank details. The pending payrun keeps the old details and warns of the change.
  await app.call(ana, payoutsApi.saveBankDetails, {
    ...account,
    sortCode: '107999',
    accountNumber: '88837491',
  });
  expect((await exportFile(payrun.payrunId)).body.csv).toBe(file.csv);
  const listed = await app.call(admin, payoutsApi.listPayruns, { limit: 1 });
  expect(listed.body.payruns[0]).toMatchObject({
    payrunId: payrun.payrunId,
    changedBankDetails: [expect.stringMatching(/^Person/)],
  });

  const { payruns } = (await app.call(admin, payoutsApi.listPayruns, { limit: 50 })).body;
  const made = payruns.map(({ createdAt }) => createdAt);
  expect(made.length).toBeGreaterThan(1);
  expect(made, 'newest first').toEqual([...made].sort().reverse());
  const paid = await markPaid(payrun.payrunId);
  expect(paid.body.payrun).toMatchObject({ status: 'paid', changedBankDetails: [] });
  const again = await markPaid(payrun.payrunId);
  expect([again.status, again.error!.message]).toEqual([409, 'This payrun has already been marked as paid.']);
  expect((await exportFile(payrun.payrunId)).body.csv).toBe(file.csv);
  const received = await eventually(async () =>
    (await app.emailsTo(ana.email)).find(({ subject }) => subject.includes('has paid you £123.04')),
  );
  expect(received.text).toContain('••••4958');
  expect(received.text).not.toContain('66374958');
  const inApp = await app.call(ana, notificationsApi.listNotifications, {});
  const titles = inApp.body.notifications.flatMap(({ kind, title }) => (kind === 'paid_out' ? title : []));
  expect(titles).toEqual([received.subject]);
  const earnings = (await app.call(ana, earningsApi.getEarnings, {})).body;
  expect(earnings).toMatchObject({ netCents: 12304, paidOutCents: 12304, toComeCents: 0 });
  const events = await app.db
    .selectFrom('auditLog')
    .select('action')
    .where('subjectId', '=', payrun.payrunId)
    .orderBy('auditId')
    .execute();
  expect(events.map(({ action }) => action)).toEqual([
    'payrun.created',
    ...['payrun.exported', 'payrun.exported', 'payrun.paid', 'payrun.exported'],
  ]);
  const empty = await app.db
    .insertInto('payruns')
    .values({ totalAmountCents: 100, paymentReference: 'EMPTY', createdBy: admin.userId })
    .returning('payrunId')
    .executeTakeFirstOrThrow();
  for (const payrunId of [empty.payrunId, '00000000-0000-4000-8000-000000000000']) {
    const refused = await exportFile(payrunId);
    expect([refused.status, refused.error!.message]).toEqual([404, 'No payment data found for this payrun']);
  }
  await app.db.deleteFrom('payruns').where('payrunId', '=', empty.payrunId).execute();
});

test('pays each booking once when payruns are created simultaneously [ADM-5]', async () => {
  const coach = await addCoach();
  const bookingIds: string[] = [];
  for (let count = 0; count < 6; count++) bookingIds.push(await bookEnded(coach));
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      // Each request shares each of its two bookings with another request.
      create({ bookingIds: [bookingIds[index]!, bookingIds[(index + 1) % 6]!] }),
    ),
  );
  const made = answers.filter(({ status }) => status === 200).map(({ body }) => body.payrun);
  expect(made.length).toBeGreaterThanOrEqual(2);
  expect(made.map(({ totalAmountCents }) => totalAmountCents)).toEqual(made.map(() => 9800));
  for (const { status, error } of answers)
    if (status !== 200) expect([status, error!.code]).toEqual([409, 'conflict']);
  const rest = (await listPayable()).filter(({ coachId }) => coachId === coach.userId);
  expect(made.length * 2 + rest.length).toBe(6);
  const marks = await Promise.all([0, 1, 2, 3].map(() => markPaid(made[0]!.payrunId)));
  expect(marks.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
});

test('deducts a refund made after a payout once from a later payrun', async () => {
  const coach = await addCoach();
  const early = await bookEnded(coach);
  const first = (await create({ bookingIds: [early] })).body.payrun;
  await markPaid(first.payrunId);
  await refundLater(early, 5000, 100);
  expect((await app.call(coach, earningsApi.getEarnings, {})).body).toMatchObject({ toComeCents: -4900 });

  const small = await bookEnded(coach, 2000);
  const owing = await create({ bookingIds: [small] });
  expect(owing.error!.message).toMatch(
    /^After refunds of lessons that were already paid out, Person \d+ still owes £29\.40\./,
  );
  const large = await bookEnded(coach, 10_000);
  const second = (await create({ bookingIds: [small, large] })).body.payrun;
  expect(second).toMatchObject({ totalAmountCents: 1960 + 9800 - 4900, bookingCount: 2 });
  expect((await exportFile(second.payrunId)).body.rows.map(({ amount }) => amount)).toEqual(['68.60']);
  await markPaid(second.payrunId);
  const { csv } = (await app.call(coach, earningsApi.exportPayments, {})).body;
  expect(csv).toMatch(/,deducted after a refund,-49\.00,GBP,\r\n/);
  const third = (await create({ bookingIds: [await bookEnded(coach)] })).body.payrun;
  expect(third.totalAmountCents).toBe(4900);
  expect((await app.call(coach, earningsApi.getEarnings, {})).body).toMatchObject({
    netCents: 1960 + 9800 + 4900,
    paidOutCents: 1960 + 9800,
    toComeCents: 4900,
  });
});

test("detects payruns that don't agree with their items or the ledger", async () => {
  const coach = await addCoach();
  const { payrun } = (await create({ bookingIds: [await bookEnded(coach)] })).body;
  const rulesBroken = async (corruption: string, mending: string) => {
    await sql.raw(corruption).execute(app.db);
    const findings = await auditLedger(app.db);
    for (const statement of mending.split(';')) await sql.raw(statement).execute(app.db);
    return findings.map(({ rule }) => rule).join('\n');
  };
  const where = `where payrun_id = '${payrun.payrunId}'`;
  expect(
    await rulesBroken(
      `update payruns set total_amount_cents = total_amount_cents + 1 ${where}`,
      `update payruns set total_amount_cents = total_amount_cents - 1 ${where}`,
    ),
  ).toContain("A payrun's total is the sum");
  expect(
    await rulesBroken(
      `update payruns set status = 'paid', paid_at = now() ${where}`,
      `alter table payruns disable trigger payruns_end_once;
       update payruns set status = 'pending', paid_at = null ${where};
       alter table payruns enable trigger payruns_end_once`,
    ),
  ).toContain('The ledger agrees with paid payruns');
  const item = `where booking_id in (select booking_id from payrun_items ${where})`;
  expect(
    await rulesBroken(
      `update bookings set is_in_payrun = false ${item}`,
      `update bookings set is_in_payrun = true ${item}`,
    ),
  ).toContain('A booking has at most one payrun item');
});

test("lists a coach's payments with their lessons, and exports them as CSV [EARN-1c]", async () => {
  const [coach, other] = [await addCoach(), await addCoach()];
  const list = async (who: Someone) => (await app.call(who, earningsApi.listPayments, {})).body.payments;
  const bookingIds = [await bookEnded(coach), await bookEnded(coach), await bookEnded(other)];
  const made = (await create({ bookingIds, paymentReference: 'JULY 27' })).body.payrun;
  expect(await list(coach)).toEqual([]);
  await markPaid(made.payrunId);
  const [payment] = await list(coach);
  const fee = 100;
  expect(payment).toMatchObject({
    ...{ payrunId: made.payrunId, amountCents: 2 * (5000 - fee) },
    ...{ paymentReference: 'JULY 27' },
  });
  const { lessons } = payment!;
  expect(lessons.map(({ bookingId }) => bookingId).sort()).toEqual(bookingIds.slice(0, 2).sort());
  expect(lessons[0]).toMatchObject({ title: 'Tennis basics', amountCents: 5000 - fee, kind: 'lesson' });
  expect((await list(other))[0]!.lessons).toHaveLength(1);
  expect(await list(await addCoach())).toEqual([]);
  const paidOn = wallTimeOf(Date.parse(payment!.paidAt)).date;
  expect(Math.abs(Date.parse(payment!.paidAt) - Date.now())).toBeLessThan(60_000);
  const more = (await create({ bookingIds: [await bookEnded(coach)], paymentReference: 'AUGUST 27' })).body;
  await markPaid(more.payrun.payrunId);
  expect((await list(coach)).map(({ paymentReference }) => paymentReference)).toEqual([
    'AUGUST 27',
    'JULY 27',
  ]);
  const { csv } = (await app.call(coach, earningsApi.exportPayments, {})).body;
  const [header, ...rows] = csv.trimEnd().split('\r\n');
  expect(header).toBe(
    'paid_on,payment_reference,lesson_date,lesson_time,lesson,customer,kind,amount,currency,returned_on',
  );
  expect(rows.map((row) => row.split(',')[1]).sort()).toEqual(['AUGUST 27', 'JULY 27', 'JULY 27']);
  const earlier = rows.filter((row) => row.includes('JULY 27'));
  expect(earlier[0]).toMatch(/,JULY 27,.*,Tennis basics,.*,lesson,49\.00,GBP,$/);
  expect(earlier[0]!.split(',')[0]).toBe(paidOn);

  // The export has the payments of every page of the list.
  for (const paymentReference of ['WEEK 1', 'WEEK 2', 'WEEK 3', 'WEEK 4']) {
    await markPaid(
      (await create({ bookingIds: [await bookEnded(coach)], paymentReference })).body.payrun.payrunId,
    );
  }
  expect(await list(coach)).toHaveLength(5);
  const whole = (await app.call(coach, earningsApi.exportPayments, {})).body.csv;
  expect(
    whole
      .match(/JULY 27|AUGUST 27|WEEK \d/g)!
      .toSorted()
      .join(),
  ).toBe('AUGUST 27,JULY 27,JULY 27,WEEK 1,WEEK 2,WEEK 3,WEEK 4');
});
