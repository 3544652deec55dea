import { formatLocation } from '#domain/location-text.ts';
import type { MessagePart, NotificationMessage } from '#domain/message.ts';
import { formatPounds } from '#domain/money.ts';
import { sports } from '#domain/sports.ts';
import {
  type BookingMessageData,
  bookingReference,
  describeLesson,
  forWhom,
  type LessonContent,
  openBooking,
  when,
} from './bookings.ts';
import { greet } from './greet.ts';

/** A changed field: its name, and its old and new values. */
type Change = [name: string, was: string, is: string];

const listChanges = (changes: Change[]): [string, string][] =>
  changes.flatMap(([name, was, is]): [string, string][] => [
    [`New ${name}`, is],
    [`Old ${name}`, was],
  ]);

/** Composes a message about a change by the coach; `what` completes "Alex Morgan has …". */
function composeChange(
  data: BookingMessageData,
  {
    what,
    changes,
    subject,
    summary,
    suits,
    hint = [],
  }: Pick<NotificationMessage, 'subject' | 'summary'> & {
    what: string;
    changes: Change[];
    /** "the new time suits": completes "If … you". */
    suits: string;
    hint?: MessagePart[];
  },
): NotificationMessage {
  const { booking, fullName } = data;
  const refund = booking.amountCents > 0 ? ` and get your ${formatPounds(booking.amountCents)} back` : '';
  return {
    subject,
    summary,
    body: [
      greet(fullName),
      `${booking.coachName} has ${what}.`,
      { facts: listChanges(changes) },
      describeLesson(data),
      `If ${suits} you, you don't need to do anything. If it doesn't, you can cancel until the lesson starts${refund}.`,
      ...hint,
      { facts: [...forWhom(data), bookingReference(booking)] },
    ],
    action: openBooking(booking, 'View or cancel your booking'),
  };
}

/** Notifies a customer that a booked lesson has moved from the time `from` and that cancelling is now free. */
export function composeMovedMessage(
  data: BookingMessageData,
  from: { startTime: string; endTime: string },
): NotificationMessage {
  const { booking } = data;
  return composeChange(data, {
    subject: `New time: ${booking.title}, ${when(booking)}`,
    summary: `${booking.coachName} has moved this lesson. It was ${when(from)}.`,
    what: 'moved a lesson you booked',
    changes: [['time', when(from), `${when(booking)} (London time)`]],
    suits: 'the new time suits',
    hint: ['If you saved this lesson in a calendar yourself, please check its time there.'],
  });
}

/**
 * Notifies a customer that a booked lesson has moved from the location `from` (null if none was given) and that
 * cancelling is now free.
 */
export function composeRelocatedMessage(
  data: BookingMessageData,
  from: Parameters<typeof formatLocation>[0],
): NotificationMessage {
  const { booking } = data;
  return composeChange(data, {
    subject: `New location: ${booking.title}, ${when(booking)}`,
    summary: `${formatLocation(booking.location)}. It was ${formatLocation(from)}.`,
    what: 'changed the location of a lesson you booked',
    changes: [['location', formatLocation(from), formatLocation(booking.location)]],
    suits: 'the new location suits',
  });
}

/**
 * Notifies a customer that the title, sport or description of a booked lesson has changed from `from` and that
 * cancelling is now free.
 */
export function composeChangedMessage(data: BookingMessageData, from: LessonContent): NotificationMessage {
  const { booking } = data;
  const after = booking.changedTo ?? booking;
  const changes: Change[] = [
    ['title', from.title, after.title],
    ['sport', sports[from.sport], sports[after.sport]],
    ['description', from.description || 'None', after.description || 'None'],
  ];
  return composeChange(data, {
    subject: `Changed: ${booking.title}, ${when(booking)}`,
    summary: `${booking.coachName} has changed this lesson${after.title === from.title ? '' : `: ${after.title}`}.`,
    what: 'changed a lesson you booked',
    changes: changes.filter(([, was, is]) => was !== is),
    suits: 'the change suits',
  });
}
