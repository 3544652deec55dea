import type Stripe from 'stripe';
import type { Database } from '#server/platform/db/db.ts';
import { isOfSomebody } from './card-limits.ts';
import { callStripe } from './stripe-client.ts';
import { updateStripeCustomer, withStripeCustomer } from './stripe-customer.ts';

const refused = "We couldn't open the card form. Please try again.";

/**
 * Creates a SetupIntent, which lets the browser save a card for later charges (with 3-D Secure if needed), and returns
 * its client secret. Cards only: other payment methods could not be charged later (docs/decisions/0028). Stripe's fraud
 * rules use `ipAddress`. Throws the errors of {@link withStripeCustomer}.
 */
export async function startCardSetup(
  db: Database,
  cards: Stripe,
  { userId, ipAddress }: { userId: string; ipAddress: string },
): Promise<string> {
  const intent = await withStripeCustomer(db, cards, userId, async (customer) => {
    await updateStripeCustomer(db, cards, userId, customer);
    return callStripe(
      () =>
        cards.setupIntents.create({
          customer,
          usage: 'off_session',
          allowed_payment_method_types: ['card'],
          metadata: { user_id: userId, ...(isOfSomebody(ipAddress) && { ip_address: ipAddress }) },
        }),
      refused,
    );
  });
  return intent.client_secret!;
}
