/** What a template composes for a person: a subject of one line, and plain text in which a link has a line of its own. */
export type Message = { subject: string; text: string };
