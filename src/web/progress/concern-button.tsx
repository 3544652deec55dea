import ShieldAlert from 'lucide-react/icons/shield-alert';
import { useState } from 'react';
import { welfareApi } from '#domain/progress/welfare-contract.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { Button } from '#web/ui/button.tsx';
import { FormField } from '#web/ui/form/form-field.tsx';
import { Textarea } from '#web/ui/form/textarea.tsx';
import { useDialogItem } from '#web/ui/overlay/dialog-item.ts';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';

const recipients = {
  officers: "Your business's welfare officers have been notified.",
  owner: "Your business's owner has been notified.",
  admins: 'The admins have been notified.',
} as const;

type ConcernProps = { bookingId: string; name: string };

/** Opens the dialog in which a coach reports a concern about the welfare of a participant. */
export function ConcernButton(props: ConcernProps) {
  const dialog = useDialogItem<null>();
  return (
    <>
      <Button variant="secondary" size="sm" onClick={() => dialog.open(null)}>
        <ShieldAlert aria-hidden />
        Report a welfare concern
      </Button>
      {dialog.openings > 0 && (
        <ConcernDialog key={dialog.openings} isOpen={dialog.isOpen} onClose={dialog.close} {...props} />
      )}
    </>
  );
}

function ConcernDialog({
  bookingId,
  name,
  isOpen,
  onClose,
}: ConcernProps & { isOpen: boolean; onClose: () => void }) {
  const [body, setBody] = useState('');
  const report = useApiMutation(welfareApi.report, { invalidates: [welfareApi.list] });
  const submit = () =>
    report.mutate(
      { bookingId, body },
      {
        onSuccess: ({ goesTo }) => {
          toastSuccess('Concern reported', recipients[goesTo]);
          onClose();
        },
      },
    );
  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Report a welfare concern"
      description={`About ${name}. We'll send your report to your welfare officers or, if there are none, to the owner or the admins. The family doesn't see your report. If someone is in danger now, call 999.`}
      submit="Report"
      isPending={report.isPending}
      pendingLabel="Reporting..."
      isDisabled={body.trim() === ''}
      refusal={report.error}
      onSubmit={submit}
    >
      <FormField label="What did you see or hear?" error={report.error?.fields?.body}>
        <Textarea
          rows={6}
          maxLength={4000}
          value={body}
          onChange={({ currentTarget }) => setBody(currentTarget.value)}
        />
      </FormField>
    </FormDialog>
  );
}
