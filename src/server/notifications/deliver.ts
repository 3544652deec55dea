import type { JobPayloads } from '#domain/jobs.ts';
import type { Message } from '#domain/message.ts';
import { isChannelOn, kindOf, kinds, type NotificationKind } from '#domain/notifications/kinds.ts';
import type { Database } from '#server/platform/db/db.ts';
import { RefusedAddress } from './channel.ts';
import type { Channels } from './channels.ts';
import {
  type DeliveryEnd,
  type DeliveryRecord,
  endDelivery,
  readDelivery,
  type StoredNotification,
} from './delivery-records.ts';
import { suppress } from './suppressions.ts';

/** Composes the message of a kind when it is sent; null if the notification is no longer true. */
export type Composer = (notification: StoredNotification) => Promise<Message | null>;
export type Composers = Partial<Record<NotificationKind, Composer>>;

export type DeliveryParts = {
  db: Database;
  channels: Channels;
  composers: Composers;
  /** Called when an email that must reach its recipient reaches nobody: `mustReach` in kinds.ts. */
  onUnreached: (notification: StoredNotification) => Promise<void>;
};

/** How long a delivery that fails for a passing reason is tried again, in ms. */
const retryForMs = 24 * 60 * 60 * 1000;

/**
 * Delivers a notification through one channel, once, and checks everything again first: whether the person still wants
 * it, can be reached and whether it is still true. Throws if the delivery should be tried again.
 */
export async function deliver(
  parts: DeliveryParts,
  { notificationId, channel, message }: JobPayloads['notifications.deliver'],
): Promise<void> {
  const delivery = await readDelivery(parts.db, notificationId, channel);
  if (delivery?.status !== 'queued') return;
  const end = (status: DeliveryEnd['status'], reason?: DeliveryEnd['reason']) =>
    endDelivery(parts.db, { notificationId, channel, status, reason, to: delivery.email });
  const { notification, email } = delivery;
  const refusal = refuseDelivery(delivery, channel);
  if (refusal) {
    if (refusal === 'suppressed') await reportUnreached(parts, notification);
    return void (await end('skipped', refusal));
  }
  const compose = parts.composers[notification.kind];
  const current = message ?? (compose ? await compose(notification) : null);
  if (!current) return void (await end('skipped', 'no_longer_true'));
  try {
    await parts.channels[channel](email, current, notification);
  } catch (error) {
    if (error instanceof RefusedAddress) {
      await suppress(parts.db, email, 'bounced');
      await reportUnreached(parts, notification);
      return void (await end('bounced', 'refused'));
    }
    if (Date.now() - Date.parse(delivery.createdAt) < retryForMs) throw error;
    await reportUnreached(parts, notification);
    return void (await end('failed', 'gave_up'));
  }
  await end('sent');
}

function refuseDelivery(
  { notification, choice, email, isDeleted, isSuppressed }: DeliveryRecord,
  channel: JobPayloads['notifications.deliver']['channel'],
): DeliveryEnd['reason'] | null {
  if (isDeleted || !email) return 'no_address';
  if (!isChannelOn(kinds[notification.kind].rules[channel], choice)) return 'switched_off';
  return isSuppressed ? 'suppressed' : null;
}

/** Repeatable: notifications about it are unique. */
async function reportUnreached(
  { onUnreached }: DeliveryParts,
  notification: StoredNotification,
): Promise<void> {
  if (kindOf(notification.kind).mustReach) await onUnreached(notification);
}
