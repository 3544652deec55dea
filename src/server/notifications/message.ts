/** What a template composes: a subject of one line, and plain text in which a link has a line of its own. */
export type Message = { subject: string; text: string };

/** Sends a message to one address. For jobs only, which retry if it throws. */
export type Channel = (to: string, message: Message) => Promise<void>;
