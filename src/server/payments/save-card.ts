import { sql } from 'kysely';
import Stripe from 'stripe';
import { AppError } from '#domain/errors.ts';
import type { SavedCard } from '#domain/payments/contract.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { rememberCard } from './card-fingerprints.ts';
import { callStripe } from './stripe-client.ts';
import { withStripeCustomer } from './stripe-customer.ts';

const refused = "We couldn't save this card. Please enter it again, or try another card.";

/**
 * Saves the card that bookings are charged to. Attaches a card that has no Stripe customer yet, and refuses a card of
 * another customer. Refuses and detaches the person's own payment method if it is not a card. The previous card is
 * detached afterwards. `onRefused` is called if the bank declined the card. Throws `unprocessable` for a refused card,
 * `unavailable` if Stripe does not respond, and `conflict` for a person without a profile.
 */
export async function saveCard(
  db: Database,
  cards: Stripe,
  userId: string,
  paymentMethodId: string,
  onRefused: () => Promise<void> = async () => {},
): Promise<SavedCard> {
  const { method, customer } = await withStripeCustomer(db, cards, userId, async (customer) => {
    const known = await callStripe(() => cards.paymentMethods.retrieve(paymentMethodId), refused);
    if (known.customer !== null || !known.card) return { method: known, customer };
    const attach = () => cards.paymentMethods.attach(paymentMethodId, { customer });
    return { method: await callStripe(attach, refused), customer };
  }).catch(async (error) => {
    if (error instanceof AppError && error.cause instanceof Stripe.errors.StripeCardError) await onRefused();
    throw error;
  });
  if (idOf(method.customer) !== customer || !method.card) {
    if (idOf(method.customer) === customer) {
      await enqueue(db, 'payments.card-replaced', { paymentMethodId: method.id });
    }
    throw new AppError('unprocessable', refused);
  }
  const card = {
    brand: method.card.brand,
    lastFour: method.card.last4,
    expMonth: method.card.exp_month,
    expYear: method.card.exp_year,
  };
  await db.transaction().execute(async (tx) => {
    const before = await replaceCard(tx, userId, { id: method.id, ...card });
    await rememberCard(tx, userId, method);
    if (before && before !== method.id)
      await enqueue(tx, 'payments.card-replaced', { paymentMethodId: before });
  });
  return card;
}

/** Removes the saved card; a job then detaches the card at Stripe. Succeeds if no card is saved. */
export async function removeCard(db: Database, userId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const before = await replaceCard(tx, userId, null);
    if (before) await enqueue(tx, 'payments.card-replaced', { paymentMethodId: before });
  });
}

/** Stores a profile's card and returns the id of the previous card. */
async function replaceCard(
  tx: Tx,
  userId: string,
  card: ({ id: string } & SavedCard) | null,
): Promise<string | null> {
  const { rows } = await sql<{ before: string | null }>`
    update profiles
    set stripe_payment_method_id = ${card?.id ?? null},
        payment_method_brand = ${card?.brand ?? null},
        payment_method_last_four = ${card?.lastFour ?? null},
        payment_method_exp_month = ${card?.expMonth ?? null},
        payment_method_exp_year = ${card?.expYear ?? null},
        card_expiry_warned_at = null
    from (select stripe_payment_method_id as before from profiles where user_id = ${userId} for update) old
    where user_id = ${userId}
    returning old.before`.execute(tx);
  return rows[0]?.before ?? null;
}

/** Returns the id of a Stripe reference, which is an id or, if expanded, the object itself. */
export function idOf(reference: string | { id: string } | null | undefined): string | null {
  return typeof reference === 'string' ? reference : (reference?.id ?? null);
}
