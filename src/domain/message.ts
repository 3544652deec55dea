/** An invitation, update or cancellation for the calendar of an email's recipient (iTIP, RFC 5546). */
export type CalendarAttachment = {
  method: 'REQUEST' | 'CANCEL';
  /** The whole iCalendar file, which has the same METHOD. */
  content: string;
};

/**
 * A message that a template composes: a one-line subject, and plain text with each link on a separate line.
 */
export type Message = {
  subject: string;
  text: string;
  /** Attached to emails about a booking. */
  calendar?: CalendarAttachment;
};

/**
 * A message that is also shown in the app, with its subject as the title. `summary` is the sentence below the title,
 * `path` the page of our own site that the message is about.
 */
export type NotificationMessage = Message & { summary: string; path: string };
