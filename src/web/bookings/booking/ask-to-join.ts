import type { Participant } from '#domain/accounts/participants-contract.ts';
import { type AgeRequest, agesApi } from '#domain/catalogue/ages-contract.ts';
import type { OpenSlot } from '#domain/catalogue/slots-contract.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';

/**
 * Asks the coach for an exception for a participant outside the age range. `answer` is the message to show
 * after the request; `isAllowed`: the coach has already said yes, so the booking can be confirmed.
 */
export function useAskToJoin({ slotId, coachName }: Pick<OpenSlot, 'slotId' | 'coachName'>) {
  const ask = useApiMutation(agesApi.ask);
  const answers: Record<AgeRequest['status'], string> = {
    asked: `We've asked ${coachName}. We'll notify you of the answer. If it's yes, you can book.`,
    allowed: `${coachName} has said yes, so you can book now.`,
    declined: `${coachName} has said no to this request.`,
  };
  return {
    ask: ({ participantId }: Pick<Participant, 'participantId'>) => ask.mutate({ slotId, participantId }),
    reset: ask.reset,
    isPending: ask.isPending,
    answer: ask.data ? answers[ask.data.status] : null,
    isAllowed: ask.data?.status === 'allowed',
    refusal: ask.error?.message ?? null,
  };
}
