import type { Message } from '#domain/message.ts';
import type { NotificationKind } from '#domain/notifications/kinds.ts';

/**
 * The lesson that a notification is about, as it is now. `previousStart`: when it started before the move that the
 * notification is about, as far as the person knew.
 */
export type LessonFacts = { title: string; startTime: string; endTime: string; previousStart?: string };

/**
 * The notification that a message delivers; an email's headers depend on it. `path` and `lesson` are for push, which
 * sends these instead of the message.
 */
export type Delivered = {
  notificationId: string;
  kind: NotificationKind;
  userId: string;
  path?: string;
  lesson?: LessonFacts | null;
};

/**
 * Sends a message to one email address, or to a person's browsers. Only jobs call this function. They are retried if it
 * throws, except for a {@link RefusedAddress}, which is final.
 */
export type Channel = (to: string, message: Message, delivered?: Delivered) => Promise<void>;

/** The address is refused for good: it does not exist, or takes no messages. For push: no browser is subscribed. */
export class RefusedAddress extends Error {}
