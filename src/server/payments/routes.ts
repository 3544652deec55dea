import type Stripe from 'stripe';
import { paymentsApi } from '#domain/payments/contract.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { type Route, route } from '#server/platform/http/http.ts';
import { countCard, countRefusedCard } from './card-limits.ts';
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
    route(paymentsApi.startCardSetup, async (_, { userId }, { ipAddress }) => {
      await countCard(db, { userId, ipAddress });
      return { clientSecret: await startCardSetup(db, cards, { userId, ipAddress }) };
    }),
    route(paymentsApi.setupPaymentMethod, async ({ paymentMethodId }, { userId }, { ipAddress }) => {
      await countCard(db, { userId, ipAddress });
      const onRefused = () => countRefusedCard(db, { userId, ipAddress });
      return { card: await saveCard(db, cards, userId, paymentMethodId, onRefused) };
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
