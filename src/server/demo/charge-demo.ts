import { randomUUID } from 'node:crypto';
import type Stripe from 'stripe';
import { chargeCard } from '#server/payments/payment-intents.ts';
import { at, type DemoBooking } from './plan-demo.ts';

const maxConcurrentBatches = 8;

/** A customer's card in the Stripe simulator. */
export type Card = { customer: string; method: string; brand: string; lastFour: string };
/**
 * A booking with its charge and its line number in the payment, from 1; `card` and `intentId` are null if it
 * is free.
 */
export type Paid = DemoBooking & {
  paymentId: string;
  lineNo: number;
  card: Card | null;
  intentId: string | null;
  refund: Refund | null;
};
type Refund = { refundId: string; stripeRefundId: string };

/** Processes a list with a few concurrent calls; returns results in the order of the list. */
export async function inTurns<T, R>(list: T[], work: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: maxConcurrentBatches }, async () => {
      for (let index = next++; index < list.length; index = next++) {
        results[index] = await work(list[index]!, index);
      }
    }),
  );
  return results;
}

/** Saves a card for a customer: a Mastercard for every third customer, Visa …4242 for the others. */
export async function saveCard(cards: Stripe, userId: string, index: number): Promise<Card> {
  const { id: customer } = await cards.customers.create({ metadata: { user_id: userId } });
  const token = index % 3 === 2 ? 'pm_card_mastercard' : 'pm_card_visa';
  const { id: method, card } = await cards.paymentMethods.attach(token, { customer });
  return { customer, method, brand: card!.brand, lastFour: card!.last4 };
}

/**
 * Saves a second card for a customer. The simulator disputes every charge to it, claiming that the lesson didn't take
 * place.
 */
export async function saveDisputedCard(cards: Stripe, { customer }: Card): Promise<Card> {
  const token = 'pm_card_createDisputeProductNotReceived';
  const { id: method, card } = await cards.paymentMethods.attach(token, { customer });
  return { customer, method, brand: card!.brand, lastFour: card!.last4 };
}

/** The bookings of each checkout, in the order of the plan. */
export function listCheckouts<B extends DemoBooking>(bookings: readonly B[]): B[][] {
  const checkouts = new Map<string, B[]>();
  for (const booking of bookings) {
    checkouts.set(booking.firstOfCheckout, [...(checkouts.get(booking.firstOfCheckout) ?? []), booking]);
  }
  return [...checkouts.values()];
}

/**
 * Charges a checkout as the product does, and makes the planned refunds. `now` is in milliseconds. Charges to the card
 * from {@link saveDisputedCard} are disputed.
 */
export async function pay(cards: Stripe, card: Card, checkout: DemoBooking[], now: number): Promise<Paid[]> {
  const paymentId = randomUUID();
  const amountCents = checkout.reduce((sum, { slot }) => sum + slot.priceCents, 0);
  const unpaid = checkout.map((booking, index) => ({ ...booking, paymentId, lineNo: index + 1 }));
  if (amountCents === 0) {
    return unpaid.map((booking) => ({ ...booking, card: null, intentId: null, refund: null }));
  }
  const answer = await chargeCard(cards, {
    paymentId,
    amountCents,
    stripeCustomerId: card.customer,
    stripePaymentMethodId: card.method,
    description: 'Sports lesson',
    createdAt: at(now),
  });
  if (answer.kind !== 'intent' || answer.intent.status !== 'succeeded') {
    throw new Error(`A charge for the demo club did not succeed in the Stripe simulator: ${answer.kind}`);
  }
  const intentId = answer.intent.id;
  return inTurns(unpaid, async (booking) => ({
    ...booking,
    ...{ card, intentId },
    refund: booking.status === 'refunded' ? await refund(cards, intentId, booking.slot.priceCents) : null,
  }));
}

async function refund(cards: Stripe, intentId: string, amountCents: number): Promise<Refund> {
  const refundId = randomUUID();
  const { id: stripeRefundId } = await cards.refunds.create(
    {
      payment_intent: intentId,
      amount: amountCents,
      reason: 'requested_by_customer',
      metadata: { refund_id: refundId },
    },
    { idempotencyKey: refundId },
  );
  return { refundId, stripeRefundId };
}
