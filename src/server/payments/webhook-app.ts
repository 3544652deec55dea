import { Hono } from 'hono';
import type Stripe from 'stripe';
import { AppError } from '#domain/errors.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import type { Variables } from '#server/platform/http/http.ts';
import { readText } from '#server/platform/http/read-body.ts';
import type { Log } from '#server/platform/log.ts';
import { type HandledEvent, readEvent, storeEvent } from './webhook-events.ts';

/**
 * The largest event accepted, in bytes. Stripe's events take a few kilobytes, or more if an object has a lot
 * of metadata.
 */
const eventLimitBytes = 1024 * 1024;

/**
 * Receives Stripe's events at `/stripe`: verifies the signature over the raw bytes, stores the event once
 * under its own id together with the job that reads the object again, and responds. Because that job reads the current
 * state, duplicate, late and reordered events do no harm.
 */
export function createWebhookApp({
  db,
  config,
  cards,
  log,
}: {
  db: Database;
  config: Pick<Config, 'stripe'>;
  cards: Stripe;
  log: Log;
}): Hono<{ Variables: Variables }> {
  const app = new Hono<{ Variables: Variables }>();
  app.post('/stripe', async (c) => {
    const body = await readText(c.req.raw, eventLimitBytes);
    const signature = c.req.header('stripe-signature') ?? '';
    let event: HandledEvent | null;
    try {
      const { webhookSecret } = config.stripe;
      event = readEvent(await cards.webhooks.constructEventAsync(body, signature, webhookSecret));
    } catch (error) {
      log.warn({ requestId: c.get('requestId'), reason: (error as Error).message }, 'webhook refused');
      throw new AppError('bad_request', "This isn't a signed event from Stripe.", { cause: error });
    }
    if (event) await storeEvent(db, event);
    return c.json({ received: true });
  });
  return app;
}
