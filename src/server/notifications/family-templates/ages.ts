import type { NotificationMessage } from '#domain/message.ts';
import { greet } from '../templates/greet.ts';

/** Notifies a coach of a request to let a participant in. The app's title names the person who asks, not a child. */
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
    subject: `${askedByName} asks for an exception from the ages of ${title}`,
    summary: 'Decide whether this person may book.',
    body: [
      greet(fullName),
      `${askedByName} would like to book ${title} for ${participantName}, whose age is outside the range of these lessons.`,
      'If you agree, this person can book all lessons of this template.',
    ],
    action: { label: 'Answer the request', path: '/coach/templates' },
  };
}

/** Notifies the person who asked of the coach's answer. */
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
      ? 'The coach has made an exception from the ages of these lessons.'
      : 'The coach keeps to the ages of these lessons.',
    body: [
      greet(fullName),
      isAllowed
        ? `The coach is happy for ${participantName} to join ${title}, whatever the age range says. You can now book.`
        : `The coach can't make an exception for ${participantName}, so ${title} stays closed to this age.`,
    ],
    action: { label: 'Find a lesson', path: '/customer/discover' },
  };
}
