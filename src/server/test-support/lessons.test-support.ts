import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Database, Tx } from '#server/platform/db/db.ts';

const hourMs = 3_600_000;
const at = (ms: number) => new Date(ms).toISOString();

/** Inserts a template of this coach: a one-hour group lesson for £50, unless `more` says otherwise. */
export async function addTemplate(
  db: Database,
  coachId: string,
  more: { title?: string; durationMinutes?: number; isIndividual?: boolean } = {},
): Promise<string> {
  const { isIndividual = false, title = 'Tennis basics', durationMinutes = 60 } = more;
  const { templateId } = await db
    .insertInto('lessonTemplates')
    .values({
      ...{ coachId, title, sport: 'tennis', durationMinutes, basePriceCents: 5000 },
      ...(isIndividual
        ? { lessonType: 'individual', minCapacity: 1, maxCapacity: 1 }
        : { lessonType: 'group', minCapacity: 2, maxCapacity: 20 }),
    })
    .returning('templateId')
    .executeTakeFirstOrThrow();
  return templateId;
}

/** A lesson's time: its start in milliseconds since 1970, and its length, by default 60 minutes. */
type When = { startMs: number; minutes?: number };

/** Inserts a scheduled lesson, even at a time at which the API would not let a coach publish one. */
export async function addSlot(
  db: Database,
  slot: When & { templateId: string; coachId: string; seats: number; priceCents: number },
): Promise<string> {
  const { templateId, coachId, startMs, minutes = 60, seats, priceCents } = slot;
  const { slotId } = await db
    .insertInto('lessonSlots')
    .values({
      ...{ templateId, coachId, priceCents, startTime: at(startMs), endTime: at(startMs + minutes * 60_000) },
      ...{ lessonType: seats === 1 ? 'individual' : 'group', minCapacity: 1, maxCapacity: seats },
    })
    .returning('slotId')
    .executeTakeFirstOrThrow();
  return slotId;
}

/**
 * Moves a lesson and its bookings, as if time had passed; with `onlyUpcoming`, only if the lesson is scheduled and has
 * not started.
 */
export async function putLesson(
  db: Database,
  slotId: string,
  { startMs, minutes = 60, onlyUpcoming = false }: When & { onlyUpcoming?: boolean },
): Promise<void> {
  const [start, end] = [at(startMs), at(startMs + minutes * 60_000)];
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql`
      update lesson_slots set start_time = ${start}, end_time = ${end}
      where slot_id = ${slotId}::uuid and (not ${onlyUpcoming} or status = 'scheduled' and start_time > now())
      returning slot_id`.execute(tx);
    if (rows.length === 0) return;
    await sql`
      update bookings set during = tstzrange(${start}, ${end}) where slot_id = ${slotId}::uuid`.execute(tx);
  });
}

/**
 * A sold one-to-one lesson. If it was cancelled, `refundCents` is the total refund and `feeBackCents` the refunded part
 * of the fee.
 */
export type Sale = When & {
  templateId: string;
  coachId: string;
  priceCents: number;
  feeCents: number;
  refundCents?: number;
  feeBackCents?: number;
};

/** Inserts lessons sold to this customer with their payments and ledger entries. Returns the bookings' ids. */
export async function writeSales(db: Database, customerUserId: string, sales: Sale[]): Promise<string[]> {
  const rows = sales.map((sale) => ({
    ...{
      slotId: randomUUID(),
      paymentId: randomUUID(),
      bookingId: randomUUID(),
      refundId: randomUUID(),
      sale,
    },
    ...{ startTime: at(sale.startMs), endTime: at(sale.startMs + (sale.minutes ?? 60) * 60_000) },
    isKept: sale.refundCents === undefined,
  }));
  const slots = rows.map(({ slotId, startTime, endTime, isKept, sale }) => ({
    ...{ slotId, startTime, endTime, bookedCount: isKept ? 1 : 0, priceCents: sale.priceCents },
    ...{ templateId: sale.templateId, coachId: sale.coachId },
    ...{ lessonType: 'individual' as const, minCapacity: 1, maxCapacity: 1 },
    status: sale.startMs < Date.now() - hourMs ? ('completed' as const) : ('scheduled' as const),
  }));
  await db.insertInto('lessonSlots').values(slots).execute();
  const card = { stripeCustomerId: 'cus_x', stripePaymentMethodId: 'pm_x', status: 'succeeded' as const };
  const payments = rows.map(({ paymentId, sale }) => ({
    ...{ customerUserId, ...card, paymentId, amountCents: sale.priceCents },
    stripePaymentIntentId: `pi_${paymentId}`,
  }));
  await db.insertInto('payments').values(payments).execute();
  const bookings = rows.map(({ slotId, paymentId, bookingId, startTime, endTime, isKept, sale }) => ({
    ...{
      slotId,
      paymentId,
      bookingId,
      customerUserId,
      amountCents: sale.priceCents,
      chargedCents: sale.priceCents,
      feeCents: sale.feeCents,
    },
    status: isKept ? ('booked' as const) : sale.refundCents ? ('refunded' as const) : ('cancelled' as const),
    ...(isKept ? {} : { cancelledAt: startTime, cancelledBy: 'customer' as const }),
    ...{ freeUntilHours: 24, lateRefundPercent: 50, refundsEnabled: true },
    ...{ during: `[${startTime},${endTime})`, holdExpiresAt: startTime },
    bookedAt: at(sale.startMs - 24 * hourMs),
  }));
  await db.insertInto('bookings').values(bookings).execute();
  const lines = rows.map(({ paymentId, bookingId, sale }) => ({
    ...{ paymentId, bookingId, lineNo: 1, amountCents: sale.priceCents },
  }));
  await db
    .insertInto('paymentLines')
    .values(lines)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const refunded = rows.filter(({ sale }) => sale.refundCents);
  const made = { status: 'succeeded' as const, reason: 'customer_cancelled' as const };
  const refunds = refunded.map(({ paymentId, refundId, sale }) => ({
    ...{ ...made, paymentId, refundId, amountCents: sale.refundCents! },
  }));
  const refundLines = refunded.map(({ refundId, bookingId, sale }) => {
    const [amountCents, feeCents] = [sale.refundCents!, sale.feeBackCents ?? 0];
    return { refundId, bookingId, amountCents, feeCents, coachCents: amountCents - feeCents };
  });
  if (refunds.length > 0) {
    await db.insertInto('refunds').values(refunds).execute();
    await db.insertInto('refundLines').values(refundLines).execute();
  }
  const entries = rows.flatMap(({ bookingId, paymentId, refundId, sale }) => [
    { bookingId, kind: 'charged' as const, sourceId: paymentId, amountCents: sale.priceCents },
    { bookingId, kind: 'fee' as const, sourceId: paymentId, amountCents: sale.feeCents },
    ...(sale.refundCents
      ? [
          { bookingId, kind: 'refunded' as const, sourceId: refundId, amountCents: -sale.refundCents },
          {
            ...{ bookingId, kind: 'fee_refunded' as const, sourceId: refundId },
            amountCents: -(sale.feeBackCents ?? 0),
          },
        ]
      : []),
  ]);
  await db.insertInto('ledgerEntries').values(entries).execute();
  return rows.map(({ bookingId }) => bookingId);
}

/**
 * Writes a refund that the customer has already received, with its line and ledger entries, and returns its id.
 * `feeCents` is the refunded part of the fee. Does not change the booking's status or its seat.
 */
export async function writeRefund(
  db: Database | Tx,
  bookingId: string,
  { cents, feeCents }: { cents: number; feeCents: number },
): Promise<string> {
  const { rows } = await sql<{ refundId: string }>`
    with refund as (
      insert into refunds (payment_id, amount_cents, reason, status)
      select payment_id, ${cents}, 'coach_cancelled', 'succeeded' from bookings where booking_id = ${bookingId}::uuid
      returning refund_id
    ), line as (
      insert into refund_lines (refund_id, booking_id, amount_cents, coach_cents, fee_cents)
      select refund_id, ${bookingId}::uuid, ${cents}, ${cents - feeCents}, ${feeCents} from refund
    ), entries as (
      insert into ledger_entries (booking_id, kind, amount_cents, source_id)
      select ${bookingId}::uuid, kind, -entry.cents, refund_id
      from refund, (values ('refunded', ${cents}::integer), ('fee_refunded', ${feeCents}::integer)) entry (kind, cents)
    )
    select refund_id from refund`.execute(db);
  return rows[0]!.refundId;
}
