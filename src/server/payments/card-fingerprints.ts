import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type Stripe from 'stripe';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { callStripe, isMissing } from './stripe-client.ts';

/**
 * Stores a hash of Stripe's fingerprint of the payment method's card. The same card has the same hash in every account.
 */
export async function rememberCard(
  db: Database | Tx,
  userId: string,
  { id, card }: Pick<Stripe.PaymentMethod, 'id' | 'card'>,
): Promise<void> {
  if (!card?.fingerprint) return;
  const cardHash = createHash('sha256').update(card.fingerprint).digest('base64url');
  await db
    .insertInto('cardFingerprints')
    .values({ stripePaymentMethodId: id, userId, cardHash })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Reads from Stripe which card paid for a customer's booking, for cards saved before fingerprints were stored. Does
 * nothing for known cards, for free lessons, for other customers' bookings and for cards that Stripe no longer has.
 * Throws `unavailable` if Stripe does not respond, and `unprocessable` if Stripe refuses.
 */
export async function rememberCardOfBooking(
  db: Database,
  cards: Stripe,
  { userId, bookingId }: { userId: string; bookingId: string },
): Promise<void> {
  const { rows } = await sql<{ methodId: string }>`
    select payment.stripe_payment_method_id as method_id
    from bookings booking join payments payment using (payment_id)
    where booking.booking_id = ${bookingId}::uuid and booking.customer_user_id = ${userId}::uuid
      and payment.stripe_payment_method_id is not null
      and not exists (select from card_fingerprints known
        where known.stripe_payment_method_id = payment.stripe_payment_method_id)`.execute(db);
  if (!rows[0]) return;
  const { methodId } = rows[0];
  const read = async () => {
    try {
      return await cards.paymentMethods.retrieve(methodId);
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  };
  const method = await callStripe(read, "We couldn't check the card that paid for this lesson.");
  if (method) await rememberCard(db, userId, method);
}
