import type { Message } from '#domain/message.ts';

/** Sends a message to one address. Called only by jobs, which are retried if it throws. */
export type Channel = (to: string, message: Message) => Promise<void>;
