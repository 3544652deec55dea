import { useState } from 'react';
import { addMonths, wallTimeOf } from '#domain/time.ts';
import { checksApi } from '#domain/verification/checks-contract.ts';
import { levelNames, workforceNames } from '#domain/verification/documents.ts';
import type { CoachDocument } from '#domain/verification/documents-contract.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { FormField } from '#web/ui/form/form-field.tsx';
import { RadioGroup } from '#web/ui/form/radio-group.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';
import { formatDate } from '../check-text.ts';
import { readByAdmins } from './read-by-admins.ts';

type StatusCheckDialogProps = { document: CoachDocument; isOpen: boolean; onClose: () => void };

/** Records the DBS Update Service's answer about a certificate that has been recorded. */
export function StatusCheckDialog({ document, isOpen, onClose }: StatusCheckDialogProps) {
  const { documentId, level, workforce, number } = document;
  const [answer, setAnswer] = useState<'unchanged' | 'changed' | null>(null);
  const [isMissing, setIsMissing] = useState(false);
  const record = useApiMutation(checksApi.recordStatusCheck, { invalidates: readByAdmins });
  if (!level || !workforce) return null;
  const next = formatDate(addMonths(wallTimeOf(Date.now()).date, 12));
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Record a status check"
      description={`Ask the DBS Update Service about certificate ${number}, for ${levelNames[level]} and ${workforceNames[workforce].toLowerCase()} only.`}
      submit="Record status check"
      pendingLabel="Recording..."
      isPending={record.isPending}
      refusal={record.error}
      onSubmit={() => {
        setIsMissing(answer === null);
        if (!answer) return;
        record.mutate(
          { documentId, level, workforce, isUnchanged: answer === 'unchanged' },
          {
            onSuccess: () => {
              toastSuccess('Status check recorded');
              onClose();
            },
          },
        );
      }}
    >
      <FormField
        label="What did the Update Service say?"
        isGroup
        error={isMissing ? 'Choose what the Update Service said.' : undefined}
      >
        <RadioGroup<'unchanged' | 'changed'>
          value={answer}
          onValueChange={(chosen) => {
            setAnswer(chosen);
            setIsMissing(false);
          }}
          options={[
            {
              value: 'unchanged',
              label: 'The certificate is still current',
              hint: `Certificates don't expire, but we ask again after ${next}.`,
            },
            {
              value: 'changed',
              label: 'The status has changed',
              hint: 'The certificate is declined, and the coach needs a new one.',
            },
          ]}
        />
      </FormField>
    </FormDialog>
  );
}
