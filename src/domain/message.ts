/**
 * What a template composes for a person: a one-line subject, and plain text in which each link is on a line of its own.
 */
export type Message = { subject: string; text: string };
