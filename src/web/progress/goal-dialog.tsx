import { useState } from 'react';
import { skillsApi } from '#domain/progress/skills-contract.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Input } from '#web/ui/form/input.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';

type GoalDialogProps = { bookingId: string; isOpen: boolean; onClose: () => void };

/** Adds a goal for the participant of a booking. */
export function GoalDialog({ bookingId, isOpen, onClose }: GoalDialogProps) {
  const [title, setTitle] = useState('');
  const [dueOn, setDueOn] = useState('');
  const add = useApiMutation(skillsApi.addGoal, { invalidates: [skillsApi.getParticipant] });
  const submit = () =>
    add.mutate(
      { bookingId, title, dueOn: dueOn || null },
      {
        onSuccess: () => {
          toastSuccess('Goal added');
          onClose();
        },
      },
    );
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Add a goal"
      description="The family sees the goal on the progress page."
      size="sm"
      submit="Add goal"
      isPending={add.isPending}
      pendingLabel="Adding..."
      isDisabled={title.trim() === ''}
      refusal={add.error}
      onSubmit={submit}
    >
      <FormField label="Goal" error={add.error?.fields?.title}>
        <Input
          maxLength={200}
          value={title}
          onChange={({ currentTarget }) => setTitle(currentTarget.value)}
        />
      </FormField>
      <FormField label="Due date" isOptional error={add.error?.fields?.dueOn}>
        <Input type="date" value={dueOn} onChange={({ currentTarget }) => setDueOn(currentTarget.value)} />
      </FormField>
    </FormDialog>
  );
}
