import { Hono } from 'hono';
import { sql } from 'kysely';
import type Stripe from 'stripe';
import { z } from 'zod';
import { AppError } from '#domain/errors.ts';
import type { Config } from '#server/platform/config.ts';
import type { Database } from '#server/platform/db/db.ts';
import { readText, type Variables } from '#server/platform/http/http.ts';
import type { Log } from '#server/platform/log.ts';
import { idOf } from './save-card.ts';

/** The largest accepted event, in bytes; Stripe's are a few kilobytes, more with expanded metadata. */
const eventLimitBytes = 1024 * 1024;

/**
 * Receives the card network's events at `/stripe`: verifies the signature over the raw bytes, stores the event once
 * under its own id together with the job that reads the object again, and responds. So duplicate, late and reordered
 * events change nothing.
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
    let event: Event;
    let task: EventTask | null;
    try {
      const { webhookSecret } = config.stripe;
      const signed = await cards.webhooks.constructEventAsync(body, signature, webhookSecret);
      event = eventHead.parse(signed);
      task = readEvent(event, signed);
    } catch (error) {
      log.warn({ requestId: c.get('requestId'), reason: (error as Error).message }, 'webhook refused');
      throw new AppError('bad_request', 'This is not a signed event of our card network.', { cause: error });
    }
    if (task) await storeEvent(db, event, task);
    return c.json({ received: true });
  });
  return app;
}

/** Handles an event from the card network's own list, as if it had arrived here. */
export async function takeEvent(db: Database, listed: Stripe.Event): Promise<void> {
  const event = eventHead.parse(listed);
  const task = readEvent(event, listed);
  if (task) await storeEvent(db, event, task);
}

type EventTask = { job: string; objectId: string; paymentId: string | null };

/** The job that reads an event's object again, by event type. An operator's endpoint sends exactly these types. */
const jobByEventType: Record<string, string> = {
  'payment_intent.succeeded': 'payment.changed',
  'payment_intent.payment_failed': 'payment.changed',
  'payment_intent.canceled': 'payment.changed',
  'setup_intent.succeeded': 'card.set_up',
  'setup_intent.setup_failed': 'card.refused',
  'charge.refunded': 'refund.changed',
  'refund.created': 'refund.changed',
  'refund.updated': 'refund.changed',
  'refund.failed': 'refund.changed',
  'charge.dispute.created': 'payment.disputed',
  'charge.dispute.updated': 'payment.disputed',
  'charge.dispute.closed': 'payment.disputed',
  'charge.dispute.funds_withdrawn': 'payment.disputed',
  'charge.dispute.funds_reinstated': 'payment.disputed',
};

/** The types of events that a webhook endpoint for this product subscribes to. */
export const webhookEventTypes: readonly string[] = Object.keys(jobByEventType);

/** The job that reads the object of an event of this type again; null for types that are not handled. */
export function jobOfEvent(eventType: string): string | null {
  return Object.hasOwn(jobByEventType, eventType) ? jobByEventType[eventType]! : null;
}

const stripeId = z.string().regex(/^\w{1,255}$/);
const eventHead = z.object({ id: stripeId, type: z.string().max(100) });
type Event = z.output<typeof eventHead>;

/** The fields of an event that are used. */
const eventObject = z.object({
  id: stripeId,
  payment_intent: z.union([stripeId, z.object({ id: stripeId })]).nullish(),
  metadata: z.object({ payment_id: z.uuid().optional().catch(undefined) }).nullish(),
});

function readEvent({ type }: Event, signed: Stripe.Event): EventTask | null {
  const job = jobOfEvent(type);
  if (!job) return null;
  const object = eventObject.parse(signed.data?.object);
  const objectId = job === 'refund.changed' ? idOf(object.payment_intent) : object.id;
  return objectId ? { job, objectId, paymentId: object.metadata?.payment_id ?? null } : null;
}

/**
 * One statement, so event and job are stored together or not at all. An event about a payment that is known to have
 * succeeded needs no job. Others are delayed briefly, because the response to our own call usually arrives first with
 * the same news.
 */
async function storeEvent(db: Database, event: Event, { job, objectId, paymentId }: EventTask) {
  const isPayment = job === 'payment.changed';
  const knownPaymentId = isPayment ? paymentId : null;
  await sql`
    with event as (
      insert into webhook_events (event_id, event_type, object_id, handled_at)
      select ${event.id}, ${event.type}, ${objectId}, case when exists (
        select from payments where payment_id = ${knownPaymentId}::uuid and status = 'succeeded'
      ) then now() end
      on conflict (event_id) do nothing
      returning handled_at
    )
    select graphile_worker.add_job(${job},
      json_build_object('eventId', ${event.id}::text, 'objectId', ${objectId}::text),
      run_at => now() + ${isPayment ? 2 : 0} * interval '1 second', job_key => ${`event-${event.id}`})
    from event where handled_at is null`.execute(db);
}
