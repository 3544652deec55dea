import { useState } from 'react';
import { formatPounds } from '#domain/money.ts';
import { type Payrun, payoutsApi } from '#domain/payouts/contract.ts';
import { payrunApi } from '#domain/payouts/payrun-contract.ts';
import { shortReference } from '#domain/reference.ts';
import { formatDay, formatTime } from '#domain/time.ts';
import { useApiMutation } from '#web/app/api/api-mutation.ts';
import { CheckboxField } from '#web/ui/form/checkbox.tsx';
import { ReasonField } from '#web/ui/form/reason-field.tsx';
import { FormDialog } from '#web/ui/overlay/form-dialog.tsx';
import { toastSuccess } from '#web/ui/overlay/toaster.ts';

type CancelPayrunDialogProps = { payrun: Payrun; isOpen: boolean; onClose: () => void };

/** Asks the admin to confirm cancelling a pending payrun, with a strong warning if a bank may have its file. */
export function CancelPayrunDialog({ payrun, isOpen, onClose }: CancelPayrunDialogProps) {
  const { payrunId, totalAmountCents, exportedAt, bookingCount } = payrun;
  const [reason, setReason] = useState('');
  const [isFileUnused, setIsFileUnused] = useState(false);
  const cancel = useApiMutation(payoutsApi.cancelPayrun, {
    invalidates: [
      ...[payoutsApi.listPayruns, payrunApi.getPayrun],
      ...[payoutsApi.listPayableBookings, payoutsApi.listPayableCoaches],
    ],
  });

  const save = () =>
    cancel.mutate(
      { payrunId, reason, isFileUnused },
      {
        onSuccess: () => {
          toastSuccess(
            'Payrun cancelled',
            'Its bookings can be paid in another payrun. All admins will be emailed.',
          );
          onClose();
        },
      },
    );

  return (
    <FormDialog
      isOpen={isOpen}
      onClose={onClose}
      title="Cancel this payrun?"
      description={`Payrun ${shortReference(payrunId)}, ${formatPounds(totalAmountCents)}. ${bookingCount === 1 ? 'Its booking' : `Its ${bookingCount} bookings`} can be paid in another payrun. You can't undo this.`}
      size="sm"
      onSubmit={save}
      refusal={cancel.error}
      cancel="Keep payrun"
      submit="Cancel payrun"
      isDestructive
      isDisabled={exportedAt !== null && !isFileUnused}
      isPending={cancel.isPending}
      pendingLabel="Cancelling..."
    >
      {exportedAt && (
        <div className="space-y-3 rounded-md bg-destructive-soft px-3 py-3 text-sm">
          <p className="text-destructive">
            The payrun's file was downloaded on {formatDay(exportedAt, Date.now())}, {formatTime(exportedAt)}.
            If your bank still processes that file, coaches may be paid twice.
          </p>
          <CheckboxField
            label="The bank hasn't used this file, and I've deleted it"
            checked={isFileUnused}
            onChange={({ target }) => setIsFileUnused(target.checked)}
          />
        </div>
      )}
      <ReasonField
        error={cancel.error?.fields?.reason}
        hint="We'll email the reason to all admins and add it to the audit log."
        value={reason}
        onValueChange={setReason}
      />
    </FormDialog>
  );
}
