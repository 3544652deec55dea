import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { participantDataApi } from '#domain/account/participant-contract.ts';
import { guardiansApi } from '#domain/accounts/guardians-contract.ts';
import { refuseDeleteParticipant, refuseLeave } from '#domain/accounts/participants.ts';
import { type Participant, participantsApi } from '#domain/accounts/participants-contract.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { Section } from '#web/ui/card.tsx';
import { ConfirmDialog } from '#web/ui/overlay/confirm-dialog.tsx';
import { toastError, toastSuccess } from '#web/ui/overlay/toaster.ts';

/**
 * Deletes a dependant or, if there is another guardian, ends the signed-in person's guardianship. Says why if that is
 * not possible yet.
 */
export function EndGuardianship({ participant }: { participant: Participant }) {
  const { participantId, fullName: name, guardians, upcomingLessons } = participant;
  const [isAsking, setIsAsking] = useState(false);
  const navigate = useNavigate();
  const leaving = { name, guardians: guardians.length, upcomingLessons };
  const isShared = guardians.length > 1;
  const refusal = isShared ? refuseLeave(leaving) : refuseDeleteParticipant(leaving);
  const done = (title: string) => async () => {
    toastSuccess(title, name);
    await navigate({ to: '/account/family', replace: true });
  };
  const reads = [participantsApi.list];
  const remove = useApiMutation(participantDataApi.delete, {
    invalidates: reads,
    onSuccess: done('Deleted'),
  });
  const leave = useApiMutation(guardiansApi.leave, {
    invalidates: reads,
    onSuccess: done("You're no longer a guardian"),
  });
  const act = isShared ? leave : remove;
  const texts = isShared
    ? {
        title: 'Stop being a guardian',
        question: `Stop being a guardian of ${name}?`,
        action: 'Stop being a guardian',
        pending: 'Leaving...',
        consequence: `You'll no longer see ${name}'s details and bookings. Lessons that you've paid for stay booked, and you can still cancel them. To come back, you'll need an invitation.`,
      }
    : {
        title: `Delete ${name}`,
        question: `Delete ${name}?`,
        action: 'Delete',
        pending: 'Deleting...',
        consequence: `We'll erase ${name}'s name, date of birth, care details and consents. Past lessons stay in your bookings without the name. This can't be undone.`,
      };
  return (
    <Section title={texts.title}>
      <p className="max-w-reading text-sm text-muted-foreground">
        {refusal?.message ??
          (isShared
            ? `${name} will still have another guardian.`
            : `We'll erase the name, date of birth and care details. Past lessons stay in your bookings without the name.`)}
      </p>
      {!refusal && (
        <Button
          variant="secondary"
          className="mt-4 text-destructive max-sm:w-full"
          onClick={() => setIsAsking(true)}
        >
          {texts.action}
        </Button>
      )}
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setIsAsking}
        title={texts.question}
        confirmLabel={texts.action}
        cancelLabel={isShared ? 'Stay' : `Keep ${name}`}
        isDestructive
        isPending={act.isPending}
        pendingLabel={texts.pending}
        onConfirm={() =>
          act.mutate(
            { participantId },
            { onError: (error) => toastError(error.message), onSettled: () => setIsAsking(false) },
          )
        }
      >
        <p>{texts.consequence}</p>
      </ConfirmDialog>
    </Section>
  );
}
