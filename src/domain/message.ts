/** An invitation, update or cancellation for the calendar of an email's recipient (iTIP, RFC 5546). */
export type CalendarAttachment = {
  method: 'REQUEST' | 'CANCEL';
  /** The whole iCalendar file, which has the same METHOD. */
  content: string;
};

/** A picture beside text that says the same. `path` is on our own site. */
export type MessagePicture = { path: string; alt: string };

/** A part of a message. Text may have several lines. */
export type MessagePart =
  /** A paragraph. */
  | string
  /** What a person or a bank wrote; shown in quotation marks. */
  | { quote: string }
  | { facts: [label: string, value: string][] }
  /** A lesson's title, with its time, location and the like as `lines`. */
  | { lesson: string; lines: string[]; picture?: MessagePicture };

/** The one thing to do next: a page of our own site, and the label of the button or link that opens it. */
export type MessageAction = { label: string; path: string };

/**
 * A message that a template composes. It states facts; how they look is up to the channel, which also adds the
 * product's address to every path.
 */
export type Message = {
  /** One line. */
  subject: string;
  /** A sentence below the subject, in the app and in the list of an email program. It repeats what `body` says. */
  summary?: string;
  body: MessagePart[];
  action?: MessageAction;
  /** Paragraphs after the action. */
  closing?: string[];
  /** Attached to emails about a booking. */
  calendar?: CalendarAttachment;
};

/**
 * A message that is also shown in the app, with its subject as the title, where clicking it opens the action's page.
 */
export type NotificationMessage = Message & { summary: string; action: MessageAction };
