/**
 * A message that a template composes: a one-line subject, and plain text with each link on a separate line.
 */
export type Message = { subject: string; text: string };
