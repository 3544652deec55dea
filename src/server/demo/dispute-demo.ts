import type Stripe from 'stripe';
import { idOf } from '#server/payments/save-card.ts';
import type { Paid } from './charge-demo.ts';
import { at, type DemoBooking } from './plan-demo.ts';

const day = 86_400_000;

/**
 * The booking that its customer disputes: the newest attended lesson of the demo's coach that has already been paid out
 * and is at least three weeks old, because customers dispute a payment when they read their card statement.
 */
export function pickDisputed(bookings: readonly DemoBooking[], now: number): DemoBooking | null {
  const candidates = bookings
    .filter(({ status, slot }) => status === 'attended' && slot.coach === 0 && slot.priceCents > 0)
    .filter(({ slot }) => slot.endMs <= now - 21 * day)
    .toSorted((a, b) => b.slot.endMs - a.slot.endMs);
  return candidates[0] ?? null;
}

/** The rows of the disputes that the simulator opened for these payments. */
export async function listDemoDisputes(cards: Stripe, paid: readonly Paid[]) {
  const paymentOf = new Map(paid.map(({ intentId, paymentId }) => [intentId, paymentId]));
  const { data } = await cards.disputes.list({ limit: 100 });
  return data.flatMap(({ id, status, amount, reason, payment_intent, evidence_details, created }) => {
    const paymentId = paymentOf.get(idOf(payment_intent));
    const dueBy = evidence_details.due_by;
    if (!paymentId) return [];
    return [
      {
        ...{ disputeId: id, paymentId, status, reason, amountCents: amount },
        openedAt: at(created * 1000),
        evidenceDueBy: dueBy ? at(dueBy * 1000) : null,
      },
    ];
  });
}
