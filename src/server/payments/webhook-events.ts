import { sql } from 'kysely';
import type Stripe from 'stripe';
import { z } from 'zod';
import type { EventJobName } from '#domain/jobs.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { addJob, enqueue } from '#server/platform/jobs/enqueue.ts';
import { idOf } from './save-card.ts';

/** The job that reads an event's object again, by event type. */
const jobByEventType: Record<string, EventJobName> = {
  'payment_intent.succeeded': 'bookings.payment-changed',
  'payment_intent.payment_failed': 'bookings.payment-changed',
  'payment_intent.canceled': 'bookings.payment-changed',
  'setup_intent.succeeded': 'payments.card-set-up',
  'setup_intent.setup_failed': 'payments.card-refused',
  'charge.refunded': 'bookings.refund-changed',
  'refund.created': 'bookings.refund-changed',
  'refund.updated': 'bookings.refund-changed',
  'refund.failed': 'bookings.refund-changed',
  'charge.dispute.created': 'payments.disputed',
  'charge.dispute.updated': 'payments.disputed',
  'charge.dispute.closed': 'payments.disputed',
  'charge.dispute.funds_withdrawn': 'payments.disputed',
  'charge.dispute.funds_reinstated': 'payments.disputed',
};

/** The event types that the operator selects for the webhook endpoint in Stripe: all of these and no others. */
export const webhookEventTypes: readonly string[] = Object.keys(jobByEventType);

/** The types of events about changes that people and banks make in Stripe: refunds and disputes. */
export const externalEventTypes = webhookEventTypes.filter((type) =>
  ['bookings.refund-changed', 'payments.disputed'].includes(jobByEventType[type]!),
);

const findJob = (eventType: string): EventJobName | null =>
  Object.hasOwn(jobByEventType, eventType) ? jobByEventType[eventType]! : null;

const stripeId = z.string().regex(/^\w{1,255}$/);
const eventHead = z.object({ id: stripeId, type: z.string().max(100) });

const eventObject = z.object({
  id: stripeId,
  payment_intent: z.union([stripeId, z.object({ id: stripeId })]).nullish(),
  metadata: z.object({ payment_id: z.uuid().optional().catch(undefined) }).nullish(),
});

/** An event whose type has a job. `paymentId` comes from our metadata. */
export type HandledEvent = {
  eventId: string;
  eventType: string;
  job: EventJobName;
  objectId: string;
  paymentId: string | null;
};

/**
 * Reads the fields of an event that we use; null for an event type that is not handled, and for a refund event without
 * a payment intent. Throws a ZodError for a malformed event.
 */
export function readEvent(signed: Stripe.Event): HandledEvent | null {
  const { id: eventId, type: eventType } = eventHead.parse(signed);
  const job = findJob(eventType);
  if (!job) return null;
  const object = eventObject.parse(signed.data?.object);
  const objectId = job === 'bookings.refund-changed' ? idOf(object.payment_intent) : object.id;
  return objectId
    ? { eventId, eventType, job, objectId, paymentId: object.metadata?.payment_id ?? null }
    : null;
}

const keyOfEvent = (eventId: string) => `event-${eventId}`;

/**
 * How long the job for an event about a payment is delayed, in ms: the response to our own call usually reports the
 * result sooner.
 */
const paymentJobDelayMs = 2_000;

/**
 * Stores an event once, in the same statement as its job. An event about a payment that is known to have succeeded
 * needs no job.
 */
export async function storeEvent(
  db: Database,
  { eventId, eventType, job, objectId, paymentId }: HandledEvent,
): Promise<void> {
  const isPayment = job === 'bookings.payment-changed';
  const runAt = isPayment ? new Date(Date.now() + paymentJobDelayMs) : undefined;
  await sql`
    with event as (
      insert into webhook_events (event_id, event_type, object_id, handled_at)
      select ${eventId}, ${eventType}, ${objectId}, case when exists (
        select from payments where payment_id = ${isPayment ? paymentId : null}::uuid and status = 'succeeded'
      ) then now() end
      on conflict (event_id) do nothing
      returning handled_at
    )
    select ${addJob(job, { eventId, objectId }, { runAt, key: keyOfEvent(eventId) })}
    from event where handled_at is null`.execute(db);
}

/** Marks an event as handled, so that it is not queued again. Returns false if it was already marked. */
export async function markHandled(db: Database | Tx, eventId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('webhookEvents')
    .set({ handledAt: sql<string>`now()` })
    .where('eventId', '=', eventId)
    .where('handledAt', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Queues unhandled events again, because a killed worker leaves its job locked for hours. */
export async function requeueEvents(db: Database): Promise<void> {
  const events = await db
    .selectFrom('webhookEvents')
    .select(['eventId', 'eventType', 'objectId'])
    .where('handledAt', 'is', null)
    .where('receivedAt', '<', sql<string>`now() - interval '1 minute'`)
    .where('receivedAt', '>', sql<string>`now() - interval '3 days'`)
    .orderBy('receivedAt')
    .limit(200)
    .execute();
  for (const { eventId, eventType, objectId } of events) {
    const job = findJob(eventType);
    // An event waiting for its next attempt keeps the time of that attempt.
    if (job) await enqueue(db, job, { eventId, objectId }, { key: keyOfEvent(eventId), keepsRunAt: true });
  }
}
