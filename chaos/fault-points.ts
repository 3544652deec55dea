import type { StatementStop, Verdict } from './database-wire.ts';
import type { Side } from './stage.ts';
import type { CallStop } from './stripe-wire.ts';

/** The faults that can be injected at a fault point. */
export const faultKinds = ['kill app', 'kill postgres', 'cut connections'] as const;
export type FaultKind = (typeof faultKinds)[number];

type FaultPoint = Omit<StatementStop, 'onReached'> | Omit<CallStop, 'onReached'>;

const hold = /insert into bookings /;
const confirm = /update bookings set status = 'booked', booked_at = now\(\)/;
const release = /update bookings set status = 'released'\s+where booking_id/;
const claim = /update bookings set is_in_payrun = true/;
const paid = /insert into ledger_entries[\s\S]*'paid_out'/;
const slotCancelled = /update lesson_slots set status = 'cancelled'/;
// Matches only the cancellation of one booking: that statement takes `cancelled_by` as a parameter, while the
// cancellation of a lesson sets a literal.
const bookingCancelled =
  /update bookings set status = 'cancelled', cancelled_at = now\(\), cancelled_by = \$/;
const refunded = /update refunds\s+set status = /;
const deskRefunded = /insert into "refund_requests"/;
const paymentReturned = /insert into "payrun_returns"/;
const commit = /^commit/i;

/** The fault points, each identified by a statement to the database or a call to the Stripe simulator. */
const faultPoints = {
  'before the hold is written': { statement: hold, side: 'before' },
  'after the hold': { statement: hold, side: 'after' },
  'before the charge': { call: 'POST /v1/payment_intents', side: 'before' },
  'after the charge': { call: 'POST /v1/payment_intents', side: 'after' },
  'before settling': { statement: confirm, side: 'before' },
  'after settling, before the response': { statement: confirm, side: 'after' },
  'before a release is committed': { statement: release, upTo: commit, side: 'before' },
  'after a release is committed': { statement: release, upTo: commit, side: 'after' },
  'inside the webhook': { statement: /insert into webhook_events/, side: 'before' },
  'after the webhook is stored': { statement: /insert into webhook_events/, side: 'after' },
  'inside the job of a webhook': { statement: /update "webhook_events" set "handled_at"/, side: 'before' },
  'as a sweep is queued': { statement: /queue_job\('bookings\.sweep'/, side: 'before' },
  'before a cancellation is committed': { statement: bookingCancelled, upTo: commit, side: 'before' },
  'after a cancellation is committed': { statement: bookingCancelled, upTo: commit, side: 'after' },
  'before the refund': { call: 'POST /v1/refunds', side: 'before' },
  'after the refund': { call: 'POST /v1/refunds', side: 'after' },
  'before the refund is recorded': { statement: refunded, side: 'before' },
  'inside a slot cancellation': { statement: slotCancelled, upTo: commit, side: 'before' },
  'after a slot cancellation is committed': { statement: slotCancelled, upTo: commit, side: 'after' },
  'inside a payrun': { statement: claim, side: 'after' },
  'before a payrun is committed': { statement: claim, upTo: commit, side: 'before' },
  'after a payrun is committed': { statement: claim, upTo: commit, side: 'after' },
  'before a payment of a payrun is committed': { statement: paid, upTo: commit, side: 'before' },
  'after a payment of a payrun is committed': { statement: paid, upTo: commit, side: 'after' },
  'before the hold of a joint checkout is written': { statement: hold, side: 'before' },
  'after the hold of a joint checkout': { statement: hold, side: 'after' },
  'before the charge of a joint checkout': { call: 'POST /v1/payment_intents', side: 'before' },
  'after the charge of a joint checkout': { call: 'POST /v1/payment_intents', side: 'after' },
  'before settling a joint checkout': { statement: confirm, side: 'before' },
  'after settling a joint checkout': { statement: confirm, side: 'after' },
  "before an admin's refund is committed": { statement: deskRefunded, upTo: commit, side: 'before' },
  "after an admin's refund is committed": { statement: deskRefunded, upTo: commit, side: 'after' },
  'before a returned payment is committed': { statement: paymentReturned, upTo: commit, side: 'before' },
  'after a returned payment is committed': { statement: paymentReturned, upTo: commit, side: 'after' },
} satisfies Record<string, FaultPoint>;

export type FaultPointName = keyof typeof faultPoints;
export const faultPointNames = Object.keys(faultPoints) as FaultPointName[];

/**
 * Arms a fault point. `injectFault` injects the fault and resolves to whether the stopped traffic passes or is lost.
 * Returns a function that disarms the fault point.
 */
export function injectAt(
  side: Side,
  name: FaultPointName,
  injectFault: (where: 'database' | 'Stripe simulator') => Promise<Verdict>,
): () => void {
  const faultPoint: FaultPoint = faultPoints[name];
  return 'call' in faultPoint
    ? side.stripeWire.stopAt({ ...faultPoint, onReached: () => injectFault('Stripe simulator') })
    : side.databaseWire.stopAt({ ...faultPoint, onReached: () => injectFault('database') });
}
