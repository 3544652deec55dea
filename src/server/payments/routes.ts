import type Stripe from 'stripe';
import { paymentsApi } from '#domain/payments/contract.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db.ts';
import { type Route, route } from '#server/platform/http.ts';
import { countCard } from './card-limits.ts';
import { removeCard, saveCard } from './save-card.ts';
import { startCardSetup } from './start-card-setup.ts';

export function paymentRoutes({
  db,
  config,
  cards,
}: {
  db: Database;
  config: Pick<Config, 'stripe'>;
  cards: Stripe;
}): Route[] {
  return [
    route(paymentsApi.getStripeConfig, async () => ({
      publishableKey: config.stripe.publishableKey ?? null,
      isSandbox: config.stripe.apiBase !== undefined,
    })),
    route(paymentsApi.startCardSetup, async (_, { userId }) => {
      await countCard(db, userId);
      return { clientSecret: await startCardSetup(db, cards, userId) };
    }),
    route(paymentsApi.setupPaymentMethod, async ({ paymentMethodId }, { userId }) => {
      await countCard(db, userId);
      return { card: await saveCard(db, cards, userId, paymentMethodId) };
    }),
    route(paymentsApi.getPaymentMethod, async (_, { userId }) => {
      const profile = await db
        .selectFrom('profiles')
        .select([
          'paymentMethodBrand as brand',
          'paymentMethodLastFour as lastFour',
          'paymentMethodExpMonth as expMonth',
          'paymentMethodExpYear as expYear',
        ])
        .where('userId', '=', userId)
        .executeTakeFirst();
      const { brand = null, lastFour = null, expMonth = null, expYear = null } = profile ?? {};
      return { card: brand && lastFour ? { brand, lastFour, expMonth, expYear } : null };
    }),
    route(paymentsApi.removePaymentMethod, async (_, { userId }) => {
      await removeCard(db, userId);
      return {};
    }),
  ];
}
