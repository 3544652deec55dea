import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import type { z } from 'zod';
import {
  addParticipantInput,
  type Participant,
  participantsApi,
} from '#domain/accounts/participants-contract.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { useRefusal } from '#web/app/api/use-refusal.tsx';
import { CheckboxField } from '#web/ui/form/checkbox.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Dialog, DialogContent } from '#web/ui/overlay/dialog.tsx';
import { DialogForm } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { BirthDateField, FullNameField, KnownAsField, RelationField } from './participant-fields.tsx';

type AddParticipantDialogProps = {
  isOpen: boolean;
  onClose: () => void;
  /** Called with the new dependant once the list of participants is up to date. */
  onAdded: (participant: Participant) => void;
};

/** Adds a child or another dependant. */
export function AddParticipantDialog({ isOpen, onClose, onAdded }: AddParticipantDialogProps) {
  return (
    <Dialog open={isOpen} onOpenChange={(next) => next || onClose()}>
      <DialogContent
        title="Add someone to your family"
        description="Coaches see the name and the age on the day of the lesson, but not the date of birth."
        size="sm"
      >
        <AddParticipantForm onClose={onClose} onAdded={onAdded} />
      </DialogContent>
    </Dialog>
  );
}

function AddParticipantForm({ onClose, onAdded }: Omit<AddParticipantDialogProps, 'isOpen'>) {
  const add = useApiMutation(participantsApi.add, {
    invalidates: [participantsApi.list],
    onSuccess: ({ participant }) => {
      toastSuccess(`${participant.fullName} added`);
      onClose();
      onAdded(participant);
    },
  });
  const form = useForm<z.input<typeof addParticipantInput>, unknown, z.output<typeof addParticipantInput>>({
    resolver: zodResolver(addParticipantInput),
    defaultValues: { fullName: '', knownAs: '', dateOfBirth: '' },
  });
  const {
    control,
    register,
    handleSubmit,
    formState: { errors },
  } = form;
  const { showRefusal, notice } = useRefusal(form);
  return (
    <DialogForm
      onSubmit={handleSubmit(({ knownAs, ...values }) =>
        add.mutate({ ...values, knownAs: knownAs ?? '' }, { onError: (error) => showRefusal(error) }),
      )}
      onCancel={onClose}
      submit="Add"
      isPending={add.isPending}
      pendingLabel="Adding..."
    >
      <FullNameField registration={register('fullName')} error={errors.fullName} />
      <KnownAsField registration={register('knownAs')} error={errors.knownAs} isSelf={false} />
      <BirthDateField control={control} name="dateOfBirth" error={errors.dateOfBirth} isSelf={false} />
      <RelationField registration={register('relation')} error={errors.relation} />
      <FormField label="Declaration" isLabelHidden isGroup error={errors.isAdult?.message}>
        <CheckboxField
          label="I'm 18 or over, and I may book lessons and give consent for this person."
          {...register('isAdult')}
        />
      </FormField>
      <div className="empty:hidden">{notice}</div>
    </DialogForm>
  );
}
