import type { JobPayloads } from '#domain/jobs.ts';
import type { Message } from '#domain/message.ts';
import {
  type DeliveryChannel,
  isChannelOn,
  kindOf,
  kinds,
  type NotificationKind,
} from '#domain/notifications/kinds.ts';
import { quietUntil, urgentWithinHours } from '#domain/notifications/quiet-hours.ts';
import type { Database } from '#server/platform/db/db.ts';
import { enqueue } from '#server/platform/jobs/enqueue.ts';
import { type LessonFacts, RefusedAddress } from './channel.ts';
import type { Channels } from './channels.ts';
import {
  type DeliveryEnd,
  type DeliveryRecord,
  endDelivery,
  readDelivery,
  recordSent,
  type StoredNotification,
} from './delivery-records.ts';
import { readQuietHours } from './preferences.ts';
import { hashAddress } from './signed-tokens.ts';
import { suppress } from './suppressions.ts';

/**
 * Composes a notification's message at the time of sending, or checks and updates the queued message. Returns null if
 * the notification is no longer true, or no longer worth sending through this channel.
 */
export type Composer = (
  notification: StoredNotification,
  queued: Message | null,
  channel: DeliveryChannel,
) => Promise<Message | null>;
export type Composers = Partial<Record<NotificationKind, Composer>>;

export type DeliveryParts = {
  db: Database;
  channels: Channels;
  composers: Composers;
  /** The lesson that a notification is about, even if it was cancelled; null if the notification has no lesson. */
  findLesson: (notification: StoredNotification) => Promise<LessonFacts | null>;
  /** For kinds with `mustReach` (kinds.ts): called when the recipient could not be reached by email. */
  onUnreached: (notification: StoredNotification) => Promise<void>;
};

/** How long a delivery is retried after temporary failures, in ms. */
const retryForMs = 24 * 60 * 60 * 1000;

/**
 * Delivers a notification through one channel, once. First checks again that the person wants the notification and can
 * be reached, and that the notification is still true. Quiet hours postpone a push message. Throws if the delivery
 * should be tried again.
 */
export async function deliver(
  parts: DeliveryParts,
  { notificationId, channel, message }: JobPayloads['notifications.deliver'],
  now = Date.now(),
): Promise<void> {
  const delivery = await readDelivery(parts.db, notificationId, channel);
  if (delivery?.status !== 'queued') return;
  const isEmail = channel === 'email';
  const own = { notificationId, channel, ...(isEmail && { to: delivery.email }) };
  const end = (status: DeliveryEnd['status'], reason?: DeliveryEnd['reason']) =>
    endDelivery(parts.db, { ...own, status, reason });
  const { notification, email } = delivery;
  const refusal = refuseDelivery(delivery, channel);
  if (refusal) {
    if (refusal === 'suppressed') await reportUnreached(parts, notification);
    return void (await end('skipped', refusal));
  }
  const lesson = isEmail ? null : await parts.findLesson(notification);
  const heldUntil = isEmail ? null : findHold(delivery, lesson, now);
  if (heldUntil !== null) {
    const held = { notificationId, channel, message };
    return enqueue(parts.db, 'notifications.deliver', held, { runAt: new Date(heldUntil) });
  }
  const compose = parts.composers[notification.kind];
  const current = compose ? await compose(notification, message, channel) : message;
  if (!current) return void (await end('skipped', 'no_longer_true'));
  try {
    await parts.channels[channel](email, current, { ...notification, lesson });
  } catch (error) {
    if (error instanceof RefusedAddress && !isEmail) return void (await end('skipped', 'no_address'));
    if (error instanceof RefusedAddress) {
      await suppress(parts.db, hashAddress(email), 'bounced');
      await reportUnreached(parts, notification);
      return void (await end('bounced', 'refused'));
    }
    if (now - Date.parse(delivery.createdAt) < retryForMs) throw error;
    if (isEmail) await reportUnreached(parts, notification);
    return void (await end('failed', 'gave_up'));
  }
  await recordSent(parts.db, own);
}

function refuseDelivery(
  { notification, choice, email, isDeleted, isSuppressed }: DeliveryRecord,
  channel: JobPayloads['notifications.deliver']['channel'],
): DeliveryEnd['reason'] | null {
  if (isDeleted || !email) return 'no_address';
  if (!isChannelOn(kinds[notification.kind].rules[channel], choice)) return 'switched_off';
  return isSuppressed && channel === 'email' ? 'suppressed' : null;
}

/**
 * Handles an email that bounced after a mail server had accepted it: for a kind with `mustReach`, reports that the
 * recipient was not reached.
 */
export async function reportBounce(parts: DeliveryParts, notificationId: string): Promise<void> {
  const delivery = await readDelivery(parts.db, notificationId, 'email');
  if (delivery) await reportUnreached(parts, delivery.notification);
}

/** The end of the quiet hours that delay this delivery, in ms since the epoch; null if there is no delay. */
function findHold(
  { notification, quietHours }: DeliveryRecord,
  lesson: LessonFacts | null,
  now: number,
): number | null {
  const own = readQuietHours(quietHours);
  const until = own && quietUntil(now, own);
  if (!until || !kindOf(notification.kind).isUrgent) return until;
  if (!lesson) return until;
  // Someone who would turn up at the old time must be notified of the move before that time.
  const start = Math.min(...[lesson.startTime, lesson.previousStart ?? lesson.startTime].map(Date.parse));
  return start - now <= urgentWithinHours * 3_600_000 ? null : until;
}

/** Safe to repeat, because `onUnreached` notifies each person only once. */
async function reportUnreached(
  { onUnreached }: DeliveryParts,
  notification: StoredNotification,
): Promise<void> {
  if (kindOf(notification.kind).mustReach) await onUnreached(notification);
}
