import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bookingsApi } from '#domain/bookings/contract.ts';
import { type EarningsLine, earningsApi } from '#domain/payouts/earnings-contract.ts';
import { wallTimeOf } from '#domain/time.ts';
import { openClub } from '#server/test-support/club.test-support.ts';
import type { Someone } from '#server/test-support/contract-client.test-support.ts';
import { addTemplate, writeSales } from '#server/test-support/lessons.test-support.ts';
import { beforeTests, setUpTestApp } from '#server/test-support/test-app.test-support.ts';

const app = setUpTestApp();
const customer = beforeTests(() => app.signIn('customer'));

const getEarnings = async (who: Someone) => (await app.call(who, earningsApi.getEarnings, {})).body;

/** Reads the whole ledger of a coach, page by page, newest first. */
async function readLines(who: Someone, limit: number): Promise<EarningsLine[]> {
  const lines: EarningsLine[] = [];
  let cursor: number | null | undefined;
  do {
    const { body } = await app.call(who, earningsApi.listEarnings, { limit, ...(cursor && { cursor }) });
    expect(body.lines.length).toBeLessThanOrEqual(limit);
    lines.push(...body.lines);
    cursor = body.nextCursor;
  } while (cursor);
  return lines;
}

type Past = {
  priceCents: number;
  feePercent: number;
  refundPercent: number | null;
  isPaidOut: boolean;
  /** Whether a refund after the payout has been deducted from a later payout. */
  isDeducted: boolean;
  /** Days from now to the start of the lesson. */
  inDays: number;
};

/**
 * Writes one booking, its refund and its payout directly to the database, with the ledger entries that the app writes.
 */
async function writeHistory(coach: Someone, templateId: string, past: Past, order: number) {
  const { db } = app;
  const startMs = Date.now() + past.inDays * 86_400_000 + order * 7_200_000;
  const [startTime, endTime] = [startMs, startMs + 3_600_000].map((ms) => new Date(ms).toISOString());
  const feeCents = Math.round((past.priceCents * past.feePercent) / 100);
  const refundCents =
    past.refundPercent === null ? undefined : Math.round((past.priceCents * past.refundPercent) / 100);
  const feeBackCents =
    refundCents && past.priceCents ? Math.round((feeCents * refundCents) / past.priceCents) : 0;
  const sale = { coachId: coach.userId, templateId, startMs, priceCents: past.priceCents, feeCents };
  const [bookingId] = await writeSales(db, customer.userId, [{ ...sale, refundCents, feeBackCents }]);
  const write = (kind: 'paid_out' | 'paid_back', amountCents: number) =>
    db
      .insertInto('ledgerEntries')
      .values({ bookingId: bookingId!, kind, amountCents, sourceId: randomUUID() })
      .execute();
  const isPaidOut = past.isPaidOut && past.inDays < 0;
  if (isPaidOut) await write('paid_out', feeCents - past.priceCents);
  const share = past.priceCents - feeCents - (refundCents ?? 0) + feeBackCents;
  const deducted = isPaidOut && past.isDeducted ? past.priceCents - feeCents - share : 0;
  if (deducted) await write('paid_back', deducted);
  const paidOut = isPaidOut ? past.priceCents - feeCents - deducted : 0;
  return {
    ...past,
    startTime: startTime!,
    endTime: endTime!,
    share,
    paidOut,
    refund: refundCents ?? 0,
    fee: feeCents - feeBackCents,
  };
}

const sum = <T>(list: T[], of: (item: T) => number) => list.reduce((total, item) => total + of(item), 0);

test('shows figures that agree with the ledger after random histories [EARN-1b]', async () => {
  const history = fc.array(
    fc.record({
      priceCents: fc.integer({ min: 30, max: 20_000 }),
      feePercent: fc.integer({ min: 0, max: 200 }).map((tenths) => tenths / 10),
      refundPercent: fc.constantFrom(null, null, null, 0, 33, 50, 100),
      isPaidOut: fc.boolean(),
      isDeducted: fc.boolean(),
      inDays: fc.constantFrom(-500, -330, -200, -61, -31, -8, -1, 2, 20, 45),
    }),
    { minLength: 1, maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(history, async (pasts) => {
      const { templateId, coach } = await openCoach();
      // Bookings of earlier histories are released, because a customer cannot be in two lessons at the same time.
      await app.db
        .updateTable('bookings')
        .set({ status: 'released', cancelledAt: null, cancelledBy: null })
        .execute();
      const written = [];
      for (const [order, past] of pasts.entries()) {
        written.push(await writeHistory(coach, templateId, past, order));
      }
      const earnings = await getEarnings(coach);
      const net = sum(written, ({ share }) => share);
      const paidOut = sum(written, (past) => past.paidOut);
      expect(earnings).toMatchObject({
        grossCents: sum(written, ({ priceCents }) => priceCents),
        refundedCents: sum(written, ({ refund }) => refund),
        feeCents: sum(written, ({ fee }) => fee),
        netCents: net,
        paidOutCents: paidOut,
        toComeCents: net - paidOut,
        readyCents: sum(
          written.filter(({ endTime }) => Date.parse(endTime) <= Date.now()),
          (past) => past.share - past.paidOut,
        ),
      });
      const { grossCents, refundedCents, feeCents, netCents } = earnings;
      expect(grossCents - refundedCents - feeCents).toBe(netCents);

      expect(earnings.months).toHaveLength(12);
      expect(earnings.months.at(-1)!.month).toBe(wallTimeOf(Date.now()).date.slice(0, 7));
      for (const { month, netCents: shown, lessons } of earnings.months) {
        const own = written.filter(({ startTime }) => wallTimeOf(startTime).date.startsWith(month));
        expect([month, shown]).toEqual([month, sum(own, ({ share }) => share)]);
        expect([month, lessons]).toEqual([month, own.filter((past) => past.refundPercent === null).length]);
      }

      const lines = await readLines(coach, 5);
      expect(new Set(lines.map(({ lineId }) => lineId)).size).toBe(lines.length);
      expect(lines[0]!.balanceCents).toBe(earnings.toComeCents);
      for (const [index, line] of lines.entries()) {
        const before = lines[index + 1]?.balanceCents ?? 0;
        expect(line.balanceCents).toBe(before + line.netCents);
        if (line.kind === 'paidOut' || line.kind === 'deducted')
          expect([line.grossCents, line.feeCents]).toEqual([0, 0]);
        else expect(line.netCents).toBe(line.grossCents - line.feeCents);
      }
    }),
    { numRuns: 12 },
  );
}, 120_000);

async function openCoach() {
  const coach = await app.signIn('coach');
  const templateId = await addTemplate(app.db, coach.userId, { isIndividual: true });
  return { coach, templateId };
}

test("shows a booking in its coach's earnings immediately, and deducts its refund [EARN-1b]", async () => {
  const club = await openClub(app);
  const buyer = await club.join();
  const nothing = await getEarnings(club.coach);
  expect(nothing).toMatchObject({ grossCents: 0, toComeCents: 0, readyCents: 0, hasBankDetails: false });
  expect(await readLines(club.coach, 20)).toEqual([]);

  const { body } = await club.book(buyer, await club.publish());
  const booked = await getEarnings(club.coach);
  expect(booked).toMatchObject({
    grossCents: 5000,
    feeCents: 100,
    netCents: 4900,
    toComeCents: 4900,
    readyCents: 0,
  });
  const [line] = await readLines(club.coach, 20);
  expect(line).toMatchObject({
    kind: 'booked',
    bookingId: body.bookingId,
    title: 'Tennis basics',
    grossCents: 5000,
    feeCents: 100,
    netCents: 4900,
    balanceCents: 4900,
  });
  const elsewhere = await app.signIn('coach');
  expect((await getEarnings(elsewhere)).grossCents).toBe(0);
  expect(await readLines(elsewhere, 20)).toEqual([]);
  const foreign = { cursor: line!.lineId };
  expect((await app.call(elsewhere, earningsApi.listEarnings, foreign)).status).toBe(422);
  expect((await app.call(club.coach, earningsApi.listEarnings, foreign)).status).toBe(200);

  const cancelled = await app.call(buyer, bookingsApi.cancel, {
    bookingId: body.bookingId,
    expectedRefundCents: 5000,
  });
  expect(cancelled.status).toBe(200);
  expect(await getEarnings(club.coach)).toMatchObject({
    grossCents: 5000,
    refundedCents: 5000,
    feeCents: 0,
    netCents: 0,
    toComeCents: 0,
  });
  expect((await readLines(club.coach, 20)).map(({ kind, netCents }) => [kind, netCents])).toEqual([
    ['refunded', -4900],
    ['booked', 4900],
  ]);
  for (const who of [buyer, null]) {
    const status = who ? 403 : 401;
    expect((await app.call(who, earningsApi.getEarnings, {})).status).toBe(status);
    expect((await app.call(who, earningsApi.listEarnings, {})).status).toBe(status);
  }
});

test.each(['0', '-1', 'x', '1.5', '99999999999999999999'])(
  'refuses the invalid cursor %s',
  async (cursor) => {
    const coach = await app.signIn('coach');
    const answer = await app.call(coach, earningsApi.listEarnings, { cursor });
    expect(answer.status).toBe(422);
    expect(answer.error!.fields).toHaveProperty('cursor');
  },
);
