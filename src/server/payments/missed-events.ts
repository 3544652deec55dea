import { sql } from 'kysely';
import type Stripe from 'stripe';
import type { Database } from '#server/platform/db/db.ts';
import { takeEvent } from './webhook-app.ts';

/** Changes made at the card network by people and banks: refunds and disputes. The sweeper checks our own payments. */
const eventTypes = [
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_reinstated',
  'charge.dispute.funds_withdrawn',
  'refund.created',
  'refund.updated',
  'refund.failed',
];

/** How far before the last read the list is read again, for events that were entered late. */
const overlapSeconds = 600;

/**
 * Handles refund and dispute events that never arrived, from the card network's own list. Each event is handled once,
 * whichever way it comes.
 */
export async function readMissedEvents(db: Database, cards: Stripe): Promise<void> {
  const { rows } = await sql<{ since: number; now: string }>`
    select floor(extract(epoch from events_read_until))::integer - ${overlapSeconds}::integer as since, now() as now
    from health`.execute(db);
  const { since, now } = rows[0]!;
  const found: Stripe.Event[] = [];
  for await (const event of cards.events.list({ types: eventTypes, created: { gte: since }, limit: 100 })) {
    found.push(event);
  }
  // The list is newest first.
  for (const event of found.reverse()) await takeEvent(db, event);
  await sql`update health set events_read_until = ${now}::timestamptz`.execute(db);
}
