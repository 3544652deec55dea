import { sql } from 'kysely';
import { requeueEvents } from '#server/payments/webhook-events.ts';
import type { Database } from '#server/platform/db/db.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { unlockStaleJobs } from '#server/platform/jobs/start-worker.ts';
import { type BookingParts, settlePayment } from '../booking/settle-booking.ts';
import { sendRefund } from '../refunds/send-refund.ts';
import { readPayment } from './payment-records.ts';

const atOnce = 16;
// Short enough that a charge whose response was lost is settled within a minute, even if the first attempt to settle it
// fails.
const everySeconds = 5;
const longestRunMs = 45_000;

/** Queues the next sweep. Only one sweep is queued at a time, even if several processes call this function. */
export function queueSweep(db: Database, inSeconds = everySeconds): Promise<void> {
  return enqueue(
    db,
    'bookings.sweep',
    {},
    { key: 'bookings.sweep', runAt: new Date(Date.now() + inSeconds * 1000) },
  );
}

/** Records the end of a payment sweep; readiness and metrics report how long ago it was. */
export async function recordSweep(db: Database): Promise<void> {
  await sql`update health set swept_at = now()`.execute(db);
}

/**
 * Settles abandoned work: payments without a response or with an expired hold, unsent refunds, and events and jobs of
 * killed processes. Several processes may sweep simultaneously: each process claims its share for a few seconds.
 */
export async function sweepPayments(parts: BookingParts): Promise<void> {
  const deadline = Date.now() + longestRunMs;
  await unlockStaleJobs(parts.db);
  await requeueEvents(parts.db);
  await drain(
    deadline,
    () => claim(parts.db, 'payment'),
    async (paymentId) => {
      const payment = await readPayment(parts.db, { paymentId });
      if (payment) await settlePayment(parts, payment);
    },
    parts,
  );
  await drain(
    deadline,
    () => claim(parts.db, 'refund'),
    (refundId) => sendRefund(parts, refundId),
    parts,
  );
}

async function drain(
  deadline: number,
  claimSome: () => Promise<string[]>,
  settle: (id: string) => Promise<void>,
  { log }: BookingParts,
): Promise<void> {
  while (Date.now() < deadline) {
    const ids = await claimSome();
    if (ids.length === 0) return;
    const settled = await Promise.allSettled(ids.map(settle));
    settled.forEach((result, index) => {
      if (result.status === 'rejected') log.error({ id: ids[index], err: result.reason }, 'sweep failed');
    });
  }
}

async function claim(db: Database, what: 'payment' | 'refund'): Promise<string[]> {
  const isPayment = what === 'payment';
  const table = sql.table(isPayment ? 'payments' : 'refunds');
  const key = sql.ref(isPayment ? 'payment_id' : 'refund_id');
  const unfinished = isPayment ? sql`status in ('processing', 'requires_action')` : sql`status = 'pending'`;
  const { rows } = await sql<{ id: string }>`
    update ${table} set check_at = now() + ${everySeconds} * interval '1 second'
    where ${key} in (
      select ${key} from ${table} where ${unfinished} and check_at <= now()
      order by check_at limit ${atOnce} for update skip locked)
    returning ${key} as id`.execute(db);
  return rows.map(({ id }) => id);
}
