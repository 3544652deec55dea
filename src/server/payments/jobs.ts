import type Stripe from 'stripe';
import { AppError } from '#domain/errors.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { AreaHandlers } from '#server/platform/jobs/start-worker.ts';
import type { Log } from '#server/platform/log.ts';
import { countRefusedCard } from './card-limits.ts';
import { readMissedEvents } from './missed-events.ts';
import { recordDispute } from './record-dispute.ts';
import { idOf, saveCard } from './save-card.ts';
import { isMissing, isRefusal } from './stripe-client.ts';
import { warnOfExpiringCards } from './warn-of-expiring-cards.ts';
import { markHandled } from './webhook-events.ts';

/** A SetupIntent is cancelled after this many declined cards, because someone may be testing card numbers. */
const maxFailures = 5;

export function paymentJobs({ db, cards, log }: { db: Database; cards: Stripe; log: Log }) {
  return {
    'payments.cards-expiring': () => warnOfExpiringCards({ db, cards }),

    'payments.card-replaced': async ({ paymentMethodId }) => {
      const user = await db
        .selectFrom('profiles')
        .select('userId')
        .where('stripePaymentMethodId', '=', paymentMethodId)
        .executeTakeFirst();
      if (user) return;
      try {
        await cards.paymentMethods.detach(paymentMethodId);
      } catch (error) {
        // A refusal means that the card has already been detached or deleted.
        if (!isRefusal(error)) throw error;
      }
    },

    'payments.customer-erased': async ({ customerId }) => {
      try {
        await cards.customers.del(customerId);
      } catch (error) {
        // A refusal means that the customer record has already been deleted.
        if (!isRefusal(error)) throw error;
      }
    },

    // The browser normally reports a card that it set up. This job saves the card if the browser lost its connection.
    'payments.card-set-up': async ({ eventId, objectId }) => {
      const intent = await readSetup(cards, objectId);
      const [customerId, methodId] = [idOf(intent?.customer), idOf(intent?.payment_method)];
      if (intent?.status === 'succeeded' && customerId && methodId) {
        const profile = await db
          .selectFrom('profiles')
          .select(['userId', 'stripePaymentMethodId'])
          .where('stripeCustomerId', '=', customerId)
          .executeTakeFirst();
        const method = profile && !profile.stripePaymentMethodId && (await readMethod(cards, methodId));
        // The customer may have removed the card in the meantime. A removed card is detached at Stripe and must not be
        // saved again.
        if (method && idOf(method.customer) === customerId) {
          await saveCard(db, cards, profile.userId, methodId).catch((error) => {
            // saveCard has detached a payment method that is not a card; another attempt would not help.
            if (!(error instanceof AppError && error.code === 'unprocessable')) throw error;
          });
        }
      }
      await markHandled(db, eventId);
    },

    'payments.card-refused': async ({ eventId, objectId }) => {
      const intent = await readSetup(cards, objectId);
      if (intent) await cancelAfterFailures(db, cards, intent);
      await db.transaction().execute(async (tx) => {
        const isFirst = await markHandled(tx, eventId);
        const { user_id: userId, ip_address: ipAddress = null } = intent?.metadata ?? {};
        if (isFirst && userId) await countRefusedCard(tx, { userId, ipAddress });
      });
    },

    'payments.disputed': async ({ eventId, objectId }) => {
      const dispute = await cards.disputes.retrieve(objectId);
      if (await recordDispute(db, dispute)) {
        log.warn({ disputeId: dispute.id, status: dispute.status }, 'payment disputed');
      }
      await markHandled(db, eventId);
    },

    'payments.read-missed-events': () => readMissedEvents(db, cards),
  } satisfies AreaHandlers<'payments'>;
}

async function cancelAfterFailures(db: Database, cards: Stripe, intent: Stripe.SetupIntent): Promise<void> {
  const { failures } = await db
    .selectFrom('webhookEvents')
    .select((count) => count.fn.countAll<number>().as('failures'))
    .where('objectId', '=', intent.id)
    .where('eventType', '=', 'setup_intent.setup_failed')
    .executeTakeFirstOrThrow();
  if (Number(failures) < maxFailures || intent.status === 'canceled' || intent.status === 'succeeded') return;
  try {
    await cards.setupIntents.cancel(intent.id, { cancellation_reason: 'abandoned' });
  } catch (error) {
    // A refusal means that the SetupIntent has succeeded or been cancelled in the meantime.
    if (!isRefusal(error)) throw error;
  }
}

const readSetup = (cards: Stripe, intentId: string) =>
  readOrNull(() => cards.setupIntents.retrieve(intentId));

const readMethod = (cards: Stripe, methodId: string) =>
  readOrNull(() => cards.paymentMethods.retrieve(methodId));

/** Reads an object; null if it does not exist at Stripe. */
async function readOrNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}
