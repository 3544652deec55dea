import type Stripe from 'stripe';
import { AppError } from '#domain/errors.ts';
import type { Database } from '#server/platform/db.ts';
import { callCardNetwork } from './card-network.ts';

/**
 * Opens a SetupIntent with which the browser saves a card for later charges, 3-D Secure included, and answers
 * its client secret.
 */
export async function startCardSetup(db: Database, cards: Stripe, userId: string): Promise<string> {
  const customer = await ensureStripeCustomer(db, cards, userId);
  const intent = await callCardNetwork(
    () =>
      cards.setupIntents.create({
        customer,
        usage: 'off_session',
        automatic_payment_methods: { enabled: true, allow_redirects: 'never' },
        metadata: { user_id: userId },
      }),
    'We could not start saving a card. Please try again.',
  );
  return intent.client_secret!;
}

/**
 * The person's id on the card network, created the first time. Two tabs at once get the same one, because the
 * person is the idempotency key.
 */
export async function ensureStripeCustomer(db: Database, cards: Stripe, userId: string): Promise<string> {
  const read = () =>
    db.selectFrom('profiles').select('stripeCustomerId').where('userId', '=', userId).executeTakeFirst();
  const profile = await read();
  if (!profile) throw new AppError('conflict', 'Please finish signing up first.');
  if (profile.stripeCustomerId) return profile.stripeCustomerId;
  const customer = await callCardNetwork(
    () => cards.customers.create({ metadata: { user_id: userId } }, { idempotencyKey: `customer-${userId}` }),
    'We could not prepare saving a card. Please try again.',
  );
  await db
    .updateTable('profiles')
    .set({ stripeCustomerId: customer.id })
    .where('userId', '=', userId)
    .where('stripeCustomerId', 'is', null)
    .execute();
  return (await read())!.stripeCustomerId!;
}
