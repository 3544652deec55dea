import type { NotificationMessage } from '#domain/message.ts';
import { when } from '../templates/bookings.ts';
import { greet } from '../templates/greet.ts';

/**
 * Notifies a family that the coach has shared a note. No channel carries the note's text, and only the email names the
 * participant.
 */
export function composeNoteMessage({
  fullName,
  participantId,
  participantName,
  coachName,
  ...lesson
}: {
  fullName: string;
  participantId: string;
  participantName: string;
  coachName: string;
  title: string;
  startTime: string;
  endTime: string;
}): NotificationMessage {
  return {
    subject: `New note after a lesson: ${lesson.title}, ${when(lesson)}`,
    summary: "Read the coach's note, and say how the lesson went.",
    body: [
      greet(fullName),
      `${coachName} has written a note about ${participantName} after this lesson.`,
      'You can say how it went. Only the coach sees your answer.',
    ],
    action: { label: 'Read the note', path: `/account/family/${participantId}/progress` },
  };
}

/** Notifies a person who handles welfare concerns of a new concern. Its text is shown only in the app. */
export function composeConcernMessage({ fullName }: { fullName: string }): NotificationMessage {
  return {
    subject: 'A coach has reported a welfare concern',
    summary: 'Please read it today.',
    body: [
      greet(fullName),
      "A coach has reported a concern about the welfare of a participant. To protect the participant, this message doesn't say more.",
    ],
    action: { label: 'Read the concern', path: '/welfare-concerns' },
  };
}
