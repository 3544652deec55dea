import { type RawBuilder, sql } from 'kysely';
import type { Message } from '#domain/message.ts';
import type { Database, Tx } from '#server/platform/db/db.ts';
import { addJob, enqueueAll } from '#server/platform/jobs/enqueue.ts';
import type { Channels } from './channels.ts';
import { addressColumns, listAddresses, type Recipient } from './recipients.ts';

/**
 * Queues a message to a recipient as one job per channel, so that each channel is retried separately. The message is
 * sent only if the transaction commits.
 */
export function notify(tx: Database | Tx, recipient: Recipient, message: Message): Promise<void> {
  return enqueueAll(tx, 'notifications.send', listDeliveries(recipient, message));
}

/** The deliveries of a message: one for each channel that reaches the recipient. */
const listDeliveries = (recipient: Recipient, message: Message) =>
  listAddresses(recipient).map((address) => ({ ...address, ...message }));

/**
 * Queues one message to everyone whose user id the SQL selects, in one statement per channel, because there may be
 * thousands of recipients. Deleted accounts are left out.
 */
export async function notifyAll(tx: Tx, userIds: RawBuilder<unknown>, message: Message): Promise<void> {
  for (const [channel, column] of Object.entries(addressColumns)) {
    const to = sql<string>`${sql.ref(column)}`;
    await sql`
      select ${addJob('notifications.send', { channel, to, ...message })} from profiles
      where user_id in (${userIds}) and deleted_at is null and ${to} is not null`.execute(tx);
  }
}

/**
 * Sends a message within the job of an event, because a separate job would cost as much as a booking. Throws if the
 * message could not be sent, so that the event's job is retried. A recipient with several channels gets a job for each
 * channel, so that a retry does not send a message again.
 */
export async function notifyNow(
  { db, channels }: { db: Database; channels: Channels },
  recipient: Recipient,
  message: Message,
): Promise<void> {
  const [delivery, ...others] = listDeliveries(recipient, message);
  if (others.length > 0) await notify(db, recipient, message);
  else if (delivery) await channels[delivery.channel](delivery.to, message);
}
