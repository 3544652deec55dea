// Scenes of live pages and emails for the mutation test of the checker.
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { JobPayloads } from '#domain/jobs.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import type { Client } from './client.ts';
import { findStale, type LivePages, openLivePages } from './live-pages.ts';
import { book, cancel } from './load.ts';
import { waitUntilIdle } from './pending-work.ts';
import { beginSmtpFault } from './smtp-faults.ts';
import type { Stage } from './stage.ts';

export const payers = ({ club }: Client) => club.customers.slice(0, 8);

/** Keeps pages open while three customers book and cancel. */
export async function watchBookingsEnd(client: Client): Promise<void> {
  const slot = client.club.slots[3]!;
  await withPages(client, async (pages) => {
    for (const customer of payers(client).slice(0, 3)) {
      await book(client, customer, slot);
      const { bookingId } = client.history.booked.at(-1)!;
      // The pages must show the booking before it is cancelled. Afterwards, even a page that missed both changes
      // would be up to date.
      await findStale(client.stage, pages, 2_000);
      await cancel(client, { userId: customer.userId, bookingId, slot });
    }
  });
}

/** Books through one process while the other process has no connection to the database. */
export async function changeBehindAPage(client: Client): Promise<void> {
  const [first, second] = client.stage.sides;
  const [customer, slot] = [client.club.customers[0]!, client.club.slots[0]!];
  await withPages(client, async () => {
    first.databaseWire.block(true);
    first.databaseWire.cut();
    await book(client, customer, slot, second);
    first.databaseWire.block(false);
  });
}

async function withPages(client: Client, use: (pages: LivePages) => Promise<void>): Promise<void> {
  const { stage, history } = client;
  // An email that is being sent when a process loses its database may be sent twice.
  await waitUntilIdle(stage, { timeoutMs: 20_000 });
  const pages = openLivePages(client);
  const before = await findStale(stage, pages, 15_000);
  await use(pages);
  await waitUntilIdle(stage, { timeoutMs: 20_000 });
  history.broken.push(...before, ...(await findStale(stage, pages, 5_000)));
  pages.close();
}

/** Queues the notification jobs of two bookings again. */
export async function repeatJobs(client: Client): Promise<void> {
  const slot = await client.club.publish(2);
  for (const customer of payers(client).slice(0, 2)) await book(client, customer, slot);
  await waitUntilIdle(client.stage, { timeoutMs: 20_000 });
  for (const { bookingId } of client.history.booked.slice(-2)) {
    await enqueue(client.stage.db(), 'bookings.booked', { bookingId });
  }
}

/** Queues the deliveries of a booking's emails again, after the emails have been sent. */
export async function repeatDeliveries(client: Client): Promise<void> {
  const { stage, club } = client;
  const end = beginSmtpFault(stage.smtpServer, 'smtp server refuses');
  await book(client, club.customers[0]!, await club.publish(2));
  const payloads = await readQueuedDeliveries(stage);
  end();
  await waitUntilIdle(stage, { timeoutMs: 20_000 });
  for (const payload of payloads) await enqueue(stage.db(), 'notifications.deliver', payload);
}

/** Waits up to 10 s for queued deliveries by email and returns their payloads. */
async function readQueuedDeliveries({ db }: Stage): Promise<JobPayloads['notifications.deliver'][]> {
  for (const until = Date.now() + 10_000; Date.now() < until; await delay(100)) {
    const { rows } = await sql<{ payload: JobPayloads['notifications.deliver'] }>`
      select payload from graphile_worker._private_jobs
      where payload ->> 'notificationId' is not null and payload ->> 'channel' = 'email'`.execute(db());
    if (rows.length > 0) return rows.map(({ payload }) => payload);
  }
  return [];
}
