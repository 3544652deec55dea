import fc from 'fast-check';
import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { feeOfRefund } from '#domain/bookings/cancellation-policy.ts';
import { payoutsApi } from '#domain/payouts/contract.ts';
import { earningsApi } from '#domain/payouts/earnings-contract.ts';
import { payrunApi } from '#domain/payouts/payrun-contract.ts';
import { auditLedger } from '#server/bookings/checks/audit-ledger.ts';
import { outputOf, type Someone } from '#server/test-support/contract-client.test-support.ts';
import { addTemplate, writeRefund, writeSales } from '#server/test-support/lessons.test-support.ts';
import { addPayableCoach } from '#server/test-support/sold-lessons.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';
import { sumAmounts } from './payrun-file.test-support.ts';

let coaches: Someone[];
const app = setUpTestApp();
const admin = beforeTests(() => app.signIn('admin'));
beforeAll(async () => {
  coaches = await Promise.all([1, 2, 3, 4].map(() => addPayableCoach(app)));
});

type Sale = { coach: number; priceCents: number; feePercent: number; refundPercent: number | null };

/** Writes sales of past lessons, some of them cancelled late, directly to the database. */
async function sell(sales: Sale[], hoursAgo: number): Promise<void> {
  const { userId } = await app.signIn('customer');
  const templates = await Promise.all(
    coaches.map((coach) => addTemplate(app.db, coach.userId, { durationMinutes: 30, isIndividual: true })),
  );
  const rows = sales.map(({ coach, priceCents, feePercent, refundPercent }, index) => {
    const feeCents = Math.round((priceCents * feePercent) / 100);
    const refundCents = refundPercent === null ? undefined : Math.round((priceCents * refundPercent) / 100);
    return {
      ...{
        coachId: coaches[coach]!.userId,
        templateId: templates[coach]!,
        minutes: 30,
        priceCents,
        feeCents,
      },
      startMs: Date.now() - (hoursAgo + index) * 3_600_000,
      ...{ refundCents, feeBackCents: feeOfRefund({ amountCents: priceCents, feeCents }, refundCents ?? 0) },
    };
  });
  await writeSales(app.db, userId, rows);
}

/** Refunds `percent` of the price of up to `count` bookings that are in payruns. */
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
      const feeBackCents = feeOfRefund({ amountCents, feeCents }, refundCents);
      await writeRefund(tx, bookingId, { cents: refundCents, feeCents: feeBackCents });
    }
  });
}

/** Makes two admins simultaneously mark a payment in one of the newest paid payruns as returned. */
async function returnPayment({ payrun, coach }: { payrun: number; coach: number }): Promise<void> {
  const { payruns } = await outputOf(app.call(admin, payoutsApi.listPayruns, { limit: 50 }));
  const paid = payruns.filter(({ status }) => status === 'paid');
  const { payrunId } = paid[payrun % paid.length]!;
  const { payments } = await outputOf(app.call(admin, payrunApi.getPayrun, { payrunId }));
  const { coachId, returned } = payments[coach % payments.length]!;
  const entered = await Promise.all(
    [1, 2].map(() => app.call(admin, payrunApi.enterReturn, { payrunId, coachId, reason: 'Account closed' })),
  );
  expect(entered.map(({ status }) => status).sort()).toEqual(returned ? [409, 409] : [200, 409]);
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
  fc.record({ kind: fc.constant('return' as const), payrun: fc.nat(9), coach: fc.nat(3) }),
);

type Operation = typeof operation extends fc.Arbitrary<infer One> ? One : never;
/**
 * Every run begins with two paid payruns, the second with deductions for refunds made after the first. One payment of
 * each is returned.
 */
const opening: Operation[] = [
  { kind: 'create', from: 0, count: 40 },
  { kind: 'pay' },
  { kind: 'refund', count: 3, percent: 100 },
  { kind: 'create', from: 0, count: 60 },
  { kind: 'pay' },
  { kind: 'return', payrun: 1, coach: 0 },
  { kind: 'return', payrun: 0, coach: 0 },
];

test('keeps payruns, files and ledger consistent after random refunds and returns [ADM-5, ADM-10b]', async () => {
  let hoursAgo = 2;
  await fc.assert(
    fc.asyncProperty(
      fc.array(sale, { minLength: 120, maxLength: 120 }),
      fc.array(operation, { minLength: 15, maxLength: 25 }),
      async (sales, operations) => {
        await sell(sales, hoursAgo);
        hoursAgo += sales.length + 1;
        for (const next of [...opening, ...operations]) {
          if (next.kind === 'refund') await refundPaid(next.count, next.percent);
          if (next.kind === 'return') await returnPayment(next);
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
        expect(await auditLedger(app.db)).toEqual([]);
        await expectMoneyToAgree();
      },
    ),
    { numRuns: 3, endOnFailure: true },
  );
  // The random operations must have included paid payruns, deductions and payouts repeated after a return.
  const { rows } = await sql<{ paid: number; carried: number; again: number }>`
    select (select count(*) from payruns where status = 'paid') as paid,
      (select count(*) from payrun_items where kind = 'carried_forward') as carried,
      (select count(*) from (
        select from ledger_entries where kind = 'paid_out' group by booking_id having count(*) > 1
      ) twice) as again`.execute(app.db);
  expect(rows[0]!.paid).toBeGreaterThan(3);
  expect(rows[0]!.carried).toBeGreaterThan(0);
  expect(rows[0]!.again).toBeGreaterThan(0);
}, 300_000);

/**
 * Expects each file to add up to its payrun, and the coaches' paid-out totals to add up to all paid payruns less the
 * returned payments.
 */
async function expectMoneyToAgree(): Promise<void> {
  let paidCents = 0;
  let cursor: string | null | undefined;
  do {
    const page = (await app.call(admin, payoutsApi.listPayruns, { limit: 50, ...(cursor && { cursor }) }))
      .body;
    for (const { payrunId, totalAmountCents, returnedCents, status } of page.payruns) {
      const { body } = await app.call(admin, payoutsApi.getPayrunCsvRows, { payrunId });
      expect(sumAmounts(body.csv)).toBe(totalAmountCents);
      if (status === 'paid') paidCents += totalAmountCents - returnedCents;
    }
    cursor = page.nextCursor;
  } while (cursor);
  const earnings = await Promise.all(coaches.map((coach) => app.call(coach, earningsApi.getEarnings, {})));
  for (const { body } of earnings) expect(body.netCents - body.paidOutCents).toBe(body.toComeCents);
  expect(earnings.reduce((sum, { body }) => sum + body.paidOutCents, 0)).toBe(paidCents);
}
