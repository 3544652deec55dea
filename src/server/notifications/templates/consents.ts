import {
  type ConsentChoice,
  type ConsentKind,
  consentTexts,
  isWithdrawal,
} from '#domain/accounts/consents.ts';
import type { NotificationMessage } from '#domain/message.ts';
import { when } from './bookings.ts';
import { openLesson } from './coach-bookings.ts';
import { greet } from './greet.ts';

/** Notifies a coach that a family allows less than before. Only the email names the participant. */
export function composeConsentReducedMessage({
  kind,
  choice,
  participantName,
  fullName,
  ...lesson
}: {
  kind: ConsentKind;
  choice: ConsentChoice;
  participantName: string;
  fullName: string;
  slotId: string;
  title: string;
  startTime: string;
  endTime: string;
}): NotificationMessage {
  const { title, choices } = consentTexts[kind];
  const label = (choices as Partial<Record<ConsentChoice, string>>)[choice] ?? choice;
  return {
    subject: `A consent was withdrawn: ${lesson.title}, ${when(lesson)}`,
    summary: 'The attendee list shows what is still allowed.',
    body: [
      greet(fullName),
      `The family of ${participantName} has changed a consent, from now on:`,
      { facts: [[title, label]] },
      ...(kind === 'medical' && isWithdrawal(choice)
        ? ['We have deleted the notes about health and needs. Please destroy any copies that you made.']
        : []),
    ],
    action: openLesson(lesson, 'See the attendee list'),
  };
}
