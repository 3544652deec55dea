import type { JobPayloads } from '#domain/jobs.ts';
import type { AreaHandlers } from '#server/platform/jobs/start-worker.ts';
import { RefusedAddress } from './channel.ts';
import { type DeliveryParts, deliver, reportBounce } from './deliver.ts';
import { hashAddress } from './signed-tokens.ts';
import { suppress } from './suppressions.ts';

/** The jobs that send notifications and other emails. */
export const notificationJobs = (parts: DeliveryParts) =>
  ({
    'notifications.bounced': ({ notificationId }) => reportBounce(parts, notificationId),
    'notifications.deliver': (delivery) => deliver(parts, delivery),
    'notifications.send': (email) => sendUnlessRefused(parts, email),
  }) satisfies AreaHandlers<'notifications'>;

/** Sends an email that is not a notification. Suppresses an address that is refused permanently, and does not retry. */
async function sendUnlessRefused(
  { db, channels }: Pick<DeliveryParts, 'db' | 'channels'>,
  { to, ...message }: JobPayloads['notifications.send'],
): Promise<void> {
  try {
    await channels.email(to, message);
  } catch (error) {
    if (!(error instanceof RefusedAddress)) throw error;
    await suppress(db, hashAddress(to), 'bounced');
  }
}
