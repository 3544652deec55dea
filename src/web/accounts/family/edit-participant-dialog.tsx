import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { dateOfBirth, fullName, knownAs, relation } from '#domain/accounts/participants.ts';
import { type Participant, participantsApi } from '#domain/accounts/participants-contract.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { Dialog, DialogContent } from '#web/ui/overlay/dialog.tsx';
import { DialogForm } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { BirthDateField, FullNameField, KnownAsField, RelationField } from './participant-fields.tsx';

type EditParticipantDialogProps = { participant: Participant; isOpen: boolean; onClose: () => void };
type FormProps = Omit<EditParticipantDialogProps, 'isOpen'>;

/** Changes a dependant's details or, for the signed-in person, the date of birth and the name that coaches use. */
export function EditParticipantDialog({ participant, isOpen, onClose }: EditParticipantDialogProps) {
  const isSelf = participant.kind === 'self';
  return (
    <Dialog open={isOpen} onOpenChange={(next) => next || onClose()}>
      <DialogContent
        title={isSelf ? 'Change your details' : `Change ${participant.fullName}'s details`}
        description={isSelf ? 'To change your full name, go to your account page.' : undefined}
        size="sm"
      >
        {isSelf ? (
          <SelfForm participant={participant} onClose={onClose} />
        ) : (
          <DependantForm participant={participant} onClose={onClose} />
        )}
      </DialogContent>
    </Dialog>
  );
}

function useUpdate({ participant, onClose }: FormProps) {
  return useApiMutation(participantsApi.update, {
    invalidates: [participantsApi.list, participantsApi.get],
    onSuccess: () => {
      toastSuccess('Details saved', participant.fullName);
      onClose();
    },
  });
}

const buttons = { submit: 'Save details', pendingLabel: 'Saving...' };

const dependantInput = z.object({ fullName, knownAs, dateOfBirth, relation });

function DependantForm({ participant, onClose }: FormProps) {
  const { participantId } = participant;
  const update = useUpdate({ participant, onClose });
  const form = useForm<z.input<typeof dependantInput>, unknown, z.output<typeof dependantInput>>({
    resolver: zodResolver(dependantInput),
    defaultValues: {
      fullName: participant.fullName,
      knownAs: participant.knownAs ?? '',
      dateOfBirth: participant.dateOfBirth ?? '',
      relation: participant.relation ?? undefined,
    },
  });
  const { control, register, handleSubmit, formState } = form;
  const { errors } = formState;
  const { showRefusal, notice } = useRefusal(form);
  return (
    <DialogForm
      {...buttons}
      onSubmit={handleSubmit((values) =>
        update.mutate(
          { ...values, participantId, knownAs: values.knownAs ?? '' },
          { onError: (error) => showRefusal(error) },
        ),
      )}
      onCancel={onClose}
      isPending={update.isPending}
    >
      <FullNameField registration={register('fullName')} error={errors.fullName} />
      <KnownAsField registration={register('knownAs')} error={errors.knownAs} isSelf={false} />
      <BirthDateField control={control} name="dateOfBirth" error={errors.dateOfBirth} isSelf={false} />
      <RelationField registration={register('relation')} error={errors.relation} />
      <div className="empty:hidden">{notice}</div>
    </DialogForm>
  );
}

const selfInput = z.object({
  knownAs,
  dateOfBirth: z
    .string()
    .transform((date) => date || undefined)
    .pipe(dateOfBirth.optional()),
});

function SelfForm({ participant, onClose }: FormProps) {
  const { participantId } = participant;
  const update = useUpdate({ participant, onClose });
  // A known date of birth can be changed, but not removed.
  const input = participant.dateOfBirth ? selfInput.extend({ dateOfBirth }) : selfInput;
  const form = useForm<z.input<typeof selfInput>, unknown, z.output<typeof selfInput>>({
    resolver: zodResolver(input),
    defaultValues: { knownAs: participant.knownAs ?? '', dateOfBirth: participant.dateOfBirth ?? '' },
  });
  const { control, register, handleSubmit, formState } = form;
  const { errors } = formState;
  const { showRefusal, notice } = useRefusal(form);
  return (
    <DialogForm
      {...buttons}
      onSubmit={handleSubmit((values) =>
        update.mutate(
          { ...values, participantId, knownAs: values.knownAs ?? '' },
          { onError: (error) => showRefusal(error) },
        ),
      )}
      onCancel={onClose}
      isPending={update.isPending}
    >
      <KnownAsField registration={register('knownAs')} error={errors.knownAs} isSelf />
      <BirthDateField control={control} name="dateOfBirth" error={errors.dateOfBirth} isSelf />
      <div className="empty:hidden">{notice}</div>
    </DialogForm>
  );
}
