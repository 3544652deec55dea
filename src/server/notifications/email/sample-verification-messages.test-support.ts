import type { Message } from '#domain/message.ts';
import * as documents from '../verification-templates/documents.ts';
import * as hiddenCoaches from '../verification-templates/hidden-coaches.ts';

const hiddenCoach = {
  coachName: 'Jo & Co',
  missing: ['insurance' as const],
  missingForMinors: ['criminal_record_check' as const, 'safeguarding' as const],
  hasOtherCheck: true,
};

/** Messages about coaches' checks and documents, keyed by the name of the template's function. */
export function sampleVerificationMessages({
  fullName,
  booking,
}: {
  fullName: string;
  booking: { title: string; startTime: string; endTime: string };
}): Record<string, Message[]> {
  const lesson = { ...booking, coachName: 'Jo & Co', seats: 2 };
  return {
    composeDocumentWaitingMessage: [documents.composeDocumentWaitingMessage('first_aid')],
    composeDocumentDecidedMessage: [true, false].map((isAccepted) =>
      documents.composeDocumentDecidedMessage({
        ...{ fullName, kind: 'insurance', isAccepted, reason: isAccepted ? '' : 'Too <dark> & small' },
      }),
    ),
    composeDocumentEndingMessage: [null, 'Jo & Co'].flatMap((coachName) =>
      (['insurance', 'criminal_record_check'] as const).map((kind) =>
        documents.composeDocumentEndingMessage({
          ...{ fullName, coachName, kind, endsOn: '2027-03-28', daysBefore: 30 },
        }),
      ),
    ),
    composeCoachHiddenMessage: (['coach', 'owner', 'admin'] as const).map((reader) =>
      hiddenCoaches.composeCoachHiddenMessage({
        ...{ fullName, reader, coach: hiddenCoach },
        uncovered: {
          lessons: reader === 'admin' ? [] : [lesson],
          areMore: false,
        },
      }),
    ),
    composeCoachesHiddenMessage: (['owner', 'admin'] as const).map((reader) =>
      hiddenCoaches.composeCoachesHiddenMessage({
        ...{
          fullName,
          reader,
          coaches: [hiddenCoach, { ...hiddenCoach, coachName: 'Sam & Sons' }],
          count: 3,
        },
        uncovered: { lessons: [lesson], areMore: true },
      }),
    ),
    composeListedAgainMessage: (['coach', 'owner'] as const).map((reader) =>
      hiddenCoaches.composeListedAgainMessage({ fullName, reader, coachNames: ['Jo & Co', 'Sam & Sons'] }),
    ),
  };
}
