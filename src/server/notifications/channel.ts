import type { Message } from '#domain/message.ts';
import type { NotificationKind } from '#domain/notifications/kinds.ts';

/**
 * The lesson that a notification is about, as it is now. `previousStart`: the start that the person knew before the
 * move that the notification is about.
 */
export type LessonFacts = { title: string; startTime: string; endTime: string; previousStart?: string };

/**
 * The notification that a message belongs to. An email's headers depend on the notification. Push sends `path` and
 * `lesson` instead of the message.
 */
export type Delivered = {
  notificationId: string;
  kind: NotificationKind;
  userId: string;
  path?: string;
  lesson?: LessonFacts | null;
};

/**
 * Sends a message to one email address, or to a person's browsers. Only jobs call a channel. A channel throws if
 * sending failed and can be retried, and throws {@link RefusedAddress} if a retry would fail too.
 */
export type Channel = (to: string, message: Message, delivered?: Delivered) => Promise<void>;

/** The address is refused permanently: it does not exist, or takes no messages. For push: no browser is subscribed. */
export class RefusedAddress extends Error {}
