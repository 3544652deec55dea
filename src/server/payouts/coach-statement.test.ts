import { expect, test } from 'vitest';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { payrunApi } from '#domain/payouts/payrun-contract.ts';
import { statementApi } from '#domain/payouts/statement-contract.ts';
import { refundBooking } from '#server/bookings/refunds/refund-booking.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import { outputOf, type Someone } from '#server/test-support/contract-client.test-support.ts';
import { addPayableCoach } from '#server/test-support/sold-lessons.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

let ended = 0;
const app = setUpTestApp();
const club = beforeTests(() => openClub(app));
const admin = beforeTests(() => app.signIn('admin'));

/** Books and pays for a lesson of this coach, then moves it into the past. Of £50, the platform keeps £1. */
async function bookEnded({ userId: coachId }: Someone): Promise<string> {
  const slotId = await club.publish({ coachId });
  const { bookingId } = (await club.book(await club.join(), slotId)).body;
  ended += 1;
  await club.putAt(slotId, -120 * ended);
  return bookingId;
}
async function pay(bookingIds: string[], paymentReference: string): Promise<string> {
  const made = await outputOf(app.call(admin, payoutsApi.createPayrun, { bookingIds, paymentReference }));
  const { payrunId } = made.payrun;
  await outputOf(app.call(admin, payoutsApi.markPayrunPaid, { payrunId }));
  return payrunId;
}
const refund = (bookingId: string, cents: number) =>
  app.db.transaction().execute((tx) => refundBooking(tx, { bookingId, cents, borneBy: 'coach' }));

test('states the lessons, fees, refunds and deductions of a payment [EARN-1d]', async () => {
  const [coach, other] = [await addPayableCoach(app), await addPayableCoach(app)];
  const [paid, halved, later] = [await bookEnded(coach), await bookEnded(coach), await bookEnded(coach)];
  await refund(halved, 2500);
  const first = await pay([paid, halved, await bookEnded(other)], 'MARCH');
  await refund(paid, 1000);
  const second = await pay([later], 'APRIL');

  const read = (who: Someone, payrunId: string) => app.call(who, statementApi.getStatement, { payrunId });
  const { statement } = await outputOf(read(coach, first));
  expect(statement).toMatchObject({
    ...{ paymentReference: 'MARCH', accountName: 'Ana Souza', maskedAccountNumber: '••••4958' },
    ...{ lessonsCents: 7350, deductedCents: 0, amountCents: 7350, returned: null },
    // The lesson that was booked last ended first.
    lines: [
      { bookingId: halved, kind: 'lesson', priceCents: 5000, keptCents: 2550, amountCents: 2450 },
      { bookingId: paid, kind: 'lesson', priceCents: 5000, keptCents: 100, amountCents: 4900 },
    ],
  });
  expect((await outputOf(read(coach, second))).statement).toMatchObject({
    ...{ lessonsCents: 4900, deductedCents: 980, amountCents: 3920 },
    lines: [
      { bookingId: later, kind: 'lesson', amountCents: 4900 },
      { bookingId: paid, kind: 'carried_forward', priceCents: null, keptCents: null, amountCents: -980 },
    ],
  });
  expect((await outputOf(read(other, first))).statement).toMatchObject({ amountCents: 4900 });
  const { fileName, csv } = await outputOf(
    app.call(coach, statementApi.exportStatement, { payrunId: second }),
  );
  expect(fileName).toMatch(new RegExp(`^statement-\\d{4}-\\d\\d-\\d\\d-${second.slice(0, 8)}\\.csv$`));
  const [header, ...rows] = csv.trimEnd().split('\r\n');
  expect(header).toBe(
    'paid_on,payment_reference,lesson_date,lesson_time,lesson,customer,booking,kind,price,fee_and_refunds,amount,currency',
  );
  expect(rows.map((row) => row.split(',').slice(6).join())).toEqual([
    `${later.slice(0, 8)},lesson,50.00,-1.00,49.00,GBP`,
    `${paid.slice(0, 8)},deducted after a refund,,,-9.80,GBP`,
  ]);

  const returned = { payrunId: second, coachId: coach.userId, reason: 'Account closed' };
  await outputOf(app.call(admin, payrunApi.enterReturn, returned));
  expect((await outputOf(read(coach, second))).statement).toMatchObject({
    ...{ amountCents: 3920, returned: { reason: 'Account closed' } },
  });
});

test("returns no statement for a pending payrun or another coach's payment [EARN-1d]", async () => {
  const [coach, other] = [await addPayableCoach(app), await addPayableCoach(app)];
  const pending = await outputOf(
    app.call(admin, payoutsApi.createPayrun, { bookingIds: [await bookEnded(coach)] }),
  );
  const others = await pay([await bookEnded(other)], 'MAY');
  for (const payrunId of [pending.payrun.payrunId, others]) {
    for (const endpoint of [statementApi.getStatement, statementApi.exportStatement]) {
      const refused = await app.call(coach, endpoint, { payrunId });
      expect([refused.status, refused.error!.message]).toEqual([404, 'Payment not found.']);
    }
  }
});
