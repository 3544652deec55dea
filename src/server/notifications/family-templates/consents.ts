import type { NotificationMessage } from '#domain/message.ts';
import { when } from '../templates/bookings.ts';
import { openLesson } from '../templates/coach-bookings.ts';
import { greet } from '../templates/greet.ts';

/**
 * Notifies a coach that a family has withdrawn or reduced a consent; `allowed` is the new answer about `consent`. Only
 * the email names the participant.
 */
export function composeConsentReducedMessage({
  consent,
  allowed,
  areNotesDeleted,
  participantName,
  fullName,
  ...lesson
}: {
  consent: string;
  allowed: string;
  areNotesDeleted: boolean;
  participantName: string;
  fullName: string;
  slotId: string;
  title: string;
  startTime: string;
  endTime: string;
}): NotificationMessage {
  return {
    subject: `A consent was withdrawn: ${lesson.title}, ${when(lesson)}`,
    summary: 'The attendee list shows what is still allowed.',
    body: [
      greet(fullName),
      `The family of ${participantName} has changed a consent with immediate effect:`,
      { facts: [[consent, allowed]] },
      ...(areNotesDeleted
        ? ['We have deleted the notes about health and needs. Please destroy any copies that you made.']
        : []),
    ],
    action: openLesson(lesson, 'See the attendee list'),
  };
}
