import type { NotificationMessage } from '#domain/message.ts';
import { greet } from '../templates/greet.ts';

/**
 * Notifies a coach that someone has asked for an exception for a participant. The app's title names the person who
 * asked, not the participant.
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
    subject: `${askedByName} has asked for an exception to the age range of ${title}`,
    summary: 'Decide whether to make an exception.',
    body: [
      greet(fullName),
      `${askedByName} would like to book ${title} for ${participantName}, who is outside the age range of these lessons.`,
      `If you agree, ${participantName} can be booked into every lesson of this template.`,
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
    subject: `${isAllowed ? 'You can book' : 'No exception to the age range of'} ${title}`,
    summary: isAllowed
      ? 'The coach has made an exception to the age range of these lessons.'
      : 'The coach has decided not to make an exception to the age range.',
    body: [
      greet(fullName),
      isAllowed
        ? `The coach is happy for ${participantName} to join ${title}, which has a different age range. You can now book.`
        : `The coach can't make an exception for ${participantName}, who is outside the age range of ${title}.`,
    ],
    action: { label: 'Find a lesson', path: '/customer/discover' },
  };
}
