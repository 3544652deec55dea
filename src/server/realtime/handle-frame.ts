import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { ChangeReader } from './change-reader.ts';
import type { Connection } from './connection.ts';
import type { Frame } from './frames.ts';
import type { RealtimeLimits } from './limits.ts';
import type { SlotWatch } from './slot-watch.ts';
import type { Subscriptions } from './subscriptions.ts';
import { slotsTopic } from './topics.ts';

/** How long a join waits for the first read of changes, in milliseconds. The client waits 10 s for a reply. */
const timeoutMs = 5_000;

const watchMessage = z.object({
  event: z.literal('watch'),
  payload: z.object({ slotIds: z.array(z.uuid()) }),
});

/** Handles a client's messages: heartbeats, joins, leaves, newer tokens, and the slots to watch. */
export function createFrameHandler({
  reader,
  subscriptions,
  slotWatch,
  limits,
}: {
  reader: ChangeReader;
  subscriptions: Subscriptions;
  slotWatch: SlotWatch;
  limits: RealtimeLimits;
}) {
  /** Resolves once every later change will be read. Throws if the database does not respond in time. */
  async function startReading(): Promise<void> {
    const timer = new AbortController();
    const isLate = delay(timeoutMs, true, { signal: timer.signal }).catch(() => true);
    const isReading = reader.start().then(() => false);
    const isUnresponsive = await Promise.race([isReading, isLate]);
    timer.abort();
    if (isUnresponsive) throw new Error('The database does not answer');
  }

  function watch(connection: Connection, frame: Frame): void {
    const message = watchMessage.safeParse(frame.payload);
    const slotIds = message.data?.payload.slotIds;
    if (!slotIds) {
      connection.reply(frame, 'error', { reason: 'Send the event "watch" with {"slotIds": [...]}.' });
    } else if (slotIds.length > limits.slotsPerWatch) {
      connection.refuse(frame, `At most ${limits.slotsPerWatch} lessons can be watched.`);
    } else {
      slotWatch.watch(connection, slotIds);
      connection.reply(frame, 'ok');
    }
  }

  return async (connection: Connection, frame: Frame): Promise<void> => {
    const { topic, event } = frame;
    if (topic === 'phoenix' && event === 'heartbeat') {
      connection.reply(frame, 'ok');
    } else if (event === 'phx_join') {
      await startReading();
      await subscriptions.join(connection, frame);
    } else if (!connection.subscriptions.has(topic)) {
      connection.reply(frame, 'error', { reason: 'You have not joined this topic.' });
    } else if (event === 'phx_leave') {
      if (topic === slotsTopic) slotWatch.drop(connection);
      subscriptions.leave(connection, topic);
      connection.reply(frame, 'ok');
    } else if (event === 'access_token') {
      await subscriptions.renew(connection, frame);
    } else if (topic === slotsTopic && event === 'broadcast') {
      watch(connection, frame);
    } else {
      connection.reply(frame, 'error', { reason: 'This topic does not accept this message.' });
    }
  };
}
