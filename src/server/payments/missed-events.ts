import { sql } from 'kysely';
import type Stripe from 'stripe';
import type { Database } from '#server/platform/db/db.ts';
import { externalEventTypes, readEvent, storeEvent } from './webhook-events.ts';

/** The overlap of two consecutive reads of the list, in seconds, because events may appear in the list late. */
const overlapSeconds = 600;

/**
 * Searches Stripe's list of events for refund and dispute events that never arrived. Each event is handled once,
 * whether it comes from the list or a webhook. The payment sweep checks our own payments.
 */
export async function readMissedEvents(db: Database, cards: Stripe): Promise<void> {
  const { rows } = await sql<{ since: number; now: string }>`
    select floor(extract(epoch from events_read_until))::integer - ${overlapSeconds}::integer as since, now() as now
    from health`.execute(db);
  const { since, now } = rows[0]!;
  const found: Stripe.Event[] = [];
  for await (const event of cards.events.list({
    types: externalEventTypes,
    created: { gte: since },
    limit: 100,
  })) {
    found.push(event);
  }
  // Stripe lists the newest event first.
  for (const listed of found.reverse()) {
    const event = readEvent(listed);
    if (event) await storeEvent(db, event);
  }
  await sql`update health set events_read_until = ${now}::timestamptz`.execute(db);
}
