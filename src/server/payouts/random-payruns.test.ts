import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { feeOfRefund } from '#domain/bookings/rules.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { auditBooks } from '#server/bookings/checks/audit-books.ts';
import { sumAmounts } from '#server/test-support/payrun-file.test-support.ts';
import { type Someone, startTestApp, type TestApp } from '#server/test-support/test-app.test-support.ts';

let app: TestApp;
let admin: Someone;
let coaches: Someone[];
beforeAll(async () => {
  app = await startTestApp();
  admin = await app.signIn('admin');
  coaches = await Promise.all([1, 2, 3, 4].map(() => app.signIn('coach')));
  for (const coach of coaches) {
    const account = { accountName: 'Ana Souza', sortCode: '089999', accountNumber: '66374958' };
    expect((await app.call(coach, payoutsApi.saveBankDetails, account)).error).toBeUndefined();
  }
});
afterAll(() => app.stop());

type Sale = { coach: number; priceCents: number; feePercent: number; refundPercent: number | null };

const entriesOf = (bookingId: string, feeCents: number, refundCents: number, price: number) => {
  const feeBack = feeOfRefund({ amountCents: price, feeCents }, refundCents);
  return [
    { bookingId, kind: 'refunded' as const, amountCents: -refundCents },
    { bookingId, kind: 'fee_refunded' as const, amountCents: -feeBack },
  ];
};

/** Inserts sales and late cancellations of past lessons into the books, as the product's functions would have. */
async function writeSales(sales: Sale[], hoursAgo: number): Promise<void> {
  const { db } = app;
  const customer = await app.signIn('customer');
  const templates = new Map<number, string>();
  for (const [index, coach] of coaches.entries()) {
    const template = { title: 'Match play', sport: 'tennis', durationMinutes: 30, basePriceCents: 5000 };
    const { templateId } = await db
      .insertInto('lessonTemplates')
      .values({
        ...template,
        coachId: coach.userId,
        lessonType: 'individual',
        minCapacity: 1,
        maxCapacity: 1,
      })
      .returning('templateId')
      .executeTakeFirstOrThrow();
    templates.set(index, templateId);
  }
  const rows = sales.map((sale, index) => {
    const startMs = Date.now() - (hoursAgo + index) * 3_600_000;
    const [startTime, endTime] = [startMs, startMs + 1_800_000].map((ms) => new Date(ms).toISOString());
    const ids = { slotId: randomUUID(), paymentId: randomUUID(), bookingId: randomUUID() };
    const feeCents = Math.round((sale.priceCents * sale.feePercent) / 100);
    const refundCents =
      sale.refundPercent === null ? 0 : Math.round((sale.priceCents * sale.refundPercent) / 100);
    return { ...sale, ...ids, startTime: startTime!, endTime: endTime!, feeCents, refundCents };
  });
  const isKept = ({ refundPercent }: Sale) => refundPercent === null;
  await db
    .insertInto('lessonSlots')
    .values(
      rows.map((row) => ({
        slotId: row.slotId,
        templateId: templates.get(row.coach)!,
        coachId: coaches[row.coach]!.userId,
        startTime: row.startTime,
        endTime: row.endTime,
        lessonType: 'individual' as const,
        minCapacity: 1,
        maxCapacity: 1,
        priceCents: row.priceCents,
        status: 'completed' as const,
        bookedCount: isKept(row) ? 1 : 0,
      })),
    )
    .execute();
  const who = { customerUserId: customer.userId };
  const card = { stripeCustomerId: 'cus_x', stripePaymentMethodId: 'pm_x', status: 'succeeded' as const };
  await db
    .insertInto('payments')
    .values(
      rows.map(({ paymentId, priceCents }) => ({
        ...{ ...who, ...card, paymentId, amountCents: priceCents },
        stripePaymentIntentId: `pi_${paymentId}`,
      })),
    )
    .execute();
  await db
    .insertInto('bookings')
    .values(
      rows.map((row) => ({
        ...who,
        ...{ bookingId: row.bookingId, slotId: row.slotId, paymentId: row.paymentId },
        ...{ amountCents: row.priceCents, feeCents: row.feeCents },
        status: isKept(row)
          ? ('booked' as const)
          : row.refundCents > 0
            ? ('refunded' as const)
            : ('cancelled' as const),
        cancelledAt: isKept(row) ? null : row.startTime,
        ...{ freeUntilHours: 24, lateRefundPercent: 50, refundsEnabled: true },
        during: `[${row.startTime},${row.endTime})`,
        holdExpiresAt: row.startTime,
        bookedAt: row.startTime,
      })),
    )
    .execute();
  const refunded = rows.filter(({ refundCents }) => refundCents > 0);
  if (refunded.length > 0) {
    const refunds = refunded.map(({ paymentId, refundCents }) => ({ paymentId, amountCents: refundCents }));
    const made = { status: 'succeeded' as const, reason: 'customer_cancelled' as const };
    await db
      .insertInto('refunds')
      .values(refunds.map((refund) => ({ ...refund, ...made })))
      .execute();
  }
  await db
    .insertInto('ledgerEntries')
    .values(
      rows.flatMap(({ bookingId, priceCents, feeCents, refundCents }) => [
        { bookingId, kind: 'charged' as const, amountCents: priceCents },
        { bookingId, kind: 'fee' as const, amountCents: feeCents },
        ...(refundCents > 0 ? entriesOf(bookingId, feeCents, refundCents, priceCents) : []),
      ]),
    )
    .execute();
}

/** Refunds some bookings that are in payruns, fully or by half. */
async function refundPaid(count: number, percent: number): Promise<void> {
  await app.db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ bookingId: string; feeCents: number; amountCents: number }>`
      update bookings set status = 'refunded', cancelled_at = now(), cancelled_by = 'platform'
      where booking_id in (
        select booking_id from bookings where is_in_payrun and status = 'booked' order by booking_id limit ${count}
      )
      returning booking_id, fee_cents, amount_cents`.execute(tx);
    for (const { bookingId, feeCents, amountCents } of rows) {
      const refundCents = Math.ceil((amountCents * percent) / 100);
      await sql`
        update lesson_slots set booked_count = 0
        where slot_id = (select slot_id from bookings where booking_id = ${bookingId}::uuid)`.execute(tx);
      await sql`
        insert into refunds (payment_id, amount_cents, reason, status)
        select payment_id, ${refundCents}, 'coach_cancelled', 'succeeded'
        from bookings where booking_id = ${bookingId}::uuid`.execute(tx);
      await tx
        .insertInto('ledgerEntries')
        .values(entriesOf(bookingId, feeCents, refundCents, amountCents))
        .execute();
    }
  });
}

const sale = fc.record({
  coach: fc.nat(3),
  priceCents: fc.integer({ min: 1, max: 20_000 }),
  feePercent: fc.constantFrom(0, 2, 12.5, 100),
  refundPercent: fc.option(fc.constantFrom(0, 50, 100), { freq: 4 }),
});
const operation = fc.oneof(
  fc.record({
    kind: fc.constant('create' as const),
    from: fc.nat(40),
    count: fc.integer({ min: 1, max: 60 }),
  }),
  fc.record({ kind: fc.constant('pay' as const) }),
  fc.record({ kind: fc.constant('refund' as const), count: fc.nat(3), percent: fc.constantFrom(50, 100) }),
);

test('balances payruns with files and ledger after random refunds [ADM-5]', async () => {
  let hoursAgo = 2;
  await fc.assert(
    fc.asyncProperty(
      fc.array(sale, { minLength: 120, maxLength: 120 }),
      fc.array(operation, { minLength: 15, maxLength: 25 }),
      async (sales, operations) => {
        await writeSales(sales, hoursAgo);
        hoursAgo += sales.length + 1;
        for (const next of operations) {
          if (next.kind === 'refund') await refundPaid(next.count, next.percent);
          if (next.kind === 'create') {
            const { body } = await app.call(admin, payoutsApi.listPayableBookings, { limit: 100 });
            const bookingIds = body.bookings
              .slice(next.from, next.from + next.count)
              .map(({ bookingId }) => bookingId);
            const twice = [bookingIds, bookingIds.toReversed()].filter(({ length }) => length > 0);
            const made = await Promise.all(
              twice.map((ids) => app.call(admin, payoutsApi.createPayrun, { bookingIds: ids })),
            );
            expect(made.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
            for (const { status } of made) expect([200, 409]).toContain(status);
          }
          if (next.kind === 'pay') {
            const { body } = await app.call(admin, payoutsApi.listPayruns, { limit: 50 });
            const pending = body.payruns.findLast(({ status }) => status === 'pending');
            if (!pending) continue;
            const { payrunId } = pending;
            const paid = await Promise.all(
              [1, 2].map(() => app.call(admin, payoutsApi.markPayrunPaid, { payrunId })),
            );
            expect(paid.map(({ status }) => status).sort()).toEqual([200, 409]);
          }
        }
        expect(await auditBooks(app.db)).toEqual([]);
        await expectMoneyToAgree();
      },
    ),
    { numRuns: 3, endOnFailure: true },
  );
  // The history was one in which everything happened.
  const { rows } = await sql<{ paid: number; carried: number }>`
    select (select count(*) from payruns where status = 'paid') as paid,
      (select count(*) from payrun_items where kind = 'carried_forward') as carried`.execute(app.db);
  expect(rows[0]!.paid).toBeGreaterThan(3);
  expect(rows[0]!.carried).toBeGreaterThan(0);
}, 120_000);

/** Every file adds up to its payrun, and what coaches read as paid out to all payruns that were paid. */
async function expectMoneyToAgree(): Promise<void> {
  let paidCents = 0;
  let cursor: string | null | undefined;
  do {
    const page = (await app.call(admin, payoutsApi.listPayruns, { limit: 50, ...(cursor && { cursor }) }))
      .body;
    for (const { payrunId, totalAmountCents, status } of page.payruns) {
      const { body } = await app.call(admin, payoutsApi.getPayrunCsvRows, { payrunId });
      expect(sumAmounts(body.csv)).toBe(totalAmountCents);
      if (status === 'paid') paidCents += totalAmountCents;
    }
    cursor = page.nextCursor;
  } while (cursor);
  const earnings = await Promise.all(coaches.map((coach) => app.call(coach, payoutsApi.getEarnings, {})));
  for (const { body } of earnings) expect(body.netCents - body.paidOutCents).toBe(body.toComeCents);
  expect(earnings.reduce((sum, { body }) => sum + body.paidOutCents, 0)).toBe(paidCents);
}
