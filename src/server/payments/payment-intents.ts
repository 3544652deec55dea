import Stripe from 'stripe';
import { explainFailure, type PaymentFailure } from '#domain/payments/rules.ts';
import { isOfSomebody } from './card-limits.ts';
import { isMissing, isRefusal } from './card-network.ts';

/** What a charge consists of. `createdAt` is when the payment was written down, an instant in UTC. */
export type Charge = {
  paymentId: string;
  bookingId: string;
  amountCents: number;
  stripeCustomerId: string;
  stripePaymentMethodId: string;
  /** What the charge is for, as the customer's bank and the operator's dashboard show it. */
  description: string;
  createdAt: string;
};

/**
 * Stands behind the operator's own name on a bank statement. Stripe allows 22 characters for both, the name may take
 * 10 of them and the separator 2.
 */
const statementSuffix = 'LESSON';

/**
 * The card network's answer about a charge. `refused`: rejected before anything was created. `absent`: no such
 * charge. `unknown`: no response, so the charge may have been made.
 */
export type CardAnswer =
  | { kind: 'intent'; intent: Stripe.PaymentIntent }
  | { kind: 'refused'; failure: PaymentFailure }
  | { kind: 'absent' }
  | { kind: 'unknown'; error: unknown };

/**
 * Charges a present customer's card, once: the payment's id is the idempotency key, so calling again finds the
 * same charge. A lost answer is looked up, and so is a call that was first made from another IP address, which the
 * network takes for another one. Throws only what is a mistake of ours.
 */
export async function chargeCard(
  cards: Stripe,
  charge: Charge,
  { ipAddress = null }: { ipAddress?: string | null } = {},
): Promise<CardAnswer> {
  try {
    const intent = await cards.paymentIntents.create(
      {
        amount: charge.amountCents,
        currency: 'gbp',
        customer: charge.stripeCustomerId,
        payment_method: charge.stripePaymentMethodId,
        confirm: true,
        allowed_payment_method_types: ['card'],
        // The bank's question is answered on our page by Stripe.js, which this is for.
        use_stripe_sdk: true,
        description: charge.description,
        statement_descriptor_suffix: statementSuffix,
        metadata: {
          payment_id: charge.paymentId,
          booking_id: charge.bookingId,
          ...(isOfSomebody(ipAddress) && { ip_address: ipAddress }),
        },
      },
      { idempotencyKey: charge.paymentId },
    );
    // A repeated answer is as old as the first call; the charge may have moved on since.
    const isReplayed = intent.lastResponse.headers['idempotent-replayed'] === 'true';
    return isReplayed && intent.status !== 'succeeded'
      ? readIntent(cards, intent.id)
      : { kind: 'intent', intent };
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    if (error.payment_intent) return { kind: 'intent', intent: error.payment_intent };
    if (isRefusal(error)) return { kind: 'refused', failure: explainFailure('card_unusable') };
    const found = await findIntent(cards, charge);
    return found.kind === 'intent' ? found : { kind: 'unknown', error };
  }
}

/** Reads a payment intent as it is now. */
export async function readIntent(cards: Stripe, intentId: string): Promise<CardAnswer> {
  return ask(async () => ({ kind: 'intent', intent: await cards.paymentIntents.retrieve(intentId) }));
}

/** Looks for a charge whose answer was lost, among the customer's own. */
export async function findIntent(cards: Stripe, charge: Charge): Promise<CardAnswer> {
  const created = { gte: Math.floor(Date.parse(charge.createdAt) / 1000) - 300 };
  return ask(async () => {
    for await (const intent of cards.paymentIntents.list({
      customer: charge.stripeCustomerId,
      created,
      limit: 100,
    })) {
      if (intent.metadata.payment_id === charge.paymentId) return { kind: 'intent', intent };
    }
    return { kind: 'absent' };
  });
}

/** Makes sure that nothing can be charged any more; the answer is the intent as it came out, perhaps charged. */
export async function cancelIntent(cards: Stripe, intentId: string): Promise<CardAnswer> {
  return ask(async () => {
    try {
      return { kind: 'intent', intent: await cards.paymentIntents.cancel(intentId) };
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return { kind: 'intent', intent: await cards.paymentIntents.retrieve(intentId) };
    }
  });
}

/** That there is no such intent or customer is an answer, not an outage. */
async function ask(call: () => Promise<CardAnswer>): Promise<CardAnswer> {
  try {
    return await call();
  } catch (error) {
    if (isMissing(error)) return { kind: 'absent' };
    if (error instanceof Stripe.errors.StripeError) return { kind: 'unknown', error };
    throw error;
  }
}
