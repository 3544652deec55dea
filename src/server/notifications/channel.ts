import type { Message } from '#domain/message.ts';
import type { NotificationKind } from '#domain/notifications/kinds.ts';

/** The notification that a message delivers; an email's headers depend on it. */
export type Delivered = { notificationId: string; kind: NotificationKind; userId: string };

/**
 * Sends a message to one address. Called only by jobs, which are retried if it throws; a {@link RefusedAddress} is
 * final.
 */
export type Channel = (to: string, message: Message, delivered?: Delivered) => Promise<void>;

/** The address is refused for good: it does not exist, or takes no messages. */
export class RefusedAddress extends Error {}
