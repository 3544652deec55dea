/** An invitation, update or cancellation for the calendar of an email's recipient (iTIP, RFC 5546). */
export type CalendarAttachment = {
  method: 'REQUEST' | 'CANCEL';
  /** The whole iCalendar file, which has the same METHOD. */
  content: string;
};

/** A picture beside text with the same information. `path` is on our own site. */
export type MessagePicture = { path: string; alt: string };

/** A part of a message. Text may have several lines. */
export type MessagePart =
  /** A paragraph. */
  | string
  /** Text written by a person or a bank; shown in quotation marks. */
  | { quote: string }
  | { facts: [label: string, value: string][] }
  /** A lesson's title, with details such as its time and location as `lines`. */
  | { lesson: string; lines: string[]; picture?: MessagePicture };

/** The next step: a page of our own site, and the label of the button or link that opens it. */
export type MessageAction = { label: string; path: string };

/**
 * A message that a template composes. The channel decides how the message looks and adds the site's address to every
 * path.
 */
export type Message = {
  /** One line. */
  subject: string;
  /** A sentence below the subject, in the app and in email programs' lists of messages. It repeats a part of `body`. */
  summary?: string;
  body: MessagePart[];
  action?: MessageAction;
  /** Paragraphs after the action. */
  closing?: string[];
  /** Attached to emails about a booking. */
  calendar?: CalendarAttachment;
};

/** A message that the app lists too. Its title there is the subject, and clicking it opens the action's page. */
export type NotificationMessage = Message & { summary: string; action: MessageAction };
