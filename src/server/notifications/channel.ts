import type { Message } from '#domain/message.ts';

/** Sends a message to one address. For jobs only, which retry if it throws. */
export type Channel = (to: string, message: Message) => Promise<void>;
