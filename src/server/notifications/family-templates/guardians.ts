import type { Message, NotificationMessage } from '#domain/message.ts';
import { type BookingMessageData, describeLesson, openBooking, when } from '../templates/bookings.ts';
import { greet } from '../templates/greet.ts';

/**
 * Invites a person to become a guardian; `path` can be used once, until `expires` ("Sat 28 Nov"). The address may be
 * mistyped, so the email names no child.
 */
export function composeGuardianInvitationMessage({
  invitedBy,
  path,
  expires,
  brand,
}: {
  invitedBy: string;
  path: string;
  expires: string;
  brand: string;
}): Message {
  return {
    subject: `${invitedBy} invites you to look after bookings together on ${brand}`,
    summary: `Please accept or decline by ${expires}.`,
    body: [
      'Hello,',
      `${invitedBy} would like you to become a guardian of a child or another dependant on ${brand}. You would then see and book their lessons, and we would notify you about those lessons.`,
    ],
    action: { label: 'See the invitation', path },
    closing: [
      `The link can be used once, until ${expires}, and only with this email address. If you don't know ${invitedBy}, please ignore this email. Nothing happens unless you accept.`,
    ],
  };
}

export type GuardianChange = 'joined' | 'left' | 'declined';

const openFamily = { label: 'Open my family', path: '/account/family' };

/** Notifies a guardian that another person joined, left or declined. The app's title names no dependant. */
export function composeGuardianChangeMessage({
  what,
  personName,
  participantName,
  fullName,
}: {
  what: GuardianChange;
  personName: string;
  participantName: string;
  fullName: string;
}): NotificationMessage {
  const [subject, sentence] = {
    joined: [
      `${personName} is now a guardian too`,
      `${personName} has accepted the invitation and can now see and book lessons for ${participantName} as well.`,
    ],
    left: [
      `${personName} is no longer a guardian`,
      `${personName} no longer looks after bookings for ${participantName}.`,
    ],
    declined: [
      `${personName} has declined your invitation`,
      `${personName} doesn't want to become a guardian of ${participantName}.`,
    ],
  }[what] as [string, string];
  return {
    subject,
    summary: 'Your family list shows who looks after the bookings.',
    body: [greet(fullName), sentence],
    action: openFamily,
  };
}

/** Notifies a guardian that an admin opened care details, with the admin's reason. */
export function composeCareOpenedMessage({
  participantName,
  reason,
  fullName,
}: {
  participantName: string;
  reason: string;
  fullName: string;
}): NotificationMessage {
  return {
    subject: 'An admin opened care details in your family list',
    summary: 'The email gives the reason. Your family list shows everyone who has opened care details.',
    body: [
      greet(fullName),
      `An admin has just opened the care details of ${participantName}: notes, emergency contacts and collection. They gave this reason:`,
      { quote: reason },
      'If this surprises you, please contact us.',
    ],
    action: openFamily,
  };
}

/**
 * By kind of notification about a dependant's booking that another guardian paid for: the first words of the subject,
 * the words between the names of payer and dependant, and what follows that sentence.
 */
const events = {
  guardian_booked: ['Booked', 'has booked a lesson for', ''],
  lesson_cancelled: ['Cancelled', 'booked this lesson for', ' It is now cancelled.'],
  lesson_moved: ['New time', 'booked this lesson for', ' It has a new time.'],
  lesson_relocated: ['New location', 'booked this lesson for', ' It has a new location.'],
  lesson_changed: ['Changed', 'booked this lesson for', ' The coach has changed it.'],
  reminder_day: ['Reminder', 'has booked this lesson for', ''],
  reminder_hours: ['Reminder', 'has booked this lesson for', ''],
} as const;
export type GuardianEvent = keyof typeof events;

/** Notifies another guardian about a dependant's booking. The message leaves out the payment, which is the payer's. */
export function composeGuardianBookingMessage(
  data: BookingMessageData,
  { kind, payerName, fullName }: { kind: GuardianEvent; payerName: string; fullName: string },
): NotificationMessage {
  const { booking } = data;
  const [title, action, change] = events[kind];
  return {
    subject: `${title}: ${booking.title}, ${when(booking)}`,
    summary: `With ${booking.coachName}.`,
    body: [
      greet(fullName),
      `${payerName} ${action} ${data.participantName ?? 'your dependant'}.${change}`,
      describeLesson(data),
      ...(kind === 'lesson_cancelled' ? [] : [`Only ${payerName}, who paid, can cancel the booking.`]),
    ],
    action: openBooking(booking),
  };
}
