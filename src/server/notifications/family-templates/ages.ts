import type { NotificationMessage } from '#domain/message.ts';
import { greet } from '../templates/greet.ts';

/**
 * Notifies a coach that someone asks for an exception for a participant. The app's title names the person who asks, not
 * a child.
 */
export function composeAgeRequestMessage({
  title,
  participantName,
  askedByName,
  fullName,
}: {
  title: string;
  participantName: string;
  askedByName: string;
  fullName: string;
}): NotificationMessage {
  return {
    subject: `${askedByName} asks for an exception to the age range of ${title}`,
    summary: 'Decide whether this person can book.',
    body: [
      greet(fullName),
      `${askedByName} would like to book ${title} for ${participantName}, whose age is outside the range for these lessons.`,
      'If you agree, this person can book all lessons of this template.',
    ],
    action: { label: 'Answer the request', path: '/coach/templates' },
  };
}

/** Notifies the person who asked for an exception of the coach's answer. */
export function composeAgeAnswerMessage({
  title,
  participantName,
  isAllowed,
  fullName,
}: {
  title: string;
  participantName: string;
  isAllowed: boolean;
  fullName: string;
}): NotificationMessage {
  return {
    subject: `${isAllowed ? 'You can book' : 'No exception for'} ${title}`,
    summary: isAllowed
      ? 'The coach has made an exception to the age range of these lessons.'
      : 'The coach has decided not to make an exception to the age range.',
    body: [
      greet(fullName),
      isAllowed
        ? `The coach is happy for ${participantName} to join ${title}, even though the age is outside the range. You can now book.`
        : `The coach can't make an exception for ${participantName}, so you can't book ${title} for this age.`,
    ],
    action: { label: 'Find a lesson', path: '/customer/discover' },
  };
}
