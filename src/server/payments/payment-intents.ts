import Stripe from 'stripe';
import { explainFailure, type PaymentFailure } from '#domain/payments/rules.ts';
import { isOfSomebody } from './card-limits.ts';
import { isMissing, isRefusal } from './stripe-client.ts';

export type Charge = {
  paymentId: string;
  amountCents: number;
  stripeCustomerId: string;
  stripePaymentMethodId: string;
  /** The charge's description in the operator's Stripe dashboard. */
  description: string;
  /** The instant when the payment was recorded, in UTC. */
  createdAt: string;
};

/**
 * The text after the operator's name on a bank statement. Stripe allows 22 characters in all, of which the name may
 * take 10 and the separator takes 2.
 */
const statementSuffix = 'LESSON';

/**
 * Stripe's response about a charge. `refused`: rejected before anything was created. `absent`: no such
 * charge. `unknown`: no response, so the charge may have been made.
 */
export type CardAnswer =
  | { kind: 'intent'; intent: Stripe.PaymentIntent }
  | { kind: 'refused'; failure: PaymentFailure }
  | { kind: 'absent' }
  | { kind: 'unknown'; error: unknown };

/**
 * Charges the card of a customer who is present, once: the payment's id is the idempotency key, so a second call finds
 * the same charge. Looks up the charge after a lost response, and after a call from another IP address, which
 * Stripe treats as a different request. Throws no errors from Stripe.
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
        // Needed because the customer authenticates on our page through Stripe.js.
        use_stripe_sdk: true,
        description: charge.description,
        statement_descriptor_suffix: statementSuffix,
        metadata: {
          payment_id: charge.paymentId,
          ...(isOfSomebody(ipAddress) && { ip_address: ipAddress }),
        },
      },
      { idempotencyKey: charge.paymentId },
    );
    // A replayed response is as old as the first call; the charge may have progressed since then.
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

export async function readIntent(cards: Stripe, intentId: string): Promise<CardAnswer> {
  return ask(async () => ({ kind: 'intent', intent: await cards.paymentIntents.retrieve(intentId) }));
}

/** Searches the customer's own charges for a charge whose response was lost. */
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

/**
 * Cancels an intent, so that nothing more can be charged. Returns the intent's state after the attempt, which may be a
 * completed charge.
 */
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

/** Turns errors from Stripe into answers; an unknown intent or customer is `absent`, not an outage. */
async function ask(call: () => Promise<CardAnswer>): Promise<CardAnswer> {
  try {
    return await call();
  } catch (error) {
    if (isMissing(error)) return { kind: 'absent' };
    if (error instanceof Stripe.errors.StripeError) return { kind: 'unknown', error };
    throw error;
  }
}
